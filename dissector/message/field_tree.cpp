// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/field_tree.h"

#include "dissector/message/wire_number.h"
#include "dissector/wire/cursor.h"
#include "dissector/wire/java_text.h"

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

FieldValue numberOf(FieldType type, Bytes content) {
    FieldValue value;
    value.kind = type == FieldType::Bool ? FieldValue::Kind::Bool : FieldValue::Kind::Integer;
    value.integer = wireNumber(type, content.data());
    if (type == FieldType::Float64) {
        value.kind = FieldValue::Kind::Float;
        value.real = std::bit_cast<double>(value.integer);
        value.integer = 0;
    }
    return value;
}

FieldValue varintOf(FieldType type, Bytes content) {
    const ByteChain chain = ByteChain::of(content);
    Cursor cursor(chain);
    FieldValue value;
    value.kind = FieldValue::Kind::Integer;
    value.integer = type == FieldType::Uvarint  ? std::int64_t{cursor.readUvarint()}
                    : type == FieldType::Varint ? cursor.readVarint()
                                                : cursor.readVarlong();
    return value;
}

// What the node's content is read as; nullopt: it has no value of its own, or not all of it is there.
std::optional<FieldType> valueType(const FieldNode& node) {
    if (node.damaged) return std::nullopt;
    if (node.isValue()) return node.field->type;
    const bool opaque =
        node.kind == NodeKind::UnknownTag || node.kind == NodeKind::Raw || node.kind == NodeKind::Trailing;
    return opaque ? std::optional(FieldType::Bytes) : std::nullopt;
}

// `scratch` holds what has to be put into another encoding.
FieldValue valueOf(FieldType type, Bytes content, std::vector<std::uint8_t>& scratch) {
    if (type >= FieldType::Uvarint && type <= FieldType::Varlong) return varintOf(type, content);
    if (type < FieldType::Uuid) return numberOf(type, content);
    FieldValue value;
    value.kind = type == FieldType::Uuid   ? FieldValue::Kind::Uuid
                 : type < FieldType::Bytes ? FieldValue::Kind::Text
                                           : FieldValue::Kind::Bytes;
    value.bytes = content;
    if (type == FieldType::JavaText) value.bytes = scratch = utf8OfJava(content);
    if (type == FieldType::Utf16) value.bytes = scratch = utf8OfUtf16(content);
    return value;
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
    const std::optional<FieldType> type = valueType(node);
    if (!type) return std::nullopt;
    const std::optional<Bytes> content = bytes.view(node.contentOffset(), node.contentLength(), scratch);
    return content ? std::optional(valueOf(*type, *content, scratch)) : std::nullopt;
}

std::optional<FieldValue> readValue(ChainReader& bytes, const FieldNode& node) {
    if (node.isNull) return FieldValue{};
    const std::optional<FieldType> type = valueType(node);
    if (!type) return std::nullopt;
    const std::optional<Bytes> content = bytes.read(node.contentOffset(), node.contentLength());
    return content ? std::optional(valueOf(*type, *content, bytes.scratch())) : std::nullopt;
}

void writeUuid(const std::uint8_t* sixteen, char* to) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::uint32_t bits = 0;
    int count = 0;
    for (int i = 0; i < 16; ++i) {
        bits = bits << 8 | sixteen[i];
        for (count += 8; count >= 6; count -= 6)
            *to++ = digits[bits >> (count - 6) & 63u];
    }
    *to = digits[bits << (6 - count) & 63u];
}

std::string uuidText(Bytes sixteen) {
    if (sixteen.size() != 16) return {};
    std::string text(uuidLength, ' ');
    writeUuid(sixteen.data(), text.data());
    return text;
}

} // namespace brokerscope
