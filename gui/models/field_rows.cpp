// SPDX-License-Identifier: Apache-2.0
#include "gui/models/field_rows.h"

namespace brokerscope {

namespace {

// Their children are shown in their place.
bool passedOver(const FieldTree& tree, NodeIndex node, bool showLengths) {
    const FieldNode& its = tree.nodes[node];
    return its.kind == NodeKind::Body || (its.kind == NodeKind::TagBuffer && !showLengths && !tree.hasChildren(node));
}

bool hidden(const FieldTree& tree, NodeIndex node, bool showLengths) {
    const FieldNode& its = tree.nodes[node];
    if (showLengths) return false;
    return its.kind == NodeKind::FrameLength || (its.kind == NodeKind::TagBuffer && !tree.hasChildren(node));
}

} // namespace

FieldRows::FieldRows(const FieldTree& tree, bool showLengths) {
    if (tree.nodes.empty()) return;
    m_rows.reserve(tree.nodes.size());
    m_rowOfNode.assign(tree.nodes.size(), 0);
    FieldRow root;
    root.node = 0;
    m_rows.push_back(root);
    for (std::uint32_t row = 0; row < m_rows.size(); ++row) // grows while it runs: breadth first
        if (!m_rows[row].isLength) addChildren(tree, row, showLengths);
}

void FieldRows::addChildren(const FieldTree& tree, std::uint32_t row, bool showLengths) {
    const NodeIndex node = m_rows[row].node;
    m_rows[row].firstChild = static_cast<std::uint32_t>(m_rows.size());
    if (showLengths && tree.nodes[node].prefix > 0 && tree.nodes[node].length > 0) {
        FieldRow length;
        length.node = node;
        length.parent = row;
        length.isLength = 1;
        m_rows.push_back(length);
    }
    collect(tree, node, row, showLengths);
    m_rows[row].childCount = static_cast<std::uint32_t>(m_rows.size()) - m_rows[row].firstChild;
}

void FieldRows::collect(const FieldTree& tree, NodeIndex node, std::uint32_t parent, bool showLengths) {
    for (NodeIndex child = tree.firstChild(node); child != noNode; child = tree.nextSibling(child)) {
        m_rowOfNode[child] = parent;
        if (hidden(tree, child, showLengths)) continue;
        if (passedOver(tree, child, showLengths)) {
            collect(tree, child, parent, showLengths);
            continue;
        }
        FieldRow row;
        row.node = child;
        row.parent = parent;
        row.place = static_cast<std::uint32_t>(m_rows.size()) - m_rows[parent].firstChild;
        m_rowOfNode[child] = static_cast<std::uint32_t>(m_rows.size());
        m_rows.push_back(row);
    }
}

std::uint32_t FieldRows::rowOf(NodeIndex node) const {
    return node < m_rowOfNode.size() ? m_rowOfNode[node] : 0;
}

} // namespace brokerscope
