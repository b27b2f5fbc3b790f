// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/exporter.h"

#include "gui/loader/record_scanner.h"
#include "gui/models/exchange_texts.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace brokerscope {

namespace {

constexpr std::uint32_t lookEvery = 256;

QString tr(const char* text) {
    return QCoreApplication::translate("export", text);
}

// RFC 4180.
QByteArray csvField(const QString& text) {
    QByteArray field = text.toUtf8();
    if (!field.contains(',') && !field.contains('"') && !field.contains('\n') && !field.contains('\r')) return field;
    field.replace("\"", "\"\"");
    return '"' + field + '"';
}

QByteArray csvLine(const QStringList& cells) {
    QByteArray line;
    for (const QString& cell : cells) {
        if (&cell != &cells.front()) line += ',';
        line += csvField(cell);
    }
    return line + "\r\n";
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

ExportOutcome exportExchangesAs(ExportFormat, const Capture& capture, const ExchangeTableModel::Order& rows,
                                const QString& path, JobContext& context) {
    return toFile(path, context, [&](QSaveFile& file, std::uint64_t& lines) {
        const ExchangeTexts texts(capture->index, capture->protocol);
        TimeSettings time;
        time.zero = capture->start();
        QStringList cells;
        for (const ExchangeColumnRow& column : exchangeColumns())
            if (column.column != ExchangeColumn::State && column.column != ExchangeColumn::Mark)
                cells << QString::fromLatin1(column.key);
        file.write(csvLine(cells));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i % lookEvery == 0) {
                if (context.stopped()) return;
                context.progress(i, rows.size());
            }
            const ExchangeRow row = capture->index.row(rows[i]);
            cells.clear();
            for (const ExchangeColumnRow& column : exchangeColumns())
                if (column.column != ExchangeColumn::State && column.column != ExchangeColumn::Mark)
                    cells << texts.cell(column.column, row, time);
            file.write(csvLine(cells));
            ++lines;
        }
    });
}

ExportOutcome exportRecordsAs(ExportFormat, const Capture& capture, const std::vector<RecordBatchRef>& batches,
                              const std::vector<QString>& topics, const QString& path, JobContext& context) {
    return toFile(path, context, [&](QSaveFile& file, std::uint64_t& lines) {
        file.write(csvLine({QStringLiteral("topic"), QStringLiteral("partition"), QStringLiteral("offset"),
                            QStringLiteral("timestamp"), QStringLiteral("key"), QStringLiteral("value")}));
        for (std::size_t i = 0; i < batches.size(); ++i) {
            if (context.stopped()) return;
            context.progress(i, batches.size());
            const std::shared_ptr<const OpenedBatch> content = openBatch(capture, batches[i]);
            for (const OpenedRecord& record : content->records) {
                file.write(
                    csvLine({topics[batches[i].topic], QString::number(batches[i].partition),
                             record.offset ? QString::number(*record.offset) : QString(),
                             QString::number(record.timestamp), RecordTableModel::keyText(batches[i], record, INT_MAX),
                             RecordTableModel::valueText(batches[i], record, INT_MAX)}));
                ++lines;
            }
        }
    });
}

} // namespace brokerscope
