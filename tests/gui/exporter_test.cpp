// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/exporter.h"

#include "gui/loader/csv_columns.h"
#include "gui/loader/record_scanner.h"
#include "tests/gui/loaded.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <thread>

namespace brokerscope {
namespace {

using testing::HasSubstr;

struct Export : testing::Test {
    // What `write` writes to a file with that ending, line by line.
    template<class Write>
    QList<QByteArray> written(const QString& ending, Write write) {
        const QString path = folder.filePath(QStringLiteral("out") + ending);
        jobs.start(JobKind::Export, [&](JobContext& context) { outcome = write(path, context); });
        EXPECT_TRUE(waitFor([this] { return jobs.idle(); }));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << outcome.error.toStdString();
        QList<QByteArray> lines = file.readAll().split('\n');
        EXPECT_TRUE(lines.back().isEmpty());
        lines.removeLast();
        return lines;
    }
    QList<QByteArray> exchanges(const Capture& capture, const QString& ending) {
        ExchangeTableModel::Order rows(capture->index.size());
        std::iota(rows.begin(), rows.end(), 0U);
        return written(ending, [&](const QString& path, JobContext& context) {
            return exportExchangesAs(exportFormatOf(path), capture, rows, path, context);
        });
    }
    QList<QByteArray> records(const Capture& capture, const QString& ending) {
        FoundBatches all;
        return written(ending, [&](const QString& path, JobContext& context) {
            scanRecords(capture, {}, capture->index.size(), context, [&](FoundBatches found) {
                all.batches.insert(all.batches.end(), found.batches.begin(), found.batches.end());
                all.topics = std::move(found.topics);
            });
            return exportRecordsAs(exportFormatOf(path), capture, all.batches, all.topics, path, context);
        });
    }

    QTemporaryDir folder;
    JobRunner jobs;
    ExportOutcome outcome;
};

QStringList cellsOf(const QByteArray& line) {
    return QString::fromUtf8(line).trimmed().split(u',');
}

QString cell(const QList<QByteArray>& lines, int line, const char* column) {
    const qsizetype at = cellsOf(lines[0]).indexOf(QString::fromLatin1(column));
    EXPECT_GE(at, 0) << column;
    return cellsOf(lines[line]).value(at);
}

TEST_F(Export, givesExchangesAsTheCommandLineDoes) {
    const Capture capture = loadSample("produce-acks.pcap");
    const QList<QByteArray> lines = exchanges(capture, QStringLiteral(".ndjson"));
    ASSERT_EQ(lines.size(), static_cast<qsizetype>(capture->index.size()));
    EXPECT_EQ(outcome.lines, capture->index.size());
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QJsonObject line = QJsonDocument::fromJson(lines[i]).object();
        EXPECT_EQ(line[QStringLiteral("exchange")].toInt(), i + 1);
        EXPECT_TRUE(line[QStringLiteral("requestHeader")].isObject());
        EXPECT_TRUE(line.contains(QStringLiteral("request")) && line.contains(QStringLiteral("response")));
        EXPECT_TRUE(line[QStringLiteral("problems")].isArray());
    }
}

TEST_F(Export, writesNumbersInCsvForPrograms) {
    const Capture capture = loadSample("produce-acks.pcap");
    const QList<QByteArray> lines = exchanges(capture, QStringLiteral(".csv"));
    ASSERT_EQ(lines.size(), static_cast<qsizetype>(capture->index.size()) + 1);
    for (int line = 1; line < static_cast<int>(lines.size()); ++line) {
        const ExchangeRow row = capture->index.row(static_cast<std::uint32_t>(line - 1));
        EXPECT_EQ(cell(lines, line, "exchange").toInt(), line);
        EXPECT_EQ(cell(lines, line, "requestBytes").toUInt(), row.requestBytes());
        EXPECT_EQ(cell(lines, line, "apiKey").toInt(), row.apiKey());
        if (const auto latency = row.latency()) {
            EXPECT_NEAR(cell(lines, line, "totalTimeMs").toDouble() * 1e6, static_cast<double>(latency->count()), 0.5);
        }
        EXPECT_TRUE(cell(lines, line, "requestTime").endsWith(u'Z'));
    }
}

// The goldens of the command line, so that both stay the same.
std::vector<std::string> golden(const char* name) {
    std::ifstream file(std::string(BROKERSCOPE_SOURCE_DIR "/tests/cli/golden/") + name, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line); // with its carriage return
    return lines;
}

std::vector<std::string> texts(const QList<QByteArray>& lines, std::size_t most) {
    std::vector<std::string> result;
    for (const QByteArray& line : lines.first(std::min<qsizetype>(lines.size(), static_cast<qsizetype>(most))))
        result.push_back(line.toStdString());
    return result;
}

TEST_F(Export, writesTheSameCsvAsTheCommandLine) {
    const std::vector<std::string> listed = golden("list-first-steps.csv.txt");
    ASSERT_GT(listed.size(), 30U);
    EXPECT_EQ(texts(exchanges(loadSample("first-steps.pcap"), QStringLiteral(".csv")), listed.size() + 1), listed);
    const std::vector<std::string> recorded = golden("records-kafka-0.8.csv.txt");
    ASSERT_GT(recorded.size(), 10U);
    EXPECT_EQ(texts(records(loadSample("kafka-0.8.pcap"), QStringLiteral(".csv")), recorded.size()), recorded);
}

TEST_F(Export, keepsSecretsMasked) {
    const QList<QByteArray> lines = exchanges(loadSample("sasl.pcap"), QStringLiteral(".ndjson"));
    int masked = 0;
    for (const QByteArray& line : lines)
        masked += line.contains("(masked)");
    EXPECT_GT(masked, 0);
}

TEST_F(Export, givesRecordsInBothForms) {
    const Capture capture = loadSample("codecs.pcap");
    const QList<QByteArray> json = records(capture, QStringLiteral(".ndjson"));
    const QList<QByteArray> csv = records(capture, QStringLiteral(".csv"));
    ASSERT_EQ(json.size() + 1, csv.size());
    ASSERT_GT(json.size(), 1000);
    const QJsonObject first = QJsonDocument::fromJson(json[0]).object();
    EXPECT_EQ(first[QStringLiteral("topic")].toString(), cell(csv, 1, "topic"));
    EXPECT_EQ(first[QStringLiteral("offset")].toInt(), cell(csv, 1, "offset").toInt());
    EXPECT_EQ(first[QStringLiteral("keyText")].toString(), cell(csv, 1, "key"));
    EXPECT_EQ(first[QStringLiteral("headers")].toArray().size(), 1);
    EXPECT_THAT(csv[1].toStdString(), HasSubstr("{\"\"orderId\"\":")); // RFC 4180
}

TEST_F(Export, leavesNoFileBehindWhenItIsCancelled) {
    const Capture capture = loadSample("errors.pcap.zst");
    const QString path = folder.filePath(QStringLiteral("cancelled.csv"));
    ExchangeTableModel::Order rows(capture->index.size());
    std::iota(rows.begin(), rows.end(), 0U);
    jobs.start(JobKind::Export, [&](JobContext& context) {
        while (!context.stopped())
            std::this_thread::yield();
        outcome = exportExchangesAs(ExportFormat::Csv, capture, rows, path, context);
    });
    jobs.interrupt(JobKind::Export);
    ASSERT_TRUE(waitFor([this] { return jobs.idle(); }));
    EXPECT_FALSE(outcome.error.isEmpty());
    EXPECT_FALSE(QFile::exists(path));
}

TEST(CsvLine, quotesWhatNeedsIt) {
    EXPECT_EQ(csvLine({"a", "", "b,c", "say \"x\"", "two\nlines"}), "a,,\"b,c\",\"say \"\"x\"\"\",\"two\nlines\"\r\n");
}

} // namespace
} // namespace brokerscope
