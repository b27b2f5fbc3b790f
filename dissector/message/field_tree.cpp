// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/field_tree.h"

#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <bit>

namespace brokerscope {

namespace {

// Tag buffers are no step of a path.
NodeIndex namedParent(const FieldTree& tree, NodeIndex node) {
    NodeIndex parent = tree.nodes[node].parent;
    while (parent != noNode && tree.nodes[parent].kind == NodeKind::TagBuffer)
        parent = tree.nodes[parent].parent;
    return parent;
}

std::uint64_t bigEndian(Bytes bytes) {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : bytes)
        value = value << 8 | byte;
    return value;
}

FieldValue numberOf(FieldType type, std::uint64_t raw) {
    FieldValue value;
    value.kind = FieldValue::Kind::Integer;
    switch (type) {
    case FieldType::Bool:
        value.kind = FieldValue::Kind::Bool;
        value.integer = raw != 0;
        break;
    case FieldType::Int8:
        value.integer = static_cast<std::int8_t>(raw);
        break;
    case FieldType::Int16:
        value.integer = static_cast<std::int16_t>(raw);
        break;
    case FieldType::Int32:
        value.integer = static_cast<std::int32_t>(raw);
        break;
    case FieldType::Float64:
        value.kind = FieldValue::Kind::Float;
        value.real = std::bit_cast<double>(raw);
        break;
    default:
        value.integer = static_cast<std::int64_t>(raw);
        break;
    }
    return value;
}

std::optional<FieldValue> readVarint(const ByteChain& bytes, const FieldNode& node) {
    Cursor cursor(bytes, node.contentOffset(), node.contentOffset() + node.contentLength());
    FieldValue value;
    value.kind = FieldValue::Kind::Integer;
    value.integer = node.field->type == FieldType::Varint ? cursor.readVarint() : cursor.readVarlong();
    return cursor.ok() ? std::optional(value) : std::nullopt;
}

} // namespace

NodeIndex FieldTree::nextSibling(NodeIndex node) const {
    const NodeIndex parent = nodes[node].parent, next = nodes[node].end;
    return parent != noNode && next < nodes[parent].end ? next : noNode;
}

NodeIndex FieldTree::find(NodeKind kind) const {
    if (nodes.empty()) return noNode;
    for (NodeIndex child = firstChild(0); child != noNode; child = nextSibling(child))
        if (nodes[child].kind == kind) return child;
    return noNode;
}

NodeIndex FieldTree::child(NodeIndex node, std::string_view jsonName) const {
    for (NodeIndex child = firstChild(node); child != noNode; child = nextSibling(child)) {
        const FieldNode& at = nodes[child];
        if (at.kind == NodeKind::TagBuffer) {
            if (const NodeIndex found = this->child(child, jsonName); found != noNode) return found;
        } else if (at.kind == NodeKind::Field && at.field && at.field->schema->jsonName == jsonName) {
            return child;
        }
    }
    return noNode;
}

NodeIndex FieldTree::nodeAt(std::uint32_t offset) const {
    const auto covers = [&](NodeIndex node) {
        return offset >= nodes[node].offset && offset - nodes[node].offset < nodes[node].length;
    };
    if (nodes.empty() || !covers(0)) return noNode;
    NodeIndex node = 0;
    for (NodeIndex child = firstChild(node); child != noNode;) {
        if (covers(child)) {
            node = child;
            child = firstChild(node);
        } else {
            child = nextSibling(child);
        }
    }
    return node;
}

std::string FieldTree::path(NodeIndex node) const {
    const FieldNode& at = nodes[node];
    if (at.kind == NodeKind::TagBuffer) return path(at.parent);
    const bool entry = at.kind == NodeKind::Element || at.kind == NodeKind::Batch || at.kind == NodeKind::Record ||
                       at.kind == NodeKind::RecordHeader;
    if (!entry && at.kind != NodeKind::Field && at.kind != NodeKind::UnknownTag) return {};
    const NodeIndex parent = namedParent(*this, node);
    std::string result = parent == noNode ? std::string() : path(parent);
    if (entry) return fmt::format("{}[{}]", result, at.index);
    if (!result.empty()) result += '.';
    return at.kind == NodeKind::UnknownTag ? fmt::format("{}tag {}", result, at.index)
                                           : result + at.field->schema->jsonName;
}

std::optional<FieldValue> readValue(const ByteChain& bytes, const FieldNode& node, std::vector<std::uint8_t>& scratch) {
    if (node.isNull) return FieldValue{};
    if (node.damaged) return std::nullopt;
    const bool opaque =
        node.kind == NodeKind::UnknownTag || node.kind == NodeKind::Raw || node.kind == NodeKind::Trailing;
    if (!opaque && !node.isValue()) return std::nullopt;
    const FieldType type = opaque ? FieldType::Bytes : node.field->type;
    if (type == FieldType::Varint || type == FieldType::Varlong) return readVarint(bytes, node);
    const std::optional<Bytes> content = bytes.view(node.contentOffset(), node.contentLength(), scratch);
    if (!content) return std::nullopt;
    if (type < FieldType::Uuid) return numberOf(type, bigEndian(*content));
    FieldValue value;
    value.kind = type == FieldType::Uuid     ? FieldValue::Kind::Uuid
                 : type == FieldType::String ? FieldValue::Kind::Text
                                             : FieldValue::Kind::Bytes;
    value.bytes = *content;
    return value;
}

std::string uuidText(Bytes sixteen) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const std::uint8_t byte : sixteen) {
        bits = bits << 8 | byte;
        for (count += 8; count >= 6; count -= 6)
            text += digits[bits >> (count - 6) & 63u];
    }
    if (count > 0) text += digits[bits << (6 - count) & 63u];
    return text;
}

} // namespace brokerscope
