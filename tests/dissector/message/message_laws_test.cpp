// SPDX-License-Identifier: Apache-2.0
// Laws that hold for any input: random bytes, real messages with changed bytes, real messages with holes.
#include "dissector/message/decoder.h"
#include "dissector/message/message_json.h"
#include "dissector/message/skim.h"
#include "dissector/message/value_text.h"
#include "tests/support/message_bytes.h"
#include "tests/support/tree_law.h"
#include "tests/support/vectors.h"

#include <gtest/gtest.h>

#include <random>

namespace brokerscope {
namespace {

struct Sample {
    std::vector<std::uint8_t> frame;
    MessageContext context;
};

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        std::vector<Sample> made;
        for (const rapidjson::Document& line : readVectors("messages.jsonl")) {
            Sample sample{bytesOfHex(line["frame"].GetString()), {}};
            if (sample.frame.size() > 2000) continue;
            const bool request = std::string_view(line["dir"].GetString()) == "request";
            sample.context.direction = request ? Direction::Request : Direction::Response;
            sample.context.apiKey = static_cast<std::int16_t>(line["api"].GetInt());
            sample.context.apiVersion = static_cast<std::int16_t>(line["version"].GetInt());
            sample.context.framed = false;
            made.push_back(std::move(sample));
        }
        return made;
    }();
    return all;
}

// Everything that looks at a message, with the laws at the end. Returns the JSON of the body.
std::string examine(const ByteChain& bytes, const MessageContext& context) {
    DecodedMessage message;
    decodeMessage(Protocol::builtin(), bytes, context, message);
    EXPECT_EQ(brokenLaw(message.tree, 0, bytes.size()), "");
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    if (message.body != noNode) {
        writeJson(Protocol::builtin(), message, bytes, message.body, {}, writer);
        rapidjson::Document check;
        check.Parse<rapidjson::kParseValidateEncodingFlag>(buffer.GetString(), buffer.GetSize());
        EXPECT_FALSE(check.HasParseError());
    }
    unknownTags(message, bytes, "header", "body");
    for (NodeIndex node = 0; node < message.tree.nodes.size(); ++node) {
        valueText(Protocol::builtin(), message, bytes, node, {});
        EXPECT_NE(labelText(message, node), "");
    }
    Skim skim;
    skimMessage(Protocol::builtin(), bytes, context, skim);
    const bool good = message.problems.empty() && message.body != noNode;
    EXPECT_EQ(skim.problems.size(), message.problems.size());
    EXPECT_TRUE(skim.whole || !good);
    for (std::size_t i = 0; i < std::min(skim.problems.size(), message.problems.size()); ++i) {
        EXPECT_EQ(skim.problems[i].kind, message.problems[i].kind);
        EXPECT_EQ(skim.problems[i].at, message.problems[i].at);
        EXPECT_EQ(skim.problems[i].offset, message.problems[i].offset);
    }
    return buffer.GetString();
}

TEST(MessageLaws, anyBytesDecodeToATreeThatCoversThem) {
    std::mt19937 random(1);
    for (int round = 0; round < 6'000 && !testing::Test::HasFailure(); ++round) {
        std::vector<std::uint8_t> bytes(random() % 200);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random() % (round % 2 ? 256 : 6)); // small numbers go deeper
        MessageContext context;
        context.direction = random() % 2 ? Direction::Request : Direction::Response;
        context.apiKey = static_cast<std::int16_t>(random() % 97);
        context.apiVersion = static_cast<std::int16_t>(random() % 8);
        context.framed = random() % 2;
        context.token = random() % 20 == 0;
        if (context.direction == Direction::Request && !context.framed && bytes.size() > 4) {
            bytes[0] = bytes[2] = 0; // else most are unknown APIs
            bytes[1] = static_cast<std::uint8_t>(random() % 97);
            bytes[3] = static_cast<std::uint8_t>(random() % 20);
        }
        examine(ByteChain::of(bytes), context);
    }
}

TEST(MessageLaws, changedBytesOfRealMessagesKeepTheLaws) {
    std::mt19937 random(2);
    for (int round = 0; round < 4'000 && !testing::Test::HasFailure(); ++round) {
        const Sample& sample = samples()[random() % samples().size()];
        std::vector<std::uint8_t> bytes = sample.frame;
        for (unsigned change = 1 + random() % 3; change > 0; --change)
            bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random() % 3 ? random() : 0xff);
        examine(ByteChain::of(bytes), sample.context);
    }
}

// What a hole takes away is missing; nothing that was not there before is there now.
TEST(MessageLaws, holesTakeAwayAndNeverAdd) {
    std::mt19937 random(3);
    DecodedMessage whole, holed;
    for (int round = 0; round < 4'000 && !testing::Test::HasFailure(); ++round) {
        const Sample& sample = samples()[random() % samples().size()];
        const auto size = static_cast<std::uint32_t>(sample.frame.size());
        const std::uint32_t begin = 4 + random() % (size - 3);
        if (begin >= size) continue;
        const std::uint32_t length = 1 + random() % std::min<std::uint32_t>(size - begin, 30);
        const ByteChain bytes = withHole(sample.frame, begin, length, random() % 2 ? Hole::Lost : Hole::Cut);
        examine(bytes, sample.context);
        decodeMessage(Protocol::builtin(), ByteChain::of(sample.frame), sample.context, whole);
        decodeMessage(Protocol::builtin(), bytes, sample.context, holed);
        EXPECT_EQ(holed.problems.size(), 1u)
            << sample.context.apiKey << " v" << sample.context.apiVersion << " hole at " << begin << " of " << length
            << " in " << size << ": " << holed.problems.front().at << ": " << holed.problems.back().at << " "
            << holed.problems.back().text;
        for (NodeIndex node = 0; node < holed.tree.nodes.size(); ++node) {
            const FieldNode& mine = holed.tree.nodes[node];
            if (mine.kind == NodeKind::Raw || mine.damaged) continue;
            const NodeIndex same = whole.tree.nodeAt(mine.offset);
            if (mine.length == 0) continue;
            ASSERT_NE(same, noNode);
            bool found = false;
            for (NodeIndex up = same; up != noNode && !found; up = whole.tree.nodes[up].parent)
                found = whole.tree.nodes[up].offset == mine.offset && whole.tree.nodes[up].length == mine.length;
            EXPECT_TRUE(found) << holed.tree.path(node);
        }
    }
}

} // namespace
} // namespace brokerscope
