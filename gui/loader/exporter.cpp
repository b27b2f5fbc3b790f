// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/exporter.h"

#include "dissector/analysis/exchange_json.h"
#include "gui/loader/csv_columns.h"
#include "gui/loader/record_scanner.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace brokerscope {

namespace {

constexpr std::size_t lookEvery = 256;

QString tr(const char* text) {
    return QCoreApplication::translate("export", text);
}

void put(QSaveFile& file, const std::string& line) {
    file.write(line.data(), static_cast<qint64>(line.size()));
}

// Opens the file, lets `write` put its lines, and makes the file or gives the reason.
template<class Write>
ExportOutcome toFile(const QString& path, JobContext& context, Write write) {
    ExportOutcome outcome;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        outcome.error = file.errorString();
        return outcome;
    }
    write(file, outcome.lines);
    if (context.stopped()) {
        file.cancelWriting();
        outcome.error = tr("it was cancelled");
    } else if (!file.commit()) {
        outcome.error = file.errorString();
    }
    return outcome;
}

} // namespace

ExportFormat exportFormatOf(const QString& path) {
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? ExportFormat::Csv : ExportFormat::JsonLines;
}

ExportOutcome exportExchangesAs(ExportFormat format, const Capture& capture, const ExchangeTableModel::Order& rows,
                                const QString& path, JobContext& context) {
    return toFile(path, context, [&](QSaveFile& file, std::uint64_t& lines) {
        ExchangeFactsReader reader(capture->protocol);
        ExchangeJson json(capture->protocol, {}, nullptr);
        if (format == ExportFormat::Csv) put(file, csvLine(exchangeCsvHead()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i % lookEvery == 0) {
                if (context.stopped()) return;
                context.progress(i, rows.size());
            }
            const Exchange exchange = capture->index.exchange(rows[i]);
            if (!exchange.request && !exchange.response) continue; // announced, its bytes still come
            const ExchangeFacts& facts = reader.read(exchange);
            if (format == ExportFormat::Csv)
                put(file, csvLine(exchangeCsvCells(facts, capture->index.row(rows[i]), capture->index)));
            else
                put(file, std::string(json.write(facts)) + '\n');
            ++lines;
        }
    });
}

ExportOutcome exportRecordsAs(ExportFormat format, const Capture& capture, const std::vector<RecordBatchRef>& batches,
                              const std::vector<RecordTopic>& topics, const QString& path, JobContext& context) {
    return toFile(path, context, [&](QSaveFile& file, std::uint64_t& lines) {
        if (format == ExportFormat::Csv) put(file, csvLine(recordCsvHead()));
        JsonLine json;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            if (context.stopped()) return;
            context.progress(i, batches.size());
            forEachRecord(capture, batches[i], topics[batches[i].topic], [&](const RecordFacts& facts) {
                put(file, format == ExportFormat::Csv ? csvLine(recordCsvCells(facts))
                                                      : std::string(writeRecordLine(facts, json)) + '\n');
                ++lines;
            });
        }
    });
}

} // namespace brokerscope
