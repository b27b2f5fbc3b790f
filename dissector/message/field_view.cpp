// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/field_view.h"

#include <algorithm>

namespace brokerscope {

FieldView FieldView::operator[](std::string_view jsonName) const {
    if (!*this) return {};
    return {*m_message, *m_bytes, m_message->tree.child(m_node, jsonName)};
}

std::vector<FieldView> FieldView::entries() const {
    std::vector<FieldView> result;
    if (!*this || !node().isArray()) return result;
    const FieldTree& tree = m_message->tree;
    for (NodeIndex at = tree.firstChild(m_node); at != noNode; at = tree.nextSibling(at))
        if (tree.nodes[at].kind == NodeKind::Element) result.emplace_back(*m_message, *m_bytes, at);
    return result;
}

std::optional<FieldValue> FieldView::value(std::vector<std::uint8_t>& scratch) const {
    if (!*this || !node().isValue()) return std::nullopt;
    return readValue(*m_bytes, node(), scratch);
}

std::optional<std::int64_t> FieldView::number() const {
    std::vector<std::uint8_t> scratch;
    const auto read = value(scratch);
    const bool isNumber = read && (read->kind == FieldValue::Kind::Integer || read->kind == FieldValue::Kind::Bool);
    return isNumber ? std::optional(read->integer) : std::nullopt;
}

std::string FieldView::text() const {
    std::vector<std::uint8_t> scratch;
    const auto read = value(scratch);
    if (!read || read->kind != FieldValue::Kind::Text) return {};
    return {read->bytes.begin(), read->bytes.end()};
}

std::optional<std::array<std::uint8_t, 16>> FieldView::uuid() const {
    std::vector<std::uint8_t> scratch;
    const auto read = value(scratch);
    std::array<std::uint8_t, 16> id{};
    if (!read || read->kind != FieldValue::Kind::Uuid || read->bytes.size() != id.size()) return std::nullopt;
    std::ranges::copy(read->bytes, id.begin());
    return id == std::array<std::uint8_t, 16>{} ? std::nullopt : std::optional(id);
}

std::vector<std::uint8_t> FieldView::content() const {
    std::vector<std::uint8_t> scratch;
    const auto read = value(scratch);
    if (!read || read->kind != FieldValue::Kind::Bytes) return {};
    return {read->bytes.begin(), read->bytes.end()};
}

} // namespace brokerscope
