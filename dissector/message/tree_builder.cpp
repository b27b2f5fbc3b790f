// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/tree_builder.h"

namespace brokerscope {

void TreeBuilder::problem(ProblemKind kind, const PlanField* field, Place place, std::uint32_t offset,
                          std::string text) {
    if (kind == ProblemKind::Malformed) {
        m_contradicted = true;
        if (m_quiet) return;
    }
    std::string at = m_rootPath;
    const auto step = [&](const std::string& name) {
        if (name.empty()) return;
        if (!at.empty() && name.front() != '[') at += '.';
        at += name;
    };
    if (m_parent != noNode) step(m_tree.path(m_parent));
    if (place.kind == NodeKind::Element)
        step(fmt::format("[{}]", place.index));
    else if (field)
        step(field->schema->jsonName);
    m_problems.push_back({kind, std::move(at), offset, std::move(text)});
}

} // namespace brokerscope
