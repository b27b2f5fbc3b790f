// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/message_view.h"

#include <algorithm>

namespace brokerscope {

NodeIndex StructView::find(std::string_view name) const {
    return m_node == noNode ? noNode : m_message->tree.child(m_node, name);
}

std::optional<FieldValue> StructView::read(NodeIndex node, std::vector<std::uint8_t>& scratch) const {
    if (node == noNode) return std::nullopt;
    const FieldNode& field = m_message->tree.nodes[node];
    return field.isValue() ? readValue(*m_bytes, field, scratch) : std::nullopt;
}

bool StructView::has(std::string_view name) const {
    const NodeIndex node = find(name);
    return node != noNode && !m_message->tree.nodes[node].isNull;
}

std::optional<std::int64_t> StructView::number(std::string_view name) const {
    return child(name).value();
}

std::string StructView::text(std::string_view name) const {
    return child(name).text();
}

std::vector<std::uint8_t> StructView::bytes(std::string_view name) const {
    std::vector<std::uint8_t> scratch;
    const auto value = read(find(name), scratch);
    if (!value || value->kind != FieldValue::Kind::Bytes) return {};
    return {value->bytes.begin(), value->bytes.end()};
}

std::optional<std::array<std::uint8_t, 16>> StructView::uuid(std::string_view name) const {
    std::vector<std::uint8_t> scratch;
    const auto value = read(find(name), scratch);
    std::array<std::uint8_t, 16> id{};
    if (!value || value->kind != FieldValue::Kind::Uuid || value->bytes.size() != id.size()) return std::nullopt;
    std::ranges::copy(value->bytes, id.begin());
    if (id == std::array<std::uint8_t, 16>{}) return std::nullopt;
    return id;
}

StructView StructView::child(std::string_view name) const {
    const NodeIndex node = find(name);
    return node == noNode ? StructView() : StructView(*m_message, *m_bytes, node);
}

std::vector<StructView> StructView::each(std::string_view name) const {
    std::vector<StructView> elements;
    const NodeIndex array = find(name);
    if (array == noNode || !m_message->tree.nodes[array].isArray()) return elements;
    for (NodeIndex i = m_message->tree.firstChild(array); i != noNode; i = m_message->tree.nextSibling(i))
        elements.emplace_back(*m_message, *m_bytes, i);
    return elements;
}

std::optional<std::int64_t> StructView::value() const {
    std::vector<std::uint8_t> scratch;
    const auto read = this->read(m_node, scratch);
    using Kind = FieldValue::Kind;
    if (!read || (read->kind != Kind::Integer && read->kind != Kind::Bool)) return std::nullopt;
    return read->integer;
}

std::string StructView::text() const {
    std::vector<std::uint8_t> scratch;
    const auto read = this->read(m_node, scratch);
    if (!read || read->kind != FieldValue::Kind::Text) return {};
    return {read->bytes.begin(), read->bytes.end()};
}

} // namespace brokerscope
