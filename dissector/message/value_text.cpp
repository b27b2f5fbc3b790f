// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/value_text.h"

#include "capture/types/endpoint.h"
#include "dissector/message/dictionary.h"
#include "dissector/message/number_text.h"
#include "dissector/message/secrets.h"
#include "dissector/message/units.h"
#include "dissector/wire/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

namespace {

bool isPrintable(Bytes bytes) {
    return validUtf8Prefix(bytes) == bytes.size() &&
           std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte >= 0x20 && byte != 0x7f; });
}

// " → name"; nothing for an empty one.
std::string arrow(const std::string& name) {
    return name.empty() ? name : " → " + name;
}

// "10.77.0.2"; hex where it is none.
std::string addressText(Bytes address) {
    Address known;
    if (address.size() != 4 && address.size() != known.bytes.size()) return hexText(address, 24);
    std::ranges::copy(address, known.bytes.begin());
    known.v6 = address.size() != 4;
    return toString(known);
}

class ValueWriter {
  public:
    ValueWriter(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes,
                const TextOptions& options)
        : m_protocol(protocol), m_message(message), m_bytes(bytes), m_options(options) {}

    ValueText value(NodeIndex node) const;

  private:
    ValueText damage(NodeIndex node) const;
    ValueText array(const FieldNode& node) const;
    ValueText entryKey(NodeIndex node) const;
    ValueText single(NodeIndex node) const;
    ValueText uuid(const FieldNode& node, Bytes id) const;
    ValueText opaque(const FieldNode& node) const;
    ValueText bytesValue(Bytes content) const;
    ValueText openedText(const OpenedPayload& payload, const FieldNode& node) const;
    ValueText number(NodeIndex node, std::int64_t value) const;
    bool standsBesideItsHost(NodeIndex node) const;
    std::string client(std::string_view member) const;
    const Problem* malformedAt(const FieldNode& node) const;

    const Protocol& m_protocol;
    const DecodedMessage& m_message;
    const ByteChain& m_bytes;
    const TextOptions& m_options;
};

ValueText ValueWriter::value(NodeIndex node) const {
    const FieldNode& at = m_message.tree.nodes[node];
    if (at.isNull) return {"null", Tone::Dim};
    if (const OpenedPayload* payload = m_message.openedAt(node)) return openedText(*payload, at);
    switch (at.kind) {
    case NodeKind::Message:
        return {sizeWords(at.length), Tone::Plain};
    case NodeKind::FrameLength: {
        std::vector<std::uint8_t> scratch;
        const std::optional<Bytes> view = m_bytes.view(at.offset, at.length, scratch);
        if (!view || view->size() != 4) return {"not captured", Tone::Damage};
        const std::uint32_t length = std::uint32_t{(*view)[0]} << 24 | std::uint32_t{(*view)[1]} << 16 |
                                     std::uint32_t{(*view)[2]} << 8 | (*view)[3];
        return {std::to_string(static_cast<std::int32_t>(length)), at.damaged ? Tone::Damage : Tone::Plain};
    }
    case NodeKind::TagBuffer: {
        std::size_t count = 0;
        for (NodeIndex child = node + 1; child < at.end; child = m_message.tree.nodes[child].end)
            ++count;
        return count ? ValueText{std::to_string(count), Tone::Plain} : ValueText{"none", Tone::Dim};
    }
    case NodeKind::UnknownTag:
    case NodeKind::Raw:
    case NodeKind::Trailing:
        return opaque(at);
    default:
        break;
    }
    if (at.isArray()) return at.damaged && at.index == 0 ? damage(node) : array(at);
    if (at.isValue()) return at.damaged ? damage(node) : single(node);
    return at.kind == NodeKind::Element ? entryKey(node) : ValueText{};
}

const Problem* ValueWriter::malformedAt(const FieldNode& node) const {
    for (const Problem& problem : m_message.problems)
        if (problem.kind == ProblemKind::Malformed && problem.offset == node.offset) return &problem;
    return nullptr;
}

ValueText ValueWriter::damage(NodeIndex node) const {
    const FieldNode& at = m_message.tree.nodes[node];
    if (const Problem* problem = malformedAt(at)) return {"MALFORMED: " + problem->text, Tone::Damage};
    if (at.contentLength() == 0 || at.field->type < FieldType::String) return {"not captured", Tone::Damage};
    const std::uint32_t announced = std::max(at.index, at.contentLength());
    if (!m_options.showSecrets && isSecret(m_protocol, m_message.tree, m_bytes, node))
        return {fmt::format("(masked, {})", sizeWords(announced)), Tone::Secret};
    const ByteChain there = m_bytes.part(at.contentOffset(), at.contentLength());
    std::vector<std::uint8_t> front;
    there.copyAvailable(0, std::min<std::uint32_t>(there.size(), 1024), front);
    std::string shown = hexText(front, m_options.maxBytes);
    if (at.field->type == FieldType::String) {
        shown = quoted(front, m_options.maxText);
        if (shown.ends_with('"')) shown.replace(shown.size() - 1, 1, "…");
    }
    return {fmt::format("{} ({} of {} bytes captured)", shown, grouped(there.size() - there.missingBytes()),
                        grouped(announced)),
            Tone::Damage};
}

ValueText ValueWriter::array(const FieldNode& node) const {
    std::string text = fmt::format("{} {}", grouped(node.index), node.index == 1 ? "entry" : "entries");
    return {std::move(text), node.index == 0 ? Tone::Dim : Tone::Plain};
}

// What tells an entry from the others: its topic, its partition, its id, else its first value.
ValueText ValueWriter::entryKey(NodeIndex node) const {
    const auto& nodes = m_message.tree.nodes;
    NodeIndex key = noNode, first = noNode;
    const auto rank = [&](NodeIndex child) {
        switch (nodes[child].field->semantic) {
        case Semantic::Topic:
            return nodes[child].isNull ? 0 : 5;
        case Semantic::TopicId:
            return 4;
        case Semantic::Partition:
        case Semantic::Group:
        case Semantic::TransactionalId:
            return 3;
        case Semantic::Member:
        case Semantic::NodeId:
        case Semantic::ApiKey:
        case Semantic::ProducerId:
            return 2;
        default:
            return 0;
        }
    };
    for (NodeIndex child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        if (nodes[child].kind != NodeKind::Field || !nodes[child].isValue() || nodes[child].damaged) continue;
        if (first == noNode) first = child;
        if (rank(child) > (key == noNode ? 0 : rank(key))) key = child;
    }
    if (key == noNode) key = first;
    if (key == noNode) return {};
    ValueText text = single(key);
    const Semantic semantic = nodes[key].field->semantic;
    if (semantic == Semantic::Partition) text.text = "partition " + text.text;
    if (semantic == Semantic::NodeId) text.text = "node " + text.text;
    if (semantic == Semantic::Topic && text.text.size() >= 2 && text.text.ends_with('"'))
        text.text = text.text.substr(1, text.text.size() - 2);
    return text;
}

ValueText ValueWriter::single(NodeIndex node) const {
    const FieldNode& at = m_message.tree.nodes[node];
    if (at.isNull) return {"null", Tone::Dim};
    if (!m_options.showSecrets && isSecret(m_protocol, m_message.tree, m_bytes, node))
        return {fmt::format("(masked, {})", sizeWords(at.contentLength())), Tone::Secret};
    if (at.field->type == FieldType::Records)
        return {sizeWords(at.contentLength()), at.contentLength() ? Tone::Plain : Tone::Dim};
    std::vector<std::uint8_t> scratch;
    const std::optional<FieldValue> value = readValue(m_bytes, at, scratch);
    if (!value) return {"not captured", Tone::Damage};
    switch (value->kind) {
    case FieldValue::Kind::Null:
        return {"null", Tone::Dim};
    case FieldValue::Kind::Bool:
        return {value->integer ? "true" : "false", Tone::Plain};
    case FieldValue::Kind::Float:
        return {fmt::format("{}", value->real), Tone::Plain};
    case FieldValue::Kind::Integer:
        return number(node, value->integer);
    case FieldValue::Kind::Uuid:
        return uuid(at, value->bytes);
    case FieldValue::Kind::Bytes:
        return at.field->semantic == Semantic::Address ? ValueText{addressText(value->bytes), Tone::Plain}
                                                       : bytesValue(value->bytes);
    case FieldValue::Kind::Text:
        break;
    }
    std::string text = quoted(value->bytes, m_options.maxText);
    if (at.field->semantic == Semantic::Member && !value->bytes.empty() && m_options.names.member)
        text += client({reinterpret_cast<const char*>(value->bytes.data()), value->bytes.size()});
    return {std::move(text), value->bytes.empty() ? Tone::Dim : Tone::Plain};
}

ValueText ValueWriter::number(NodeIndex node, std::int64_t value) const {
    const FieldNode& at = m_message.tree.nodes[node];
    ValueText text = numberText(m_protocol, *at.field, value);
    if (at.field->semantic == Semantic::ProducerId && value >= 0 && m_options.names.producer)
        text.text += arrow(m_options.names.producer(value));
    if (at.field->semantic == Semantic::NodeId && value >= 0 && m_options.names.node && !standsBesideItsHost(node))
        text.text += arrow(m_options.names.node(static_cast<std::int32_t>(value)));
    if (at.field->semantic != Semantic::Index) return text;
    const NodeIndex named = DictionaryReader(m_message.tree, m_bytes).entry(node);
    if (named != noNode) text.text += " → " + single(named).text;
    return text;
}

bool ValueWriter::standsBesideItsHost(NodeIndex node) const {
    const FieldTree& tree = m_message.tree;
    return tree.nodes[node].parent != noNode && tree.child(tree.nodes[node].parent, "host") != noNode;
}

ValueText ValueWriter::openedText(const OpenedPayload& payload, const FieldNode& node) const {
    std::string text = payload.type;
    if (payload.version) text += fmt::format(" v{}", *payload.version);
    return {fmt::format("{}, {}", text, sizeWords(node.contentLength())), Tone::Plain};
}

// The Java client begins its member ids with its client id, which then says it already.
std::string ValueWriter::client(std::string_view member) const {
    const std::string name = m_options.names.member(member);
    return member.starts_with(name) ? std::string() : arrow(name);
}

ValueText ValueWriter::uuid(const FieldNode& node, Bytes id) const {
    std::array<std::uint8_t, 16> key{};
    std::copy_n(id.begin(), std::min(id.size(), key.size()), key.begin());
    if (key == std::array<std::uint8_t, 16>{}) return {"none", Tone::Dim};
    std::string text = uuidText(id);
    if (node.field->semantic != Semantic::TopicId || !m_options.names.topic) return {std::move(text), Tone::Plain};
    const std::string name = m_options.names.topic(key);
    return {text + (name.empty() ? " (topic not named in this capture)" : " → " + name), Tone::Plain};
}

ValueText ValueWriter::opaque(const FieldNode& node) const {
    const bool token = node.field && node.field->semantic == Semantic::SaslToken;
    if (token && !m_options.showSecrets && node.length > 0)
        return {fmt::format("(masked, {})", sizeWords(node.contentLength())), Tone::Secret};
    std::vector<std::uint8_t> front;
    m_bytes.copyAvailable(node.contentOffset(),
                          std::min(node.contentLength(), static_cast<std::uint32_t>(m_options.maxBytes + 1)), front);
    std::string text =
        fmt::format("{} {}", grouped(node.contentLength()), node.contentLength() == 1 ? "byte" : "bytes");
    if (!front.empty()) text += "  " + hexText(front, m_options.maxBytes);
    return {std::move(text), node.damaged ? Tone::Damage : Tone::Plain};
}

ValueText ValueWriter::bytesValue(Bytes content) const {
    if (content.empty()) return {"0 bytes", Tone::Dim};
    std::string text = fmt::format("{} {}  ", grouped(content.size()), content.size() == 1 ? "byte" : "bytes");
    text += isPrintable(content) ? quoted(content, m_options.maxText) : hexText(content, m_options.maxBytes);
    return {std::move(text), Tone::Plain};
}

} // namespace

std::string labelText(const DecodedMessage& message, NodeIndex node) {
    const FieldNode& at = message.tree.nodes[node];
    switch (at.kind) {
    case NodeKind::Message:
        return "Message";
    case NodeKind::FrameLength:
        return "Length";
    case NodeKind::Header:
        return "Header";
    case NodeKind::Body:
        return "Body";
    case NodeKind::Element:
        return fmt::format("[{}]", at.index);
    case NodeKind::TagBuffer:
        return "Tagged fields";
    case NodeKind::UnknownTag:
        return fmt::format("Tag {} (not known in v{})", at.index, message.layoutVersion);
    case NodeKind::Raw:
        return at.field ? at.field->schema->name : "Not decoded";
    case NodeKind::Trailing:
        return "Trailing bytes";
    default:
        break;
    }
    if (!at.field || !at.field->schema) return {};
    const std::string& name = at.field->schema->name;
    return at.field->tagged() ? fmt::format("Tag {} {}", at.field->tag, name) : name;
}

std::string typeText(const FieldNode& node) {
    if (!node.field || !node.field->schema || (node.kind != NodeKind::Field && node.kind != NodeKind::Element))
        return {};
    const bool array = node.isArray();
    return fmt::format("{}{}{}", array ? "[]" : "", name(node.field->type),
                       node.field->nullable && node.kind == NodeKind::Field ? "?" : "");
}

ValueText valueText(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes, NodeIndex node,
                    const TextOptions& options) {
    return ValueWriter(protocol, message, bytes, options).value(node);
}

std::string quoted(Bytes text, std::size_t maxText) {
    std::string valid;
    appendUtf8(text, valid);
    std::string result = "\"";
    std::size_t characters = 0, all = 0;
    for (std::size_t i = 0; i < valid.size(); ++i) {
        const auto byte = static_cast<unsigned char>(valid[i]);
        if ((byte & 0xc0) != 0x80) ++all;
        if (all > maxText) continue;
        characters = all;
        if (byte == '\n')
            result += "\\n";
        else if (byte == '\t')
            result += "\\t";
        else if (byte == '\r')
            result += "\\r";
        else if (byte == '"' || byte == '\\')
            (result += '\\') += valid[i];
        else if (byte < 0x20 || byte == 0x7f)
            result += fmt::format("\\u{{{:x}}}", byte);
        else
            result += valid[i];
    }
    if (characters == all) return result + '"';
    return fmt::format("{}… ({} characters)", result, grouped(all));
}

std::string hexText(Bytes bytes, std::size_t maxBytes) {
    std::string result;
    for (const std::uint8_t byte : bytes.first(std::min(bytes.size(), maxBytes)))
        result += fmt::format("{}{:02x}", result.empty() ? "" : " ", byte);
    return bytes.size() > maxBytes ? result + " …" : result;
}

} // namespace brokerscope
