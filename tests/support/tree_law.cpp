// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tree_law.h"

#include <fmt/format.h>

namespace brokerscope {

std::string brokenLaw(const FieldTree& tree, std::uint32_t begin, std::uint32_t end) {
    const auto& nodes = tree.nodes;
    if (nodes.empty()) return "there is no root";
    if (nodes[0].offset != begin || nodes[0].offset + nodes[0].length != end)
        return "the root does not cover the bytes";
    if (nodes[0].parent != noNode || nodes[0].end != nodes.size()) return "the root's links are wrong";
    std::vector<std::uint8_t> owners(end - begin, 0);
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
        const FieldNode& at = nodes[node];
        const auto fail = [&](std::string_view why) {
            return fmt::format("node {} ({}, kind {}, offset {}, length {}): {}", node, tree.path(node),
                               static_cast<int>(at.kind), at.offset, at.length, why);
        };
        if (at.prefix > at.length) return fail("the prefix is longer than the node");
        if (at.end <= node || at.end > nodes.size()) return fail("end is no place behind it");
        if (node > 0 && (at.parent >= node || nodes[at.parent].end < at.end))
            return fail("it is not inside its parent");
        std::uint32_t next = at.offset + at.prefix;
        const bool leaf = !tree.hasChildren(node);
        for (NodeIndex child = node + 1; child < at.end; child = nodes[child].end) {
            if (nodes[child].parent != node) return fail("a child names another parent");
            if (nodes[child].offset != next) return fail(fmt::format("child {} leaves a hole or overlaps", child));
            next += nodes[child].length;
        }
        if (!leaf && next != at.offset + at.length) return fail("the children do not reach its end");
        const std::uint32_t own = leaf ? at.length : at.prefix;
        if (at.offset < begin || at.offset + own > end) return fail("it reaches outside");
        for (std::uint32_t i = 0; i < own; ++i)
            if (owners[at.offset - begin + i]++) return fail(fmt::format("byte {} has two owners", at.offset + i));
    }
    for (std::uint32_t i = 0; i < owners.size(); ++i)
        if (!owners[i]) return fmt::format("byte {} has no owner", begin + i);
    return {};
}

} // namespace brokerscope
