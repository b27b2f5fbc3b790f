// SPDX-License-Identifier: Apache-2.0
// Fields that stand for an entry of a dictionary further up in the message (`~index:topics`): which entry it is.
// Memory: an index of each dictionary that was asked for. Threads: one.
#pragma once

#include "dissector/message/field_tree.h"

#include <cstdint>
#include <map>
#include <unordered_map>

namespace brokerscope {

class DictionaryReader {
  public:
    DictionaryReader(const FieldTree& tree, const ByteChain& bytes) : m_tree(tree), m_bytes(bytes) {}

    // The text of the entry that an Index field names; noNode when there is none.
    NodeIndex entry(NodeIndex node);

  private:
    NodeIndex dictionaryOf(NodeIndex node) const;
    void read(NodeIndex dictionary);

    const FieldTree& m_tree;
    const ByteChain& m_bytes;
    std::map<NodeIndex, std::unordered_map<std::int64_t, NodeIndex>> m_entries;
};

} // namespace brokerscope
