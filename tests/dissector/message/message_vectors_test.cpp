// SPDX-License-Identifier: Apache-2.0
// What Kafka's own serializers wrote, against what the decoder reads: header, body, unknown tags, every byte.
#include "dissector/message/decoder.h"
#include "dissector/message/message_json.h"
#include "dissector/message/plausibility.h"
#include "dissector/message/skim.h"
#include "tests/support/json_difference.h"
#include "tests/support/tree_law.h"
#include "tests/support/vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

namespace brokerscope {
namespace {

struct Vector {
    std::string name; // for messages of the test
    MessageContext context;
    std::vector<std::uint8_t> frame; // without the length
    std::uint32_t bodyOffset = 0;
    const rapidjson::Value* expected = nullptr;
};

const std::vector<rapidjson::Document>& documents() {
    static const std::vector<rapidjson::Document> all = readVectors("messages.jsonl");
    return all;
}

std::vector<Vector> vectors() {
    std::vector<Vector> result;
    for (const rapidjson::Document& line : documents()) {
        Vector& vector = result.emplace_back();
        vector.name = std::string(line["name"].GetString()) + " " + line["dir"].GetString() + " v" +
                      std::to_string(line["version"].GetInt()) + " sample " + std::to_string(line["sample"].GetInt());
        const bool request = std::string_view(line["dir"].GetString()) == "request";
        vector.context.direction = request ? Direction::Request : Direction::Response;
        vector.context.apiKey = static_cast<std::int16_t>(line["api"].GetInt());
        vector.context.apiVersion = static_cast<std::int16_t>(line["version"].GetInt());
        vector.context.framed = false;
        vector.frame = bytesOfHex(line["frame"].GetString());
        vector.bodyOffset = line["bodyOffset"].GetUint();
        vector.expected = &line;
    }
    return result;
}

rapidjson::Document jsonOf(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) {
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    JsonOptions options;
    options.showSecrets = true;
    writeJson(Protocol::builtin(), message, bytes, node, options, writer);
    rapidjson::Document document;
    document.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(buffer.GetString(),
                                                                                               buffer.GetSize());
    return document;
}

std::string headerDifference(const Vector& vector, const rapidjson::Value& header) {
    const rapidjson::Value& expected = *vector.expected;
    if (header["correlationId"] != expected["correlationId"]) return "correlation id";
    if (vector.context.direction == Direction::Response) return header.MemberCount() == 1 ? "" : "more than an id";
    if (header["requestApiKey"] != expected["api"]) return "api key";
    if (header["requestApiVersion"] != expected["version"]) return "version";
    const bool hasClientId = expected["headerVersion"].GetInt() > 0;
    if (header.HasMember("clientId") != hasClientId) return "client id is there or not";
    return !hasClientId || header["clientId"] == expected["clientId"] ? "" : "client id";
}

using Tag = std::tuple<std::string, std::uint32_t, std::string>;

std::set<Tag> expectedTags(const Vector& vector) {
    std::set<Tag> tags;
    for (const rapidjson::Value& tag : (*vector.expected)["unknownTags"].GetArray())
        tags.emplace(tag["path"].GetString(), tag["tag"].GetUint(), tag["hex"].GetString());
    return tags;
}

std::set<Tag> foundTags(const DecodedMessage& message, const ByteChain& bytes) {
    std::set<Tag> tags;
    for (const UnknownTag& tag : unknownTags(message, bytes, "header", "body"))
        tags.emplace(tag.path, tag.tag, tag.hex);
    return tags;
}

// The bytes in slices of random sizes, each in memory of its own.
struct Sliced {
    std::vector<std::vector<std::uint8_t>> parts;
    ByteChain chain;

    Sliced(const std::vector<std::uint8_t>& bytes, std::mt19937& random) {
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t most = random() % 4 == 0 ? 1 : 40;
            const std::size_t size = std::min<std::size_t>(1 + random() % most, bytes.size() - at);
            parts.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                               bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
            at += size;
        }
        for (const auto& part : parts) {
            Slice slice;
            slice.data = part.data();
            slice.length = static_cast<std::uint32_t>(part.size());
            chain.append(slice);
        }
    }
};

bool sameTree(const FieldTree& a, const FieldTree& b) {
    return std::equal(
        a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), [](const FieldNode& x, const FieldNode& y) {
            return std::tie(x.offset, x.length, x.end, x.parent, x.field, x.index, x.kind, x.prefix, x.isNull,
                            x.damaged) == std::tie(y.offset, y.length, y.end, y.parent, y.field, y.index, y.kind,
                                                   y.prefix, y.isNull, y.damaged);
        });
}

TEST(MessageVectors, everyMessageDecodesToWhatKafkaWrote) {
    DecodedMessage message;
    std::size_t count = 0;
    for (const Vector& vector : vectors()) {
        SCOPED_TRACE(vector.name);
        const ByteChain bytes = ByteChain::of(vector.frame);
        decodeMessage(Protocol::builtin(), bytes, vector.context, message);
        for (const Problem& problem : message.problems)
            ADD_FAILURE() << row(problem.kind).name << " " << problem.at << " " << problem.text;
        ASSERT_NE(message.header, noNode);
        ASSERT_NE(message.body, noNode);
        EXPECT_EQ(message.apiKey, vector.context.apiKey);
        EXPECT_EQ(message.apiVersion, vector.context.apiVersion);
        EXPECT_EQ(message.layoutVersion, vector.context.apiVersion);
        EXPECT_EQ(message.tree.nodes[message.body].offset, vector.bodyOffset);
        EXPECT_EQ(headerDifference(vector, jsonOf(message, bytes, message.header)), "");
        EXPECT_EQ(firstDifference((*vector.expected)["body"], jsonOf(message, bytes, message.body)), "");
        EXPECT_EQ(foundTags(message, bytes), expectedTags(vector));
        EXPECT_EQ(brokenLaw(message.tree, 0, bytes.size()), "");
        ++count;
        if (HasFailure()) break;
    }
    EXPECT_EQ(count, 4416u);
}

TEST(MessageVectors, slicesMakeNoDifference) {
    std::mt19937 random(20261129);
    DecodedMessage whole, cut;
    for (const Vector& vector : vectors()) {
        SCOPED_TRACE(vector.name);
        const ByteChain bytes = ByteChain::of(vector.frame);
        const Sliced sliced(vector.frame, random);
        decodeMessage(Protocol::builtin(), bytes, vector.context, whole);
        decodeMessage(Protocol::builtin(), sliced.chain, vector.context, cut);
        ASSERT_TRUE(cut.problems.empty());
        ASSERT_TRUE(sameTree(whole.tree, cut.tree));
        ASSERT_EQ(jsonOf(whole, bytes, whole.body), jsonOf(cut, sliced.chain, cut.body));
    }
}

TEST(MessageVectors, theLengthInFrontShiftsEverythingByFour) {
    DecodedMessage plain, framed;
    for (const Vector& vector : vectors()) {
        SCOPED_TRACE(vector.name);
        std::vector<std::uint8_t> frame(4);
        for (int i = 0; i < 4; ++i)
            frame[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(vector.frame.size() >> (24 - 8 * i));
        frame.insert(frame.end(), vector.frame.begin(), vector.frame.end());
        MessageContext context = vector.context;
        context.framed = true;
        const ByteChain bytes = ByteChain::of(frame);
        decodeMessage(Protocol::builtin(), ByteChain::of(vector.frame), vector.context, plain);
        decodeMessage(Protocol::builtin(), bytes, context, framed);
        ASSERT_TRUE(framed.problems.empty());
        ASSERT_EQ(framed.tree.nodes.size(), plain.tree.nodes.size() + 1);
        ASSERT_EQ(framed.tree.nodes[framed.body].offset, plain.tree.nodes[plain.body].offset + 4);
        ASSERT_EQ(brokenLaw(framed.tree, 0, bytes.size()), "");
    }
}

// Every prefix of a frame is what a capture may have of it: it gives a subset, says that bytes are missing, and keeps
// the law.
TEST(MessageVectors, everyPrefixGivesASubsetAndSaysThatTheRestIsMissing) {
    DecodedMessage whole, cut;
    std::size_t prefixes = 0;
    for (const Vector& vector : vectors()) {
        if (vector.frame.size() > 600 || vector.context.apiVersion % 3 != 0) continue; // a third is enough
        SCOPED_TRACE(vector.name);
        std::vector<std::uint8_t> frame(4);
        for (int i = 0; i < 4; ++i)
            frame[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(vector.frame.size() >> (24 - 8 * i));
        frame.insert(frame.end(), vector.frame.begin(), vector.frame.end());
        MessageContext context = vector.context;
        context.framed = true;
        decodeMessage(Protocol::builtin(), ByteChain::of(frame), context, whole);
        for (std::uint32_t size = 0; size < frame.size(); ++size, ++prefixes) {
            const ByteChain bytes = ByteChain::of(Bytes{frame}.first(size));
            decodeMessage(Protocol::builtin(), bytes, context, cut);
            ASSERT_EQ(brokenLaw(cut.tree, 0, size), "") << size;
            ASSERT_TRUE(cut.tree.nodes[0].damaged || size == frame.size()) << size;
            ASSERT_EQ(cut.problems.size(), 1u) << size;
            ASSERT_EQ(cut.problems[0].kind, ProblemKind::Truncated) << size << cut.problems[0].text;
            // What is not damaged stands in the whole tree as well.
            for (NodeIndex node = 0; node < cut.tree.nodes.size(); ++node) {
                const FieldNode& mine = cut.tree.nodes[node];
                if (mine.damaged || mine.kind == NodeKind::Raw) continue;
                ASSERT_LT(node, whole.tree.nodes.size());
                const FieldNode& theirs = whole.tree.nodes[node];
                ASSERT_EQ(std::tuple(mine.offset, mine.length, mine.field ? mine.field->schema : nullptr, mine.index,
                                     mine.kind),
                          std::tuple(theirs.offset, theirs.length, theirs.field ? theirs.field->schema : nullptr,
                                     theirs.index, theirs.kind))
                    << size;
            }
        }
    }
    EXPECT_GT(prefixes, 50000u);
}

TEST(MessageVectors, areWholeAndPlausibleToTheQuickChecks) {
    Skim skim;
    for (const Vector& vector : vectors()) {
        SCOPED_TRACE(vector.name);
        const ByteChain bytes = ByteChain::of(vector.frame);
        skimMessage(Protocol::builtin(), bytes, vector.context, skim);
        ASSERT_TRUE(skim.whole);
        ASSERT_TRUE(skim.problems.empty());
        const Plan& plan =
            *Protocol::builtin().plan(vector.context.apiKey, vector.context.apiVersion, vector.context.direction);
        ASSERT_TRUE(consumesExactly(plan, bytes, vector.bodyOffset, bytes.size()));
        ASSERT_FALSE(consumesExactly(plan, bytes, vector.bodyOffset, bytes.size() + 1));
        if (bytes.size() > vector.bodyOffset) {
            ASSERT_FALSE(consumesExactly(plan, bytes, vector.bodyOffset, bytes.size() - 1));
        }
    }
}

} // namespace
} // namespace brokerscope
