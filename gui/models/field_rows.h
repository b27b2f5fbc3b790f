// SPDX-License-Identifier: Apache-2.0
// Which nodes of a field tree people see, and in which order: bodies and tag buffers without fields are passed over,
// lengths are shown only when asked for. The children of a row lie side by side, so a view finds the n-th at once.
// Memory: 20 bytes a visible node and 4 a node. Pure; built off the GUI thread for large messages.
#pragma once

#include "dissector/message/field_tree.h"

#include <cstdint>
#include <vector>

namespace brokerscope {

struct FieldRow {
    NodeIndex node = noNode;
    std::uint32_t parent = 0; // of the root: itself
    std::uint32_t firstChild = 0, childCount = 0;
    std::uint32_t place : 31 = 0;   // among its siblings
    std::uint32_t isLength : 1 = 0; // stands for the prefix of its node: length, count or tag
};

class FieldRows {
  public:
    FieldRows() = default;
    FieldRows(const FieldTree& tree, bool showLengths);

    const std::vector<FieldRow>& rows() const { return m_rows; } // the first is the root
    // The row of a node, or of the nearest node above that is shown.
    std::uint32_t rowOf(NodeIndex node) const;
    bool empty() const { return m_rows.empty(); }

  private:
    void addChildren(const FieldTree& tree, std::uint32_t row, bool showLengths);
    void collect(const FieldTree& tree, NodeIndex node, std::uint32_t parent, bool showLengths);

    std::vector<FieldRow> m_rows;
    std::vector<std::uint32_t> m_rowOfNode; // of hidden ones: that of the nearest shown above
};

} // namespace brokerscope
