// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/tree_graft.h"

#include "dissector/payloads/nested_message.h"
#include "dissector/payloads/payload_opener.h"
#include "tests/support/message_bytes.h"
#include "tests/support/tree_law.h"
#include "tests/support/vectors.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

const Protocol& protocol() {
    return Protocol::builtin();
}

// A SyncGroup response of version 0: error, then the assignment as bytes.
struct Outer {
    MessageBytes bytes;
    ByteChain chain;
    DecodedMessage message;
    NodeIndex leaf = noNode;

    explicit Outer(std::string_view assignment) {
        bytes.i32(1).i16(0).i32(static_cast<std::int64_t>(assignment.size())).raw(assignment);
        chain = bytes.chain();
        MessageContext context{.direction = Direction::Response, .apiKey = 14, .framed = false};
        decodeMessage(protocol(), chain, context, message);
        leaf = message.tree.child(message.body, "assignment");
    }
};

constexpr std::string_view assignmentBytes("\0\0\0\0\0\0\xff\xff\xff\xff", 10); // version 0, no partitions, null

TEST(TreeGraft, whatTheLeafCoveredBelongsToTheInnerTree) {
    Outer outer(assignmentBytes);
    std::vector<Graft> grafts(1);
    NestedMessage nested;
    const ByteChain content = outer.chain.part(10, 10);
    decodeNested(protocol(), *protocol().nested("ConsumerProtocolAssignment"), content, nested);
    grafts[0] = {outer.leaf, std::move(nested.message), {noNode, "ConsumerProtocolAssignment", std::int16_t{0}}};
    graft(outer.message, grafts);
    const FieldTree& tree = outer.message.tree;
    EXPECT_EQ(brokenLaw(tree, 0, outer.chain.size()), "");
    const NodeIndex version = tree.firstChild(outer.leaf);
    EXPECT_EQ(tree.nodes[version].kind, NodeKind::Lead);
    EXPECT_EQ(tree.nodes[version].offset, 10u);
    const NodeIndex partitions = tree.nextSibling(version);
    EXPECT_EQ(tree.path(partitions), "assignment.assignedPartitions");
    EXPECT_EQ(tree.nodes[partitions].offset, 12u);
    ASSERT_NE(outer.message.openedAt(outer.leaf), nullptr);
    EXPECT_EQ(outer.message.openedAt(outer.leaf)->type, "ConsumerProtocolAssignment");
    EXPECT_EQ(outer.message.openedAt(version), nullptr);
}

TEST(TreeGraft, problemsOfTheInnerTreeCountInTheOuterBytes) {
    Outer outer(std::string_view("\0\0\0\0\0\7", 6)); // seven partitions in no bytes
    PayloadOpener(protocol()).open(outer.chain, "response", {.protocolType = "consumer"}, outer.message);
    EXPECT_EQ(brokenLaw(outer.message.tree, 0, outer.chain.size()), "");
    ASSERT_EQ(outer.message.problems.size(), 1u);
    EXPECT_EQ(outer.message.problems.front().offset, 12u);
    EXPECT_EQ(outer.message.problems.front().at, "response.assignment.assignedPartitions");
}

TEST(TreeGraft, nothingToGraftChangesNothing) {
    Outer outer("opaque");
    const std::size_t before = outer.message.tree.nodes.size();
    std::vector<Graft> none;
    graft(outer.message, none);
    EXPECT_EQ(outer.message.tree.nodes.size(), before);
    EXPECT_TRUE(outer.message.opened.empty());
}

// Every message of the vectors, whose bytes fields hold anything.
TEST(TreeGraft, theLawHoldsWhateverOpens) {
    std::size_t opened = 0;
    for (const rapidjson::Document& line : readVectors("messages.jsonl")) {
        const auto frame = bytesOfHex(line["frame"].GetString());
        const ByteChain bytes = ByteChain::of(frame);
        const bool request = std::string_view(line["dir"].GetString()) == "request";
        MessageContext context;
        context.direction = request ? Direction::Request : Direction::Response;
        context.apiKey = static_cast<std::int16_t>(line["api"].GetInt());
        context.apiVersion = static_cast<std::int16_t>(line["version"].GetInt());
        context.framed = false;
        DecodedMessage message;
        decodeMessage(protocol(), bytes, context, message);
        PayloadOpener(protocol()).open(bytes, "", {.protocolType = "consumer", .protocolName = "sticky"}, message);
        ASSERT_EQ(brokenLaw(message.tree, 0, bytes.size()), "") << textOf(line).substr(0, 200);
        opened += message.opened.size();
    }
    EXPECT_GT(opened, 100u);
}

} // namespace
} // namespace brokerscope
