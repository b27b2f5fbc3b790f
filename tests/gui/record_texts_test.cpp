// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/job_runner.h"
#include "gui/loader/record_scanner.h"
#include "gui/models/record_texts.h"
#include "tests/gui/loaded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct RecordWords : testing::Test {
    std::string shown(RecordForm form, bool revealed = false) {
        return RecordTexts(Protocol::builtin(), batch, topic, record, revealed).shown(form).toStdString();
    }
    RecordTexts texts(bool revealed = false) { return {Protocol::builtin(), batch, topic, record, revealed}; }
    static Bytes bytesOf(const char* text) {
        return {reinterpret_cast<const std::uint8_t*>(text), std::char_traits<char>::length(text)};
    }

    RecordBatchRef batch;
    RecordTopic topic{QStringLiteral("orders"), {}};
    OpenedRecord record;
};

TEST_F(RecordWords, setJsonOutAndKeepItsNumbersAsWritten) {
    record.value = bytesOf(R"({"id":12345678901234567890,"price":1.10,"tags":["a"]})");
    EXPECT_EQ(shown(RecordForm::Json),
              "{\n  \"id\": 12345678901234567890,\n  \"price\": 1.10,\n  \"tags\": [\n    \"a\"\n  ]\n}");
    EXPECT_EQ(shown(RecordForm::Text), R"({"id":12345678901234567890,"price":1.10,"tags":["a"]})");
    EXPECT_THAT(shown(RecordForm::Hex), HasSubstr("7b 22 69 64"));
    EXPECT_THAT(texts().hex().toStdString(), StartsWith("7b 22 69 64"));
}

TEST_F(RecordWords, fallBackToTextAndHex) {
    record.value = bytesOf("no json");
    EXPECT_EQ(shown(RecordForm::Json), "no json");
    EXPECT_TRUE(texts().json().isEmpty());
    static constexpr std::uint8_t binary[] = {0, 1, 2, 0xff};
    record.value = Bytes(binary);
    EXPECT_THAT(shown(RecordForm::Json), HasSubstr("00 01 02 ff"));
    EXPECT_THAT(shown(RecordForm::Text), HasSubstr("00 01 02 ff"));
}

TEST_F(RecordWords, sayTombstonesAndHeaders) {
    EXPECT_EQ(shown(RecordForm::Json), "null: a tombstone");
    EXPECT_TRUE(texts().hex().isEmpty());
    record.headers = {{"trace", bytesOf("ab12")}, {"none", std::nullopt}};
    EXPECT_EQ(shown(RecordForm::Text), "null: a tombstone\n\nHeaders\ntrace: ab12\nnone: null");
}

// SCRAM credentials in the metadata log of a cluster that was set up with them.
TEST(RecordSecrets, areMaskedInEveryFormUntilTheyAreRevealed) {
    const Capture capture = loadSample("kraft-cluster.pcap.zst");
    JobRunner jobs;
    std::vector<RecordBatchRef> batches;
    std::vector<RecordTopic> topics;
    jobs.start(JobKind::Records, [&](JobContext& context) {
        scanRecords(capture, {}, capture->index.size(), context, [&](FoundBatches found) {
            batches.insert(batches.end(), found.batches.begin(), found.batches.end());
            topics = found.topics;
        });
    });
    ASSERT_TRUE(waitFor([&] { return jobs.idle(); }));
    int secrets = 0;
    for (const RecordBatchRef& batch : batches) {
        const auto content = openBatch(capture, batch, topics[batch.topic]);
        for (const OpenedRecord& record : content->records) {
            if (!record.secret) continue;
            ++secrets;
            const RecordTexts masked(capture->protocol, batch, topics[batch.topic], record, false);
            const RecordTexts revealed(capture->protocol, batch, topics[batch.topic], record, true);
            EXPECT_NE(masked.json(), revealed.json());
            EXPECT_GT(revealed.json().size(), 0);
            EXPECT_EQ(masked.value(), record.openedValue->json);
            for (RecordForm form : {RecordForm::Text, RecordForm::Hex}) {
                EXPECT_THAT(masked.shown(form).toStdString(), StartsWith("(masked"));
                EXPECT_THAT(revealed.shown(form).toStdString(), Not(StartsWith("(masked")));
            }
            EXPECT_THAT(masked.hex().toStdString(), StartsWith("(masked"));
            EXPECT_EQ(revealed.hex().count(QLatin1Char(' ')) + 1, static_cast<qsizetype>(record.value->size()));
        }
    }
    EXPECT_GT(secrets, 0);
}

} // namespace
} // namespace brokerscope
