// SPDX-License-Identifier: Apache-2.0
// The visitor that makes the field tree of a message while a PlanWalker reads it.
// Memory: the tree of the DecodedMessage it was given, at most maxNodes.
#pragma once

#include "dissector/message/decoder.h"
#include "dissector/message/plan_walker.h"

#include <string>
#include <string_view>

namespace brokerscope {

class TreeBuilder {
  public:
    static constexpr bool skims = false;
    static constexpr bool explains = true;
    static constexpr std::size_t maxNodes = 4'000'000;

    explicit TreeBuilder(DecodedMessage& out) : m_nodes(out.tree.nodes), m_problems(out.problems), m_tree(out.tree) {}

    // Nodes that belong to no plan: message, header, body, raw bytes.
    NodeIndex openPart(NodeKind kind, std::uint32_t begin, const PlanField* field) {
        push(field, {begin, kind, 0}, begin, begin);
        return m_parent = last();
    }
    void leafPart(NodeKind kind, std::uint32_t begin, std::uint32_t end, const PlanField* field, bool whole) {
        push(field, {begin, kind, 0}, begin, end);
        m_nodes.back().damaged = !whole;
    }
    void partProblem(ProblemKind kind, std::uint32_t offset, std::string text) {
        m_problems.push_back({kind, m_rootPath, offset, std::move(text)});
    }
    void setRootPath(std::string_view path) { m_rootPath = path; }
    void setQuiet(bool quiet) { m_quiet = quiet; } // contradictions of an assumed layout are no news
    bool contradicted() const { return m_contradicted; }

    void fixed(const PlanField& field, Place place, const std::uint8_t*, std::uint32_t end) {
        push(&field, place, end - field.fixedSize, end);
    }
    void text(const PlanField& field, Place place, std::uint32_t content, std::uint32_t length) {
        push(&field, place, content, content + length);
        if (place.kind == NodeKind::Field) m_nodes.back().index = length;
    }
    void null(const PlanField& field, Place place, std::uint32_t end) {
        push(&field, place, end, end);
        m_nodes.back().isNull = true;
    }
    void damaged(const PlanField& field, Place place, std::uint32_t content, std::uint32_t end,
                 std::uint32_t announced) {
        push(&field, place, content, end);
        m_nodes.back().damaged = true;
        if (place.kind == NodeKind::Field) m_nodes.back().index = announced;
        for (NodeIndex node = m_parent; node != noNode && !m_nodes[node].damaged; node = m_nodes[node].parent)
            m_nodes[node].damaged = true;
    }
    void open(const PlanField& field, Place place, std::uint32_t content, std::uint32_t count) {
        push(&field, place, content, content);
        if (place.kind == NodeKind::Field) m_nodes.back().index = count;
        m_parent = last();
    }
    void openTags(std::uint32_t begin, std::uint32_t content) {
        push(nullptr, {begin, NodeKind::TagBuffer, 0}, content, content);
        m_parent = last();
    }
    void emptyTags(std::uint32_t begin, std::uint32_t end) { push(nullptr, {begin, NodeKind::TagBuffer, 0}, end, end); }
    void close(std::uint32_t end, bool whole) {
        FieldNode& node = m_nodes[m_parent];
        node.length = end - node.offset;
        node.end = static_cast<NodeIndex>(m_nodes.size());
        if (!whole) node.damaged = true;
        m_parent = node.parent;
    }
    void unknownTag(std::uint32_t tag, std::uint32_t begin, std::uint32_t content, std::uint32_t end, bool whole) {
        push(nullptr, {begin, NodeKind::UnknownTag, tag}, content, end);
        if (!whole) m_nodes.back().damaged = true;
    }
    void rest(std::uint32_t begin, std::uint32_t end) { push(nullptr, {begin, NodeKind::Raw, 0}, begin, end); }
    static constexpr bool countsOnly(const PlanField&) { return false; }
    bool full() const { return m_nodes.size() >= maxNodes; }
    void problem(ProblemKind kind, const PlanField* field, Place place, std::uint32_t offset, std::string text);

  private:
    void push(const PlanField* field, Place place, std::uint32_t content, std::uint32_t end) {
        FieldNode& node = m_nodes.emplace_back();
        node.offset = place.begin;
        node.length = end - place.begin;
        node.end = static_cast<NodeIndex>(m_nodes.size());
        node.parent = m_parent;
        node.field = field;
        node.index = place.index;
        node.kind = place.kind;
        node.prefix = static_cast<std::uint8_t>(content - place.begin);
    }
    NodeIndex last() const { return static_cast<NodeIndex>(m_nodes.size() - 1); }

    std::vector<FieldNode>& m_nodes;
    std::vector<Problem>& m_problems;
    const FieldTree& m_tree;
    NodeIndex m_parent = noNode;
    std::string m_rootPath;
    bool m_quiet = false;
    bool m_contradicted = false;
};

} // namespace brokerscope
