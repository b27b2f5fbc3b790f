// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/nested_message.h"

#include "dissector/message/message_json.h"
#include "tests/support/json_difference.h"
#include "tests/support/tree_law.h"
#include "tests/support/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace brokerscope {
namespace {

const Protocol& protocol() {
    return Protocol::builtin();
}

std::string json(const NestedMessage& nested, const ByteChain& bytes) {
    JsonOptions options;
    options.showSecrets = true;
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    writeJson(protocol(), nested.message, bytes, nested.message.body, options, writer);
    return buffer.GetString();
}

using Tag = std::tuple<std::string, std::uint32_t, std::string>;

std::set<Tag> tagsOf(const rapidjson::Document& vector) {
    std::set<Tag> tags;
    for (const rapidjson::Value& tag : vector["unknownTags"].GetArray())
        tags.emplace(tag["path"].GetString(), tag["tag"].GetUint(), tag["hex"].GetString());
    return tags;
}

TEST(NestedMessage, readsEveryVectorByItsName) {
    std::size_t read = 0;
    for (const rapidjson::Document& vector : readVectors("nested.jsonl")) {
        SCOPED_TRACE(textOf(vector).substr(0, 300));
        const SchemaMessage* schema = protocol().nested(vector["name"].GetString());
        ASSERT_NE(schema, nullptr);
        const auto data = bytesOfHex(vector["hex"].GetString());
        const ByteChain bytes = ByteChain::of(data);
        NestedMessage nested;
        decodeNested(protocol(), *schema, bytes, nested);
        ASSERT_TRUE(nested.message.problems.empty()) << nested.message.problems.front().text;
        EXPECT_EQ(brokenLaw(nested.message.tree, 0, bytes.size()), "");
        rapidjson::Document got;
        got.Parse<rapidjson::kParseFullPrecisionFlag>(json(nested, bytes).c_str());
        EXPECT_EQ(firstDifference(vector["body"], got), "");
        std::set<Tag> tags;
        for (const UnknownTag& tag : unknownTags(nested.message, bytes, "header", "body"))
            tags.emplace(tag.path, tag.tag, tag.hex);
        EXPECT_EQ(tags, tagsOf(vector));
        if (HasFailure()) break;
        ++read;
    }
    EXPECT_EQ(read, 1157u);
}

TEST(NestedMessage, findsTheMessageByTheTypeInFrontOfIt) {
    for (const rapidjson::Document& vector : readVectors("nested.jsonl")) {
        if (!vector.HasMember("type") || vector["type"].IsNull()) continue;
        const SchemaMessage* schema = protocol().nested(vector["name"].GetString());
        ASSERT_NE(schema, nullptr);
        const auto type = static_cast<std::int16_t>(vector["type"].GetInt());
        EXPECT_EQ(protocol().nestedByType(schema->family, type), schema) << schema->name;
    }
}

TEST(NestedMessage, readsPreviewLayoutsAndSaysWhose) {
    // ShareGroupMetadataValue as Kafka 3.9 and 4.0 wrote it: version 0, an epoch, no hash.
    const auto data = bytesOfHex("00000000000700");
    const ByteChain bytes = ByteChain::of(data);
    NestedMessage nested;
    decodeNested(protocol(), *protocol().nested("ShareGroupMetadataValue"), bytes, nested);
    EXPECT_EQ(json(nested, bytes), "{\"epoch\":7}");
    EXPECT_EQ(nested.message.previewOf, "3.9-4.0");
    ASSERT_EQ(nested.message.problems.size(), 1u);
    EXPECT_EQ(nested.message.problems.front().kind, ProblemKind::OtherLayout);
}

TEST(NestedMessage, findsMetadataRecordsByTheTypeInFrontOfThem) {
    std::size_t read = 0;
    for (const rapidjson::Document& vector : readVectors("nested.jsonl")) {
        if (std::string_view(vector["kind"].GetString()) != "metadata-record") continue;
        const auto data = bytesOfHex(vector["hex"].GetString());
        const ByteChain bytes = ByteChain::of(data);
        NestedMessage nested;
        decodeNestedOf(protocol(), "cluster-metadata", bytes, nested);
        ASSERT_NE(nested.schema, nullptr) << textOf(vector);
        EXPECT_EQ(nested.schema->name, vector["name"].GetString());
        EXPECT_EQ(nested.version, vector["version"].GetInt());
        ++read;
    }
    EXPECT_GT(read, 200u);
}

TEST(NestedMessage, readsANewerVersionInTheNewestLayoutAndSaysSo) {
    // ConsumerProtocolAssignment 9: no partitions, null user data.
    const auto data = bytesOfHex("000900000000ffffffff");
    const ByteChain bytes = ByteChain::of(data);
    NestedMessage nested;
    decodeNested(protocol(), *protocol().nested("ConsumerProtocolAssignment"), bytes, nested);
    EXPECT_EQ(nested.version, 9);
    ASSERT_EQ(nested.message.problems.size(), 1u);
    EXPECT_EQ(nested.message.problems.front().kind, ProblemKind::AssumedVersion);
    EXPECT_EQ(json(nested, bytes), "{\"assignedPartitions\":[],\"userData\":null}");
}

TEST(NestedMessage, saysWhatIsWrongWithBytesThatAreNone) {
    NestedMessage nested;
    const std::vector<std::uint8_t> cut = {0};
    decodeNested(protocol(), *protocol().nested("OffsetCommitValue"), ByteChain::of(cut), nested);
    ASSERT_EQ(nested.message.problems.size(), 1u);
    EXPECT_EQ(nested.message.problems.front().kind, ProblemKind::Malformed);

    const std::vector<std::uint8_t> unknown = {1, 99, 0};
    decodeNestedOf(protocol(), "cluster-metadata", ByteChain::of(unknown), nested);
    EXPECT_EQ(nested.schema, nullptr);
    ASSERT_EQ(nested.message.problems.size(), 1u);
    EXPECT_EQ(nested.message.problems.front().kind, ProblemKind::UnknownApi);
    EXPECT_THAT(nested.message.problems.front().text, testing::HasSubstr("99"));

    decodeNestedOf(protocol(), "no-such-family", ByteChain::of(unknown), nested);
    EXPECT_EQ(nested.message.problems.front().kind, ProblemKind::UnknownApi);
}

} // namespace
} // namespace brokerscope
