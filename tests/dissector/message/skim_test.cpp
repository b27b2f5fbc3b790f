// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/skim.h"

#include "dissector/message/decoder.h"
#include "tests/support/message_bytes.h"
#include "tests/support/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Skim skimOf(const ByteChain& bytes, MessageContext context = {}) {
    context.framed = false;
    Skim skim;
    skimMessage(Protocol::builtin(), bytes, context, skim);
    return skim;
}

MessageContext response(std::int16_t apiKey, std::int16_t apiVersion) {
    return {.direction = Direction::Response, .apiKey = apiKey, .apiVersion = apiVersion};
}

TEST(Skim, findsWhatAnIndexNeedsOfAProduceRequest) {
    MessageBytes produce;
    produce.request(0, 3, 1, "c").string("tx-1").i16(-1).i32(30000).i32(2);
    produce.string("orders").i32(2).i32(0).i32(10).raw("0123456789").i32(1).i32(3).raw("abc");
    produce.string("bills").i32(1).i32(7).i32(-1);
    const Skim skim = skimOf(produce.chain());
    EXPECT_TRUE(skim.whole);
    EXPECT_THAT(skim.topics, ElementsAre("orders", "bills"));
    EXPECT_EQ(skim.topicCount, 2u);
    EXPECT_EQ(skim.partitionCount, 3u);
    EXPECT_EQ(skim.transactionalId, "tx-1");
    EXPECT_EQ(skim.acks, -1);
    EXPECT_EQ(skim.recordBytes, 13u);
    MessageContext context;
    context.framed = false;
    EXPECT_EQ(skimAcks(Protocol::builtin(), produce.chain(), context), -1);
    EXPECT_EQ(skimAcks(Protocol::builtin(), produce.chain().part(0, 18), context), std::nullopt);
}

TEST(Skim, namesTheErrorsOfAResponseWithTheirPlaces) {
    MessageBytes answer; // Produce 3
    answer.i32(1).i32(1).string("orders").i32(2).i32(0).i16(0).i64(5).i64(-1).i32(1).i16(3).i64(-1).i64(-1).i32(250);
    const Skim skim = skimOf(answer.chain(), response(0, 3));
    ASSERT_THAT(skim.errors, SizeIs(1));
    EXPECT_EQ(skim.errors[0].code, 3);
    EXPECT_EQ(skim.errors[0].at, "responses[0].partitionResponses[1].errorCode");
    EXPECT_EQ(skim.throttleMs, 250);
    EXPECT_EQ(skim.partitionCount, 2u);
}

TEST(Skim, readsTopicIdsAndWaitsOfAFetchAndSkipsTheRest) {
    MessageBytes fetch;
    fetch.request(1, 17, 8, "c", true).i32(500).i32(7).i32(1024).i8(0).i32(0).i32(-1).uvarint(3);
    for (const std::int64_t id : {5, 0}) {
        fetch.i64(0).i64(id).uvarint(3);
        for (int partition = 0; partition < 2; ++partition)
            fetch.i32(partition).i32(4).i64(1042).i32(-1).i64(-1).i32(1048576).uvarint(0);
        fetch.uvarint(0);
    }
    fetch.uvarint(1).compact("").uvarint(0);
    const Skim skim = skimOf(fetch.chain());
    EXPECT_TRUE(skim.whole);
    EXPECT_EQ(skim.maxWaitMs, 500);
    EXPECT_EQ(skim.minBytes, 7);
    EXPECT_THAT(skim.topicIds, SizeIs(1)) << "a zero id is no topic's";
    EXPECT_EQ(skim.topicCount, 2u);
    EXPECT_EQ(skim.partitionCount, 4u);
}

TEST(Skim, aTopicWithNameAndIdCountsOnce) {
    MessageBytes metadata; // request, version 12: one topic by name, one by id
    metadata.request(3, 12, 1, "c", true).uvarint(3);
    metadata.i64(0).i64(0).compact("orders").uvarint(0).i64(1).i64(2).uvarint(0).uvarint(0);
    metadata.i8(1).i8(0).uvarint(0);
    const Skim skim = skimOf(metadata.chain());
    EXPECT_TRUE(skim.whole);
    EXPECT_EQ(skim.topicCount, 2u);
    EXPECT_THAT(skim.topics, ElementsAre("orders"));
    EXPECT_THAT(skim.topicIds, SizeIs(1));
}

TEST(Skim, learnsTheClientsSoftwareItsGroupAndMechanism) {
    MessageBytes versions, group, sasl;
    versions.request(18, 3, 1, "c", true).compact("apache-kafka-java").compact("4.4.0").uvarint(0);
    EXPECT_EQ(skimOf(versions.chain()).softwareName, "apache-kafka-java");
    EXPECT_EQ(skimOf(versions.chain()).softwareVersion, "4.4.0");
    group.request(12, 0, 1, "c").string("billing").i32(3).string("m");
    EXPECT_EQ(skimOf(group.chain()).group, "billing");
    sasl.request(17, 1, 1, "c").string("PLAIN");
    EXPECT_EQ(skimOf(sasl.chain()).mechanism, "PLAIN");
}

TEST(Skim, keepsWhatWasReadBeforeThePlaceThatDoesNotDecode) {
    MessageBytes produce;
    produce.request(0, 3, 1, "c").i16(-1).i16(1).i32(30000).i32(1).string("orders").i32(700);
    const Skim skim = skimOf(produce.chain());
    EXPECT_FALSE(skim.whole);
    EXPECT_THAT(skim.topics, ElementsAre("orders"));
    EXPECT_EQ(skim.acks, 1);
    ASSERT_THAT(skim.problems, SizeIs(1));
    EXPECT_EQ(skim.problems[0].at, "request.topicData[0].partitionData");
}

TEST(Skim, aHoleInUnwantedFieldsIsToldAndPassed) {
    MessageBytes produce;
    produce.request(0, 3, 1, "c").i16(-1).i16(1).i32(30000).i32(1).string("orders").i32(1).i32(0).i32(6);
    const std::uint32_t records = produce.size();
    produce.raw("abcdef");
    const Skim skim = skimOf(withHole(produce.bytes(), records + 1, 2, Hole::Cut));
    EXPECT_TRUE(skim.whole) << "its end is where it should be";
    EXPECT_EQ(skim.recordBytes, 6u);
    ASSERT_THAT(skim.problems, SizeIs(1));
    EXPECT_EQ(skim.problems[0].kind, ProblemKind::Truncated);
}

TEST(Skim, isBoundedHoweverManyErrorsAndTopicsThereAre) {
    MessageBytes answer; // DeleteTopics 1
    answer.i32(1).i32(0).i32(2000);
    for (int i = 0; i < 2000; ++i)
        answer.string("topic-" + std::to_string(i)).i16(3);
    const Skim skim = skimOf(answer.chain(), response(20, 1));
    EXPECT_TRUE(skim.whole);
    EXPECT_THAT(skim.errors, SizeIs(1000));
    EXPECT_THAT(skim.topics, SizeIs(64));
    EXPECT_EQ(skim.topicCount, 2000u);
}

TEST(Skim, aReusedSkimKeepsNothing) {
    MessageBytes produce, heartbeat;
    produce.request(0, 3, 1, "c").string("tx").i16(1).i32(1).i32(1).string("orders").i32(1).i32(0).i32(3).raw("abc");
    heartbeat.request(12, 0, 1, "c").string("billing").i32(3).string("m");
    MessageContext context;
    context.framed = false;
    Skim skim;
    skimMessage(Protocol::builtin(), produce.chain(), context, skim);
    skimMessage(Protocol::builtin(), heartbeat.chain(), context, skim);
    EXPECT_THAT(skim.topics, IsEmpty());
    EXPECT_EQ(skim.transactionalId, "");
    EXPECT_EQ(skim.acks, std::nullopt);
    EXPECT_EQ(skim.partitionCount, 0u);
    EXPECT_EQ(skim.recordBytes, 0u);
    EXPECT_EQ(skim.group, "billing");
}

// The tree is the slow truth: what the skim collects has to be what stands in the tree.
struct FromTree {
    std::vector<std::pair<std::int16_t, std::string>> errors;
    std::uint32_t topics = 0, partitions = 0;
    std::uint64_t recordBytes = 0;
};

FromTree collect(const DecodedMessage& message, const ByteChain& bytes) {
    FromTree result;
    std::vector<std::uint8_t> scratch;
    for (NodeIndex node = 0; node < message.tree.nodes.size(); ++node) {
        const FieldNode& at = message.tree.nodes[node];
        if (!at.isValue()) continue;
        if (at.field->type == FieldType::Records) result.recordBytes += at.contentLength();
        result.partitions += at.field->semantic == Semantic::Partition;
        result.topics += at.field->countsTopic;
        if (at.field->semantic != Semantic::Error) continue;
        const auto code = static_cast<std::int16_t>(readValue(bytes, at, scratch)->integer);
        if (code != 0) result.errors.emplace_back(code, message.tree.path(node));
    }
    return result;
}

TEST(Skim, agreesWithTheTreeOnEveryVector) {
    DecodedMessage message;
    for (const rapidjson::Document& line : readVectors("messages.jsonl")) {
        const bool request = std::string_view(line["dir"].GetString()) == "request";
        MessageContext context;
        context.direction = request ? Direction::Request : Direction::Response;
        context.apiKey = static_cast<std::int16_t>(line["api"].GetInt());
        context.apiVersion = static_cast<std::int16_t>(line["version"].GetInt());
        context.framed = false;
        const std::vector<std::uint8_t> frame = bytesOfHex(line["frame"].GetString());
        const ByteChain bytes = ByteChain::of(frame);
        decodeMessage(Protocol::builtin(), bytes, context, message);
        const FromTree expected = collect(message, bytes);
        const Skim skim = skimOf(bytes, context);
        SCOPED_TRACE(std::string(line["name"].GetString()) + " " + line["dir"].GetString() + " v" +
                     std::to_string(context.apiVersion));
        ASSERT_EQ(skim.topicCount, expected.topics);
        ASSERT_EQ(skim.partitionCount, expected.partitions);
        ASSERT_EQ(skim.recordBytes, expected.recordBytes);
        ASSERT_EQ(skim.errors.size(), expected.errors.size());
        for (std::size_t i = 0; i < skim.errors.size(); ++i) {
            ASSERT_EQ(skim.errors[i].code, expected.errors[i].first);
            ASSERT_EQ(skim.errors[i].at, expected.errors[i].second);
        }
    }
}

} // namespace
} // namespace brokerscope
