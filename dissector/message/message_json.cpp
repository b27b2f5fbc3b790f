// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/message_json.h"

#include "dissector/message/dictionary.h"
#include "dissector/message/secrets.h"
#include "dissector/message/wire_number.h"
#include "dissector/wire/java_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace brokerscope {

namespace {

class MessageJson {
  public:
    MessageJson(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes,
                const JsonOptions& options, JsonWriter& out)
        : m_protocol(protocol), m_message(message), m_nodes(message.tree.nodes), m_bytes(bytes), m_options(options),
          m_out(out), m_reader(bytes), m_dictionaries(message.tree, bytes) {}

    void value(NodeIndex node);

  private:
    void object(NodeIndex node);
    void members(NodeIndex node);
    void member(NodeIndex node);
    void recordsMember(NodeIndex node);
    void array(NodeIndex node);
    std::vector<NodeIndex> sorted(NodeIndex array);
    void single(NodeIndex node);
    void opened(NodeIndex node, const OpenedPayload& payload);
    void write(FieldType type, Bytes content);
    bool masked(NodeIndex node) const;
    bool isDefault(NodeIndex node);
    bool hasDefaultValue(const FieldNode& node);
    bool allDefault(NodeIndex node);
    // A value that is not all there has nothing to print; structs and arrays have what was read of them.
    bool printable(const FieldNode& node) const { return !node.damaged || !node.isValue(); }

    const Protocol& m_protocol;
    const DecodedMessage& m_message;
    const std::vector<FieldNode>& m_nodes;
    const ByteChain& m_bytes;
    const JsonOptions& m_options;
    JsonWriter& m_out;
    ChainReader m_reader;
    DictionaryReader m_dictionaries;
};

void MessageJson::value(NodeIndex node) {
    const FieldNode& at = m_nodes[node];
    if (at.isNull)
        m_out.Null();
    else if (at.isArray())
        array(node);
    else if (at.isValue())
        single(node);
    else
        object(node);
}

void MessageJson::object(NodeIndex node) {
    m_out.StartObject();
    members(node);
    m_out.EndObject();
}

void MessageJson::members(NodeIndex node) {
    for (NodeIndex child = node + 1; child < m_nodes[node].end; child = m_nodes[child].end) {
        const FieldNode& at = m_nodes[child];
        if (at.kind == NodeKind::TagBuffer)
            members(child);
        else if (at.kind == NodeKind::Field && !(at.field->tagged() && isDefault(child)))
            member(child);
    }
}

void MessageJson::member(NodeIndex node) {
    const FieldNode& at = m_nodes[node];
    if (at.field->type == FieldType::Records && !at.isNull) return recordsMember(node);
    if (!printable(at) || at.field->semantic == Semantic::Dictionary) return;
    if (at.field->semantic == Semantic::Index) {
        if (const NodeIndex named = m_dictionaries.entry(node); named != noNode) return member(named);
    }
    m_out.plainKey(at.field->schema->jsonName);
    value(node);
}

void MessageJson::recordsMember(NodeIndex node) {
    const FieldNode& at = m_nodes[node];
    if (at.damaged && at.index == 0) return; // not even the size is known
    const std::string& name = at.field->schema->jsonName;
    if (m_options.expander && m_options.expander->opens(m_message, m_bytes, node)) {
        m_out.plainKey(name);
        m_options.expander->write(m_message, m_bytes, node, m_out);
        return;
    }
    m_out.plainKey(name, "SizeInBytes");
    m_out.Uint(at.index);
}

void MessageJson::array(NodeIndex node) {
    m_out.StartArray();
    if (m_nodes[node].field->semantic == Semantic::Unordered) {
        for (const NodeIndex child : sorted(node))
            value(child);
    } else {
        for (NodeIndex child = node + 1; child < m_nodes[node].end; child = m_nodes[child].end)
            if (printable(m_nodes[child])) value(child);
    }
    m_out.EndArray();
}

// The entries of an array by their single values, in the order of the fields.
std::vector<NodeIndex> MessageJson::sorted(NodeIndex array) {
    using Key = std::vector<std::pair<std::string, std::int64_t>>;
    std::vector<std::pair<Key, NodeIndex>> entries;
    for (NodeIndex entry = array + 1; entry < m_nodes[array].end; entry = m_nodes[entry].end) {
        Key key;
        for (NodeIndex child = entry + 1; child < m_nodes[entry].end; child = m_nodes[child].end) {
            if (!m_nodes[child].isValue()) continue;
            const bool isIndex = m_nodes[child].field->semantic == Semantic::Index;
            const NodeIndex named = isIndex ? m_dictionaries.entry(child) : noNode;
            const std::optional<FieldValue> value = readValue(m_reader, m_nodes[named == noNode ? child : named]);
            if (value) key.emplace_back(std::string(value->bytes.begin(), value->bytes.end()), value->integer);
        }
        entries.emplace_back(std::move(key), entry);
    }
    std::ranges::sort(entries);
    std::vector<NodeIndex> result;
    for (const auto& [key, entry] : entries)
        result.push_back(entry);
    return result;
}

void MessageJson::single(NodeIndex node) {
    const FieldNode& at = m_nodes[node];
    const FieldType type = at.field->type;
    if (const OpenedPayload* payload = m_message.openedAt(node)) return opened(node, *payload);
    if (type == FieldType::Bytes && m_options.expander && m_options.expander->opens(m_message, m_bytes, node))
        return m_options.expander->write(m_message, m_bytes, node, m_out);
    if (masked(node)) return m_out.text(maskedText);
    const std::optional<Bytes> content = m_reader.read(at.contentOffset(), at.contentLength());
    if (content) return write(type, *content);
    m_out.Null();
}

void MessageJson::opened(NodeIndex node, const OpenedPayload& payload) {
    m_out.StartObject();
    m_out.plainKey("type");
    m_out.text(payload.type);
    if (payload.version) {
        m_out.plainKey("version");
        m_out.Int(*payload.version);
    }
    // A message in a message has a header of its own.
    NodeIndex header = noNode, body = node;
    for (NodeIndex child = node + 1; child < m_nodes[node].end; child = m_nodes[child].end) {
        if (m_nodes[child].kind == NodeKind::Header) header = child;
        if (m_nodes[child].kind == NodeKind::Body) body = child;
    }
    if (header != noNode) {
        m_out.plainKey("header");
        object(header);
    }
    m_out.plainKey("value");
    object(body);
    m_out.EndObject();
}

void MessageJson::write(FieldType type, Bytes content) {
    switch (type) {
    case FieldType::Bool:
        m_out.Bool(content[0] != 0);
        break;
    case FieldType::Float64:
        m_out.number(std::bit_cast<double>(wireNumber(type, content.data())));
        break;
    case FieldType::String:
        m_out.writeText(content);
        break;
    case FieldType::JavaText:
        m_out.writeText(utf8OfJava(content));
        break;
    case FieldType::Utf16:
        m_out.writeText(utf8OfUtf16(content));
        break;
    case FieldType::Bytes:
    case FieldType::Records:
        m_out.base64(content);
        break;
    case FieldType::Uuid: {
        char text[uuidLength];
        writeUuid(content.data(), text);
        m_out.text({text, uuidLength});
        break;
    }
    default:
        m_out.Int64(wireNumber(type, content.data()));
        break;
    }
}

bool MessageJson::masked(NodeIndex node) const {
    if (m_options.showSecrets || !mayBeSecret(m_nodes[node].field->semantic)) return false;
    return isSecret(m_protocol, m_message.tree, m_bytes, node);
}

bool MessageJson::isDefault(NodeIndex node) {
    const FieldNode& at = m_nodes[node];
    if (at.isNull || at.field->defaultNull) return at.isNull && at.field->defaultNull;
    if (at.damaged) return false;
    if (at.isArray()) return at.index == 0;
    return at.isValue() ? hasDefaultValue(at) : allDefault(node);
}

bool MessageJson::hasDefaultValue(const FieldNode& node) {
    const std::optional<FieldValue> value = readValue(m_reader, node);
    if (!value) return false;
    switch (value->kind) {
    case FieldValue::Kind::Null:
        return node.field->defaultNull;
    case FieldValue::Kind::Bool:
    case FieldValue::Kind::Integer:
        return value->integer == node.field->defaultNumber;
    case FieldValue::Kind::Float:
        return value->real == static_cast<double>(node.field->defaultNumber);
    case FieldValue::Kind::Text:
    case FieldValue::Kind::Bytes:
        return value->bytes.empty();
    case FieldValue::Kind::Uuid:
        return std::all_of(value->bytes.begin(), value->bytes.end(), [](std::uint8_t byte) { return byte == 0; });
    }
    return false;
}

// A struct is at its default when all its fields are, and nothing unknown hangs on it.
bool MessageJson::allDefault(NodeIndex node) {
    for (NodeIndex child = node + 1; child < m_nodes[node].end; child = m_nodes[child].end) {
        const FieldNode& at = m_nodes[child];
        if (at.kind == NodeKind::TagBuffer ? !allDefault(child) : at.kind != NodeKind::Field || !isDefault(child))
            return false;
    }
    return true;
}

} // namespace

void writeJson(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes, NodeIndex node,
               const JsonOptions& options, JsonWriter& out) {
    MessageJson(protocol, message, bytes, options, out).value(node);
}

std::vector<UnknownTag> unknownTags(const DecodedMessage& message, const ByteChain& bytes, std::string_view headerName,
                                    std::string_view bodyName) {
    std::vector<UnknownTag> result;
    std::vector<std::uint8_t> scratch;
    for (NodeIndex node = 0; node < message.tree.nodes.size(); ++node) {
        const FieldNode& at = message.tree.nodes[node];
        if (at.kind != NodeKind::UnknownTag) continue;
        const bool inHeader = message.header != noNode && node < message.tree.nodes[message.header].end;
        UnknownTag& found = result.emplace_back();
        found.path = inHeader ? headerName : bodyName;
        if (const std::string below = message.tree.path(at.parent); !below.empty()) found.path += "." + below;
        found.tag = at.index;
        if (const auto value = readValue(bytes, at, scratch))
            for (const std::uint8_t byte : value->bytes)
                fmt::format_to(std::back_inserter(found.hex), "{:02x}", byte);
    }
    return result;
}

} // namespace brokerscope
