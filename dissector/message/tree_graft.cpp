// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/tree_graft.h"

#include "dissector/message/tree_builder.h"

#include <algorithm>
#include <utility>

namespace brokerscope {
namespace {

class Grafter {
  public:
    explicit Grafter(DecodedMessage& outer) : m_outer(outer) {}

    void run(std::vector<Graft>& grafts) {
        std::vector<FieldNode> old = std::move(m_outer.tree.nodes);
        const std::vector<OpenedPayload> opened = std::move(m_outer.opened);
        m_nodes.reserve(old.size());
        m_moved.reserve(old.size() + 1);
        auto next = grafts.begin();
        for (NodeIndex i = 0; i < old.size(); ++i) {
            m_moved.push_back(size());
            m_nodes.push_back(old[i]);
            if (next == grafts.end() || next->at != i) continue;
            add(*next++);
        }
        m_moved.push_back(size());
        rewire(old);
        for (const OpenedPayload& payload : opened)
            m_opened.push_back({m_moved[payload.node], payload.type, payload.version});
        std::ranges::sort(m_opened, {}, &OpenedPayload::node);
        m_outer.tree.nodes = std::move(m_nodes);
        m_outer.opened = std::move(m_opened);
        for (NodeIndex* part : {&m_outer.header, &m_outer.body})
            if (*part != noNode) *part = m_moved[*part];
    }

  private:
    NodeIndex size() const { return static_cast<NodeIndex>(m_nodes.size()); }

    void add(Graft& graft) {
        const NodeIndex leaf = size() - 1;
        const std::uint32_t shift = m_nodes[leaf].contentOffset();
        if (m_nodes.size() + graft.inner.tree.nodes.size() > TreeBuilder::maxNodes) {
            m_outer.problems.push_back({ProblemKind::Limit, {}, shift, "more fields than are kept of one message"});
            return;
        }
        const auto& inner = graft.inner.tree.nodes;
        // Where the nodes of the inner tree go; those that go nowhere stand for the leaf.
        std::vector<NodeIndex> places(inner.size() + 1, leaf);
        for (NodeIndex i = 1; i < inner.size(); ++i) {
            if (i == graft.inner.body && graft.inner.header == noNode) continue;
            places[i] = size();
            m_nodes.push_back(inner[i]);
            m_nodes.back().offset += shift;
            m_nodes.back().parent = places[inner[i].parent];
        }
        places[inner.size()] = size();
        for (NodeIndex i = 1; i < inner.size(); ++i)
            if (places[i] != leaf) m_nodes[places[i]].end = behind(places, inner[i].end, leaf);
        graft.payload.node = leaf;
        m_opened.push_back(std::move(graft.payload));
        for (OpenedPayload& payload : graft.inner.opened)
            m_opened.push_back({places[payload.node], std::move(payload.type), payload.version});
        for (Problem& problem : graft.inner.problems) {
            problem.offset += shift;
            m_outer.problems.push_back(std::move(problem));
        }
    }

    // The place of the first node from `index` on that has one of its own.
    static NodeIndex behind(const std::vector<NodeIndex>& places, NodeIndex index, NodeIndex leaf) {
        while (places[index] == leaf)
            ++index;
        return places[index];
    }

    // Parents and ends of the outer nodes; those of grafted ones are right already.
    void rewire(const std::vector<FieldNode>& old) {
        for (NodeIndex i = 0; i < old.size(); ++i) {
            FieldNode& node = m_nodes[m_moved[i]];
            if (node.parent != noNode) node.parent = m_moved[old[i].parent];
            node.end = m_moved[old[i].end];
        }
    }

    DecodedMessage& m_outer;
    std::vector<FieldNode> m_nodes;
    std::vector<NodeIndex> m_moved; // where the outer nodes are now
    std::vector<OpenedPayload> m_opened;
};

} // namespace

void graft(DecodedMessage& outer, std::vector<Graft>& grafts) {
    if (!grafts.empty()) Grafter(outer).run(grafts);
}

} // namespace brokerscope
