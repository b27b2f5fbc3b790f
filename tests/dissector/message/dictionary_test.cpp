// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/dictionary.h"

#include "dissector/message/value_text.h"
#include "dissector/payloads/nested_message.h"
#include "tests/support/message_bytes.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

// An assignment of Streams, version 5: one topic in the dictionary under `defined`, one partition that names `used`.
class DictionaryTest : public testing::Test {
  protected:
    NodeIndex decode(int defined, int used) {
        m_bytes.i32(5).i32(11).i32(0).i32(0).i32(1).i32(defined).string("orders");
        m_bytes.i32(1).string("host").i32(80).i32(1).i32(used).i32(3).i32(0);
        m_chain = m_bytes.chain();
        decodeNested(Protocol::builtin(), *Protocol::builtin().nested("AssignmentInfo"), m_chain, m_nested);
        EXPECT_TRUE(m_nested.message.problems.empty());
        for (NodeIndex i = 0; i < tree().nodes.size(); ++i)
            if (tree().nodes[i].field && tree().nodes[i].field->semantic == Semantic::Index) return i;
        return noNode;
    }
    const FieldTree& tree() const { return m_nested.message.tree; }
    std::string text(NodeIndex node) const {
        return valueText(Protocol::builtin(), m_nested.message, m_chain, node, {}).text;
    }

    MessageBytes m_bytes;
    ByteChain m_chain;
    NestedMessage m_nested;
};

TEST_F(DictionaryTest, anIndexHasTheTextOfItsEntry) {
    const NodeIndex index = decode(7, 7);
    const NodeIndex entry = DictionaryReader(tree(), m_chain).entry(index);
    ASSERT_NE(entry, noNode);
    EXPECT_EQ(text(entry), "\"orders\"");
    EXPECT_EQ(text(index), "7 → \"orders\"");
}

TEST_F(DictionaryTest, anIndexOfNothingStaysANumber) {
    const NodeIndex index = decode(7, 8);
    EXPECT_EQ(DictionaryReader(tree(), m_chain).entry(index), noNode);
    EXPECT_EQ(text(index), "8");
}

} // namespace
} // namespace brokerscope
