// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/field_tree.h"

#include "dissector/message/decoder.h"
#include "tests/support/message_bytes.h"

#include <gtest/gtest.h>

#include <array>

namespace brokerscope {
namespace {

// Fetch 15 with one topic of one partition, the cluster id among the tags, and a tag that nobody knows.
class FieldTreeOfAFetch : public testing::Test {
  protected:
    FieldTreeOfAFetch() {
        m_bytes.request(1, 15, 8, "c", true).i32(500).i32(7).i32(1024).i8(1).i32(0).i32(-1).uvarint(2);
        m_bytes.i64(1).i64(2).uvarint(2).i32(5).i32(4).i64(1042).i32(-1).i64(-1).i32(9).uvarint(0).uvarint(0);
        m_bytes.uvarint(1).compact("").uvarint(2).uvarint(0).uvarint(3).compact("ab").uvarint(9).uvarint(1).i8(7);
        MessageContext context;
        context.framed = false;
        m_chain = m_bytes.chain();
        decodeMessage(Protocol::builtin(), m_chain, context, m_message);
        EXPECT_TRUE(m_message.problems.empty());
    }

    const FieldTree& tree() const { return m_message.tree; }
    NodeIndex partition() const {
        const NodeIndex topics = tree().child(m_message.body, "topics");
        const NodeIndex partitions = tree().child(tree().firstChild(topics), "partitions");
        return tree().firstChild(partitions);
    }

    MessageBytes m_bytes;
    ByteChain m_chain;
    DecodedMessage m_message;
};

TEST_F(FieldTreeOfAFetch, childrenAreFoundByNameAlsoAmongTheTags) {
    EXPECT_NE(tree().child(m_message.body, "maxWaitMs"), noNode);
    const NodeIndex clusterId = tree().child(m_message.body, "clusterId");
    ASSERT_NE(clusterId, noNode);
    EXPECT_EQ(tree().nodes[tree().nodes[clusterId].parent].kind, NodeKind::TagBuffer);
    EXPECT_EQ(tree().child(m_message.body, "fetchOffset"), noNode) << "only direct children";
}

TEST_F(FieldTreeOfAFetch, pathsReadAsInJson) {
    EXPECT_EQ(tree().path(m_message.body), "");
    EXPECT_EQ(tree().path(partition()), "topics[0].partitions[0]");
    EXPECT_EQ(tree().path(tree().child(partition(), "fetchOffset")), "topics[0].partitions[0].fetchOffset");
    EXPECT_EQ(tree().path(tree().child(m_message.body, "clusterId")), "clusterId");
    EXPECT_EQ(tree().path(static_cast<NodeIndex>(tree().nodes.size() - 1)), "tag 9");
}

TEST_F(FieldTreeOfAFetch, everyByteLeadsToTheNodeThatOwnsIt) {
    const NodeIndex offset = tree().child(partition(), "fetchOffset");
    for (std::uint32_t i = 0; i < 8; ++i)
        EXPECT_EQ(tree().nodeAt(tree().nodes[offset].offset + i), offset);
    const NodeIndex topics = tree().child(m_message.body, "topics");
    EXPECT_EQ(tree().nodeAt(tree().nodes[topics].offset), topics) << "its count is its own byte";
    EXPECT_EQ(tree().nodeAt(m_chain.size() - 1), static_cast<NodeIndex>(tree().nodes.size() - 1));
    EXPECT_EQ(tree().nodeAt(m_chain.size()), noNode);
    EXPECT_EQ(FieldTree().nodeAt(0), noNode);
}

TEST_F(FieldTreeOfAFetch, siblingsEndWithTheirParent) {
    std::size_t count = 0;
    for (NodeIndex node = tree().firstChild(m_message.body); node != noNode; node = tree().nextSibling(node))
        ++count;
    EXPECT_EQ(count, 10u) << "nine fields and the tag buffer";
    EXPECT_EQ(tree().nextSibling(0), noNode);
    EXPECT_EQ(tree().find(NodeKind::Body), m_message.body);
    EXPECT_EQ(tree().find(NodeKind::Trailing), noNode);
}

TEST_F(FieldTreeOfAFetch, valuesAreReadFromTheBytes) {
    std::vector<std::uint8_t> scratch;
    const auto integer = [&](NodeIndex node) { return readValue(m_chain, tree().nodes[node], scratch)->integer; };
    EXPECT_EQ(integer(tree().child(partition(), "fetchOffset")), 1042);
    EXPECT_EQ(integer(tree().child(partition(), "lastFetchedEpoch")), -1);
    EXPECT_EQ(integer(tree().child(m_message.body, "isolationLevel")), 1);
    const auto text = readValue(m_chain, tree().nodes[tree().child(m_message.body, "clusterId")], scratch);
    EXPECT_EQ(text->kind, FieldValue::Kind::Text);
    EXPECT_EQ(std::string(text->bytes.begin(), text->bytes.end()), "ab");
    const auto tag = readValue(m_chain, tree().nodes.back(), scratch);
    EXPECT_EQ(tag->kind, FieldValue::Kind::Bytes);
    EXPECT_EQ(tag->bytes.size(), 1u);
    EXPECT_FALSE(readValue(m_chain, tree().nodes[m_message.body], scratch)) << "a struct has no value";
    EXPECT_FALSE(readValue(m_chain, tree().nodes[tree().child(m_message.body, "topics")], scratch));
    ChainReader reader(m_chain);
    EXPECT_EQ(readValue(reader, tree().nodes[tree().child(partition(), "fetchOffset")])->integer, 1042);
}

TEST(UuidText, isKafkas) {
    std::array<std::uint8_t, 16> id{};
    EXPECT_EQ(uuidText(id), "AAAAAAAAAAAAAAAAAAAAAA");
    id[15] = 1;
    EXPECT_EQ(uuidText(id), "AAAAAAAAAAAAAAAAAAAAAQ");
    for (std::size_t i = 0; i < 16; ++i)
        id[i] = static_cast<std::uint8_t>(0x10 + i);
    EXPECT_EQ(uuidText(id), "EBESExQVFhcYGRobHB0eHw");
}

} // namespace
} // namespace brokerscope
