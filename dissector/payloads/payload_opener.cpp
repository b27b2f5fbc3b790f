// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/payload_opener.h"

#include "dissector/message/secrets.h"
#include "dissector/message/tree_graft.h"
#include "dissector/payloads/nested_message.h"
#include "dissector/payloads/sasl_token.h"
#include "dissector/records/record_fields.h"
#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

using Place = PayloadRule::Place;

constexpr int mostLevels = 8;
constexpr std::string_view controlFamily = "control", controlKey = "ControlRecordTypeSchema";

std::optional<Graft> graftOf(NodeIndex at, NestedMessage&& nested) {
    if (!nested.schema) return std::nullopt;
    return Graft{at, std::move(nested.message), {noNode, nested.schema->name, nested.version}};
}

bool isDamaged(const DecodedMessage& message) {
    return std::ranges::any_of(message.problems,
                               [](const Problem& problem) { return problem.kind == ProblemKind::Malformed; });
}

// The nearest text with this meaning beside a node or further out.
std::string textAround(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node, Semantic semantic) {
    const FieldTree& tree = message.tree;
    std::vector<std::uint8_t> scratch;
    for (NodeIndex outer = tree.nodes[node].parent; outer != noNode; outer = tree.nodes[outer].parent) {
        if (tree.nodes[outer].isArray()) continue; // its entries say nothing about each other
        for (NodeIndex i = tree.firstChild(outer); i != noNode; i = tree.nextSibling(i)) {
            const FieldNode& at = tree.nodes[i];
            if (at.kind != NodeKind::Field || !at.field || at.field->semantic != semantic || at.isArray()) continue;
            const auto value = readValue(bytes, at, scratch);
            if (value && value->kind == FieldValue::Kind::Text)
                return std::string(value->bytes.begin(), value->bytes.end());
        }
    }
    return {};
}

// Opens the fields of one tree.
class Opening {
  public:
    Opening(const Protocol& protocol, const ByteChain& bytes, std::string_view root, const PayloadContext& context,
            DecodedMessage& message, int level)
        : m_protocol(protocol), m_bytes(bytes), m_root(root), m_context(context), m_message(message), m_level(level) {}

    void run() {
        if (m_level >= mostLevels) return;
        const auto& nodes = m_message.tree.nodes;
        std::vector<Graft> grafts;
        for (NodeIndex i = 0; i < nodes.size(); ++i) {
            const FieldNode& at = nodes[i];
            const bool leaf = at.isValue() || at.kind == NodeKind::Raw;
            if (!leaf || !at.field || at.isNull || at.damaged || at.contentLength() == 0 ||
                at.field->semantic == Semantic::None || at.field->type != FieldType::Bytes ||
                m_message.tree.hasChildren(i))
                continue;
            if (std::optional<Graft> graft = open(i)) grafts.push_back(std::move(*graft));
        }
        graft(m_message, grafts);
    }

    // The same for a message that is the content of `node`.
    std::optional<Graft> openAs(NodeIndex node, std::string_view target, const PayloadContext& context) {
        const ByteChain content = contentOf(node);
        const SchemaMessage* schema = m_protocol.nested(target);
        if (!schema) {
            const auto type = recordTypeOf(m_protocol, target, content);
            if (type) schema = m_protocol.nestedByType(target, *type);
        }
        if (!schema) return std::nullopt;
        NestedMessage nested;
        const std::string root = pathOf(node);
        decodeNested(m_protocol, *schema, content, root, nested);
        Opening(m_protocol, content, root, context, nested.message, m_level + 1).run();
        return graftOf(node, std::move(nested));
    }

  private:
    std::optional<Graft> open(NodeIndex node) {
        switch (m_message.tree.nodes[node].field->semantic) {
        case Semantic::GroupMetadata:
            return groupPayload(node, Place::GroupMetadata);
        case Semantic::GroupAssignment:
            return groupPayload(node, Place::GroupAssignment);
        case Semantic::SubscriptionData:
            return assignorData(node, Place::SubscriptionData);
        case Semantic::AssignmentData:
            return assignorData(node, Place::AssignmentData);
        case Semantic::NestedMessage:
            return openAs(node, m_message.tree.nodes[node].field->schema->enumName, m_context);
        case Semantic::EmbeddedRequest:
            return embedded(node, Direction::Request);
        case Semantic::EmbeddedResponse:
            return embedded(node, Direction::Response);
        case Semantic::SaslToken:
            return token(node);
        default:
            return std::nullopt;
        }
    }

    std::optional<Graft> groupPayload(NodeIndex node, Place place) {
        PayloadContext inside = m_context;
        const std::string type = textAround(m_message, m_bytes, node, Semantic::GroupProtocol);
        const std::string name = textAround(m_message, m_bytes, node, Semantic::GroupProtocolName);
        if (!type.empty()) inside.protocolType = type;
        if (!name.empty()) inside.protocolName = name;
        if (!inside.protocolType.empty())
            return openAs(node, m_protocol.payloadTarget(place, inside.protocolType), inside);
        // Nobody said which protocol the group speaks: what fits to the last byte.
        for (const std::string_view guess : {"consumer", "connect"}) {
            std::optional<Graft> graft = openAs(node, m_protocol.payloadTarget(place, guess), inside);
            if (graft && graft->inner.problems.empty()) return graft;
        }
        return std::nullopt;
    }

    // Assignors may write what they like: only what fits.
    std::optional<Graft> assignorData(NodeIndex node, Place place) {
        if (m_context.protocolName.empty()) return std::nullopt;
        std::optional<Graft> graft = openAs(node, m_protocol.payloadTarget(place, m_context.protocolName), m_context);
        return graft && !isDamaged(graft->inner) ? std::move(graft) : std::nullopt;
    }

    std::optional<Graft> embedded(NodeIndex node, Direction direction) {
        MessageContext message;
        message.direction = direction;
        message.framed = false;
        if (direction == Direction::Response) {
            if (m_context.innerApi < 0) return std::nullopt;
            message.apiKey = m_context.innerApi;
            message.apiVersion = m_context.innerVersion;
        }
        const ByteChain content = contentOf(node);
        Graft graft{node, {}, {}};
        decodeMessage(m_protocol, content, message, graft.inner);
        const Api* api = m_protocol.api(graft.inner.apiKey);
        if (!api) return std::nullopt;
        for (Problem& problem : graft.inner.problems)
            problem.at = fmt::format("{}.{}", pathOf(node), problem.at);
        PayloadContext inside = m_context;
        inside.direction = direction;
        Opening(m_protocol, content, pathOf(node), inside, graft.inner, m_level + 1).run();
        graft.payload = {noNode, api->name + (direction == Direction::Request ? "Request" : "Response"),
                         graft.inner.apiVersion};
        return graft;
    }

    std::optional<Graft> token(NodeIndex node) {
        std::vector<std::uint8_t> scratch;
        const FieldNode& at = m_message.tree.nodes[node];
        const auto content = m_bytes.view(at.contentOffset(), at.contentLength(), scratch);
        if (!content) return std::nullopt;
        std::optional<SaslStep> step = decodeSaslToken(*content, m_context.direction, m_context.mechanism);
        if (!step) return std::nullopt;
        return Graft{node, std::move(step->message), {noNode, std::move(step->name), std::nullopt}};
    }

    ByteChain contentOf(NodeIndex node) const {
        const FieldNode& at = m_message.tree.nodes[node];
        return m_bytes.part(at.contentOffset(), at.contentLength());
    }

    std::string pathOf(NodeIndex node) const {
        const std::string path = m_message.tree.path(node);
        return m_root.empty() ? path : path.empty() ? std::string(m_root) : fmt::format("{}.{}", m_root, path);
    }

    const Protocol& m_protocol;
    const ByteChain& m_bytes;
    std::string_view m_root;
    const PayloadContext& m_context;
    DecodedMessage& m_message;
    int m_level;
};

// A control record's key: int16 version, int16 type.
std::optional<std::int16_t> controlType(const ByteChain& key) {
    Cursor cursor(key);
    cursor.skip(2);
    const std::int16_t type = cursor.readI16();
    return cursor.ok() ? std::optional(type) : std::nullopt;
}

// The message that a key is; empty: unknown.
std::string_view keyTarget(const Protocol& protocol, std::string_view topic, bool control, const ByteChain& key) {
    if (control) return controlKey;
    const std::string_view target = protocol.payloadTarget(Place::RecordKey, topic);
    if (target.empty() || protocol.nested(target)) return target;
    const auto type = recordTypeOf(protocol, target, key);
    const SchemaMessage* schema = type ? protocol.nestedByType(target, *type) : nullptr;
    return schema ? std::string_view(schema->name) : std::string_view();
}

// The same for a value: which of its family it is stands in itself, or else in the key.
std::string_view valueTarget(const Protocol& protocol, std::string_view topic, bool control, const ByteChain* key,
                             const ByteChain& value) {
    std::string_view family = control ? controlFamily : protocol.payloadTarget(Place::RecordValue, topic);
    if (family.empty() || protocol.nested(family)) return family;
    std::optional<std::int16_t> type = control ? std::nullopt : recordTypeOf(protocol, family, value);
    if (!type && key)
        type =
            control ? controlType(*key) : recordTypeOf(protocol, protocol.payloadTarget(Place::RecordKey, topic), *key);
    const SchemaMessage* schema = type ? protocol.nestedByType(family, *type) : nullptr;
    return schema ? std::string_view(schema->name) : std::string_view();
}

class RecordOpening {
  public:
    RecordOpening(const Protocol& protocol, const ByteChain& bytes, std::string_view topic, bool control,
                  DecodedMessage& records)
        : m_protocol(protocol), m_bytes(bytes), m_topic(topic), m_outerControl(control), m_records(records) {}

    void run() {
        const RecordFields& fields = recordFields();
        for (NodeIndex i = 0; i < nodes().size(); ++i) {
            const FieldNode& at = nodes()[i];
            if (at.kind != NodeKind::Field || at.isNull || at.damaged || at.contentLength() == 0) continue;
            if (at.field == fields.key || at.field == fields.messageKey) openKey(i);
            if (at.field == fields.value || at.field == fields.messageValue) openValue(i);
        }
        graft(m_records, m_grafts);
    }

  private:
    const std::vector<FieldNode>& nodes() const { return m_records.tree.nodes; }
    ByteChain content(NodeIndex node) const {
        return m_bytes.part(nodes()[node].contentOffset(), nodes()[node].contentLength());
    }

    void openKey(NodeIndex node) {
        const ByteChain bytes = content(node);
        open(node, keyTarget(m_protocol, m_topic, m_outerControl, bytes));
    }

    void openValue(NodeIndex node) {
        const NodeIndex key = keyBeside(node);
        const bool control = m_outerControl || (key != noNode && nodes()[key].field == recordFields().controlKey);
        const ByteChain bytes = content(node);
        if (key == noNode || nodes()[key].isNull)
            return open(node, valueTarget(m_protocol, m_topic, control, nullptr, bytes));
        const ByteChain keyBytes = content(key);
        open(node, valueTarget(m_protocol, m_topic, control, &keyBytes, bytes));
    }

    NodeIndex keyBeside(NodeIndex value) const {
        const RecordFields& fields = recordFields();
        for (NodeIndex i = m_records.tree.firstChild(nodes()[value].parent); i < value;
             i = m_records.tree.nextSibling(i))
            if (nodes()[i].field == fields.key || nodes()[i].field == fields.controlKey ||
                nodes()[i].field == fields.messageKey)
                return i;
        return noNode;
    }

    void open(NodeIndex node, std::string_view target) {
        if (target.empty()) return;
        const PayloadContext context;
        auto opened = Opening(m_protocol, m_bytes, "", context, m_records, 0).openAs(node, target, context);
        if (opened) m_grafts.push_back(std::move(*opened));
    }

    const Protocol& m_protocol;
    const ByteChain& m_bytes;
    std::string_view m_topic;
    bool m_outerControl;
    DecodedMessage& m_records;
    std::vector<Graft> m_grafts;
};

// `target` as a message of its own.
bool openAlone(const Protocol& protocol, std::string_view target, RecordPayload& out) {
    const SchemaMessage* schema = target.empty() ? nullptr : protocol.nested(target);
    if (!schema) return false;
    NestedMessage nested;
    decodeNested(protocol, *schema, out.bytes, nested);
    out.message = std::move(nested.message);
    out.type = {noNode, schema->name, nested.version};
    PayloadOpener(protocol).open(out.bytes, "", {}, out.message);
    return true;
}

} // namespace

void PayloadOpener::open(const ByteChain& bytes, std::string_view root, const PayloadContext& context,
                         DecodedMessage& message) const {
    Opening(m_protocol, bytes, root, context, message, 0).run();
}

void PayloadOpener::openRecords(const ByteChain& bytes, std::string_view topic, bool control,
                                DecodedMessage& records) const {
    RecordOpening(m_protocol, bytes, topic, control, records).run();
}

bool RecordPayloads::openKey(std::string_view topic, bool control, Bytes key, RecordPayload& out) const {
    out.bytes = ByteChain::of(key);
    return openAlone(m_protocol, keyTarget(m_protocol, topic, control, out.bytes), out);
}

bool RecordPayloads::openValue(std::string_view topic, bool control, const std::optional<Bytes>& key, Bytes value,
                               RecordPayload& out) const {
    out.bytes = ByteChain::of(value);
    const ByteChain keyBytes = ByteChain::of(key.value_or(Bytes{}));
    const std::string_view target = valueTarget(m_protocol, topic, control, key ? &keyBytes : nullptr, out.bytes);
    return openAlone(m_protocol, target, out);
}

bool holdsSecrets(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes) {
    const auto& nodes = message.tree.nodes;
    for (NodeIndex i = 0; i < nodes.size(); ++i)
        if (nodes[i].field && mayBeSecret(nodes[i].field->semantic) && isSecret(protocol, message.tree, bytes, i))
            return true;
    return false;
}

} // namespace brokerscope
