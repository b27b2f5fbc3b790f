// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/exporter.h"
#include "gui/loader/record_scanner.h"
#include "gui/models/record_table_model.h"
#include "tests/gui/loaded.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace brokerscope {
namespace {

using testing::HasSubstr;

struct Records : testing::Test {
    void scan(const Capture& from, const RecordScope& scope) {
        capture = from;
        jobs.start(JobKind::Records, [&](JobContext& context) {
            scanRecords(capture, scope, capture->index.size(), context, [&](FoundBatches found) {
                auto chunk = std::make_shared<FoundBatches>(std::move(found));
                context.deliver([this, chunk] { model.append(chunk->batches, chunk->topics); });
            });
        });
        ASSERT_TRUE(waitFor([this] { return jobs.idle(); }));
    }
    std::shared_ptr<const OpenedBatch> opened(const RecordBatchRef& batch) {
        return openBatch(capture, batch, model.topics()[batch.topic]);
    }
    void openAll() {
        for (std::size_t i = 0; i < model.batches().size(); ++i)
            model.setContent(i, opened(model.batches()[i]));
    }
    std::string text(int row, RecordColumn column) {
        return model.index(row, static_cast<int>(column)).data().toString().toStdString();
    }

    Capture capture;
    JobRunner jobs;
    RecordTableModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(Records, ofEverySampleAreCountedAsTheyAreRead) {
    for (const std::string& path : allSamples()) {
        model.clear();
        scan(load({path}).capture, {});
        for (const RecordBatchRef& batch : model.batches())
            EXPECT_EQ(opened(batch)->records.size(), batch.count) << path;
    }
}

TEST_F(Records, sayNothingButTheirBatchUntilThatIsOpen) {
    scan(loadSample("codecs.pcap"), {});
    ASSERT_GT(model.rowCount(), 0);
    QSignalSpy wished(&model, &RecordTableModel::batchesWished);
    EXPECT_EQ(text(0, RecordColumn::Value), "…");
    EXPECT_EQ(text(1, RecordColumn::Value), "…");
    EXPECT_NE(text(0, RecordColumn::Topic), "");
    ASSERT_TRUE(waitFor([&] { return wished.count() > 0; }, 2000));
    EXPECT_EQ(wished.count(), 1); // one question for all that one painting wants
    openAll();
    EXPECT_THAT(text(0, RecordColumn::Value), HasSubstr("{\""));
    EXPECT_THAT(text(0, RecordColumn::Time), testing::MatchesRegex("2026-..-.. ..:..:......"));
}

TEST_F(Records, ofInternalTopicsAreOpened) {
    scan(loadSample("kraft-cluster.pcap.zst"), {});
    openAll();
    std::set<std::string> values, keys;
    for (int row = 0; row < model.rowCount(); ++row) {
        values.insert(text(row, RecordColumn::Value));
        keys.insert(text(row, RecordColumn::Key));
    }
    EXPECT_THAT(values, testing::Contains(testing::StartsWith("TopicRecord v0 {\"name\":\"")));
    EXPECT_THAT(values, testing::Contains(testing::StartsWith("VotersRecord v0 {")));
    EXPECT_THAT(keys, testing::Contains("LEADER_CHANGE"));
    model.setSearch(QStringLiteral("topicrecord"), true, true);
    int hits = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        hits += model.index(row, static_cast<int>(RecordColumn::Value)).data(RecordTableModel::HitRole).toBool();
    EXPECT_GT(hits, 0);
}

TEST_F(Records, ofATopicOrOfAnExchangeAreAPartOfAll) {
    const Capture sample = loadSample("transactions.pcap");
    scan(sample, {});
    const int all = model.rowCount();
    std::set<std::string> topics; // one may be told by name here and by id there
    for (const RecordTopic& topic : model.topics())
        topics.insert(topic.name.toStdString());
    int sum = 0;
    for (const std::string& topic : topics) {
        model.clear();
        RecordScope scope;
        scope.topic = topic;
        scan(sample, scope);
        sum += model.rowCount();
    }
    EXPECT_EQ(sum, all);
    sum = 0;
    for (std::uint32_t row = 0; row < sample->index.size(); ++row) {
        model.clear();
        RecordScope scope;
        scope.exchange = row;
        scan(sample, scope);
        sum += model.rowCount();
    }
    EXPECT_EQ(sum, all);
}

TEST_F(Records, thatEndTransactionsAreCalledSo) {
    scan(loadSample("transactions.pcap"), {});
    openAll();
    std::set<std::string> kinds;
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.batches()[model.placeOf(row)->batch].control) {
            kinds.insert(text(row, RecordColumn::Key));
            EXPECT_THAT(text(row, RecordColumn::Value), HasSubstr("producer "));
        }
    EXPECT_TRUE(kinds.contains("COMMIT"));
    EXPECT_TRUE(kinds.contains("ABORT"));
}

TEST_F(Records, markWhatIsSearchedFor) {
    scan(loadSample("codecs.pcap"), {});
    openAll();
    model.setSearch(QStringLiteral("K1"), true, false);
    int keys = 0, values = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        keys += model.index(row, static_cast<int>(RecordColumn::Key)).data(RecordTableModel::HitRole).toBool();
        values += model.index(row, static_cast<int>(RecordColumn::Value)).data(RecordTableModel::HitRole).toBool();
    }
    EXPECT_GT(keys, 0);
    EXPECT_EQ(values, 0);
}

TEST_F(Records, beyondTheOpenBytesAreForgottenAgain) {
    scan(loadSample("codecs.pcap"), {});
    for (int round = 0; round < 3; ++round)
        openAll();
    EXPECT_NE(model.content(0, false), nullptr);
    auto large = std::make_shared<OpenedBatch>();
    const std::vector<std::uint8_t> block(RecordTableModel::mostOpenBytes);
    large->keep(block);
    model.clear();
    model.append({RecordBatchRef{.count = 1}, RecordBatchRef{.count = 1}}, {RecordTopic{QStringLiteral("t"), {}}});
    model.setContent(0, large);
    model.setContent(1, large);
    EXPECT_EQ(model.content(0, false), nullptr);
    EXPECT_NE(model.content(1, false), nullptr);
}

TEST_F(Records, beyondTheBoundAreNotTaken) {
    RecordBatchRef huge;
    huge.count = RecordTableModel::mostRows;
    EXPECT_TRUE(model.append({huge}, {RecordTopic{QStringLiteral("t"), {}}}));
    EXPECT_FALSE(model.append({RecordBatchRef{.count = 1}}, {RecordTopic{QStringLiteral("t"), {}}}));
    EXPECT_TRUE(model.full());
    EXPECT_EQ(model.rowCount(), static_cast<int>(RecordTableModel::mostRows));
}

} // namespace
} // namespace brokerscope
