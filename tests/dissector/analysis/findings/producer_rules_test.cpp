// SPDX-License-Identifier: Apache-2.0
#include "tests/dissector/analysis/findings/story.h"
#include "tests/support/record_bytes.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using enum FindingId;

const std::string jsonText =
    R"({"customer":12345,"article":"a small thing","amount":3,"note":"as always, by the door"})";

BatchToWrite batchOf(int records, std::string_view value = jsonText) {
    BatchToWrite batch;
    batch.count = records;
    batch.lastOffsetDelta = records - 1;
    for (int i = 0; i < records; ++i) {
        RecordToWrite record;
        record.value = value;
        record.offsetDelta = i;
        const ByteVector bytes = recordBytes(record);
        batch.payload.insert(batch.payload.end(), bytes.begin(), bytes.end());
    }
    return batch;
}

void produce(Story& story, const ByteVector& records, int partition = 0, int acks = -1) {
    const std::string request = fmt::format(
        R"({{"acks":{},"topicData":[{{"name":"orders","partitionData":[{{"index":{},"records":"{}"}}]}}]}})", acks,
        partition, hexOf(records));
    if (acks == 0)
        story.withoutAnswer(apikey::Produce, 9, request);
    else
        story.exchange(apikey::Produce, 9, request, "{}");
}

// As of now by the story's clock.
BatchToWrite timely(const Story& story, BatchToWrite batch) {
    batch.baseTimestamp = batch.maxTimestamp = story.now.time_since_epoch() / 1ms;
    return batch;
}

TEST(ProducerRules, areContentWithAnOrdinaryProducer) {
    Story story;
    for (int i = 0; i < 200; ++i)
        produce(story, batchBytes(timely(story, batchOf(20))), i % 3);
    EXPECT_TRUE(story.findings().empty());
}

TEST(AcksRule, notesAcks0) {
    Story story;
    produce(story, batchBytes(timely(story, batchOf(1))), 0, 0);
    EXPECT_EQ(story.severityOf(AcksZero), Severity::Note);
}

TEST(BatchRule, findsBatchesOfOneRecord) {
    Story story;
    for (int i = 0; i < 100; ++i)
        produce(story, batchBytes(timely(story, batchOf(1))), i % 3);
    EXPECT_EQ(story.severityOf(TinyBatches), Severity::Warning);
}

TEST(BatchRule, findsTextWithoutCompression) {
    Story story;
    for (int i = 0; i < 120; ++i)
        produce(story, batchBytes(timely(story, batchOf(100))), i % 3);
    EXPECT_EQ(story.severityOf(NoCompression), Severity::Note);
}

TEST(BatchRule, findsCompressionThatMakesBatchesLarger) {
    Story story;
    for (int i = 0; i < 10; ++i) {
        BatchToWrite batch = timely(story, batchOf(1, "x"));
        batch.attributes = static_cast<int>(Codec::Gzip);
        batch.payload = compressed(Codec::Gzip, batch.payload);
        produce(story, batchBytes(batch));
    }
    EXPECT_EQ(story.severityOf(CompressionGrew), Severity::Note);
    EXPECT_THAT(story.find(CompressionGrew)->seen, HasSubstr("10 of 10 batches"));
}

TEST(BatchRule, findsTheHotPartition) {
    const auto found = [](int hotShare) {
        Story story;
        for (int i = 0; i < 60; ++i)
            produce(story, batchBytes(timely(story, batchOf(20))), i % 10 < hotShare ? 0 : 1 + i % 2);
        return story.severityOf(HotPartition);
    };
    EXPECT_EQ(found(8), Severity::Warning);
    EXPECT_FALSE(found(3));
}

TEST(BatchRule, findsTimestampsFromTheFutureAndThePast) {
    const auto found = [](Duration ahead) {
        Story story;
        BatchToWrite batch = timely(story, batchOf(1));
        batch.maxTimestamp += ahead / 1ms;
        produce(story, batchBytes(batch));
        return story.severityOf(ClockSkew);
    };
    EXPECT_EQ(found(5min), Severity::Warning);
    EXPECT_EQ(found(-48h), Severity::Note);
    EXPECT_FALSE(found(-5s));
}

TEST(BatchRule, findsAWrongChecksum) {
    Story story;
    ByteVector records = batchBytes(timely(story, batchOf(1)));
    records.back() ^= 1;
    produce(story, records);
    EXPECT_EQ(story.severityOf(CrcMismatch), Severity::Error);
}

TEST(BatchRule, findsOldFormats) {
    Story story;
    produce(story, messageBytes(1, "k", "v"));
    EXPECT_EQ(story.severityOf(OldRecordFormat), Severity::Warning);
}

TEST(BatchRule, notesASequenceThatComesTwice) {
    const auto found = [](std::int32_t second) {
        Story story;
        for (const std::int32_t sequence : {0, second}) {
            BatchToWrite batch = timely(story, batchOf(1));
            batch.producerId = 7;
            batch.producerEpoch = 0;
            batch.baseSequence = sequence;
            produce(story, batchBytes(batch));
        }
        return story.severityOf(DuplicateBatch);
    };
    EXPECT_EQ(found(0), Severity::Note);
    EXPECT_FALSE(found(1));
}

TEST(InFlightRule, countsRequestsOfIdempotentProducers) {
    const auto found = [](int inFlight, std::int64_t producerId) {
        Story story;
        story.wait = story.gap * inFlight - 1ms;
        for (int i = 0; i < 10; ++i) {
            BatchToWrite batch = timely(story, batchOf(1));
            batch.producerId = producerId;
            batch.producerEpoch = 0;
            batch.baseSequence = i;
            produce(story, batchBytes(batch));
        }
        story.connectionOver();
        return story.severityOf(TooManyInFlight);
    };
    EXPECT_EQ(found(6, 7), Severity::Warning);
    EXPECT_FALSE(found(5, 7));
    EXPECT_FALSE(found(6, -1));
}

TEST(TransactionRule, findsTransactionsThatStayOpen) {
    const auto found = [](Duration open) {
        Story story;
        story.exchange(apikey::AddPartitionsToTxn, 3, R"({"v3AndBelowTransactionalId":"t"})", "{}");
        story.gap = open;
        story.exchange(apikey::EndTxn, 3, R"({"transactionalId":"t","committed":true})", "{}");
        return story.severityOf(OpenTransaction);
    };
    EXPECT_EQ(found(31s), Severity::Warning);
    EXPECT_FALSE(found(1s));
}

TEST(TransactionRule, notesOneAbortAndWarnsOfMany) {
    const auto found = [](int aborts) {
        Story story;
        for (int i = 0; i < 10; ++i)
            story.exchange(apikey::EndTxn, 3,
                           fmt::format(R"({{"transactionalId":"t","committed":{}}})", i < aborts ? "false" : "true"),
                           "{}");
        return story.severityOf(AbortedTransactions);
    };
    EXPECT_FALSE(found(0));
    EXPECT_EQ(found(1), Severity::Note);
    EXPECT_EQ(found(5), Severity::Warning);
}

} // namespace
} // namespace brokerscope
