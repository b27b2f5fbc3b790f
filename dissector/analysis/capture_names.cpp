// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/capture_names.h"

#include "dissector/message/skim.h"
#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

constexpr std::int16_t joinGroupKey = 11, syncGroupKey = 14, envelopeKey = 58;

// The parts of a struct that name each other.
enum Part : std::uint8_t { Member, Client, TransactionalId, Producer, Node, Host, Port, Group, Type, Name, partCount };

Part partOf(const PlanField& field) {
    if (!field.schema || field.isArray || field.tagged()) return partCount;
    switch (field.semantic) {
    case Semantic::Member:
        return Member;
    case Semantic::TransactionalId:
        return TransactionalId;
    case Semantic::ProducerId:
        return Producer;
    case Semantic::NodeId:
        return field.type == FieldType::Int32 ? Node : partCount;
    case Semantic::Host:
        return Host;
    case Semantic::Port:
        return Port;
    case Semantic::Group:
        return Group;
    case Semantic::GroupProtocol:
        return Type;
    case Semantic::GroupProtocolName:
        return Name;
    default:
        return field.schema->jsonName == "clientId" ? Client : partCount;
    }
}

// The same for the node of a tree.
Part partOf(const FieldNode& node) {
    if (node.kind != NodeKind::Field || !node.field || node.isNull || node.damaged) return partCount;
    return partOf(*node.field);
}

bool tellTogether(const std::array<bool, partCount>& there, bool isBody) {
    return (there[Member] && (there[Client] || isBody)) || (there[TransactionalId] && (there[Producer] || isBody)) ||
           (there[Producer] && isBody) || (there[Host] && there[Port]) || (isBody && there[Type]) ||
           (isBody && there[Name]);
}

std::string text(const ByteChain& bytes, const DecodedMessage& message, NodeIndex node) {
    if (node == noNode) return {};
    std::vector<std::uint8_t> scratch;
    const auto value = readValue(bytes, message.tree.nodes[node], scratch);
    if (!value || value->kind != FieldValue::Kind::Text) return {};
    return {value->bytes.begin(), value->bytes.end()};
}

std::optional<std::int64_t> number(const ByteChain& bytes, const DecodedMessage& message, NodeIndex node) {
    if (node == noNode) return std::nullopt;
    std::vector<std::uint8_t> scratch;
    const auto value = readValue(bytes, message.tree.nodes[node], scratch);
    if (!value || value->kind != FieldValue::Kind::Integer) return std::nullopt;
    return value->integer;
}

template<class Map, class Key>
void store(Map& map, const Key& key, std::string value) {
    if (value.empty() || (map.size() >= CaptureNames::most && !map.contains(key))) return;
    map.insert_or_assign(key, std::move(value));
}

template<class Map, class Key>
std::string_view find(const Map& map, const Key& key) {
    const auto at = map.find(key);
    return at == map.end() ? std::string_view() : std::string_view(at->second);
}

} // namespace

struct CaptureNames::Row {
    std::array<NodeIndex, partCount> nodes;
    Row() { nodes.fill(noNode); }
    NodeIndex operator[](Part part) const { return nodes[part]; }
};

struct CaptureNames::Learned {
    std::string member, transactionalId, group, type, name; // of the body itself
    std::optional<std::int64_t> producer;
};

CaptureNames::CaptureNames(const Protocol& protocol)
    : m_protocol(protocol), m_topics(protocol), m_metadataLog(protocol) {}

void CaptureNames::learn(const Exchange& exchange) {
    m_topics.learn(exchange);
    if (!exchange.header) return;
    const std::int16_t key = exchange.header->apiKey;
    Learned request, response;
    if (exchange.request && teaches(m_protocol.plan(key, exchange.header->apiVersion, Direction::Request)))
        learn(exchange.request->bytes, exchange.requestContext(), request);
    if (exchange.response && teaches(m_protocol.plan(key, exchange.responseVersion, Direction::Response)))
        learn(exchange.response->bytes, exchange.responseContext(), response);
    for (const Learned* told : {&request, &response})
        if (!told->member.empty()) store(m_clients, told->member, exchange.header->clientId.value_or(""));
    const std::optional<std::int64_t> producer = response.producer ? response.producer : request.producer;
    if (producer && *producer >= 0) store(m_transactionalIds, *producer, request.transactionalId);
    learnGroup(request, response);
    m_metadataLog.read(exchange, [this](const RecordPayload& record) {
        m_topics.learn(record.bytes, record.message);
        learn(record.bytes, record.message, nullptr);
    });
}

void CaptureNames::learnTopics(const Exchange& exchange) {
    m_topics.learn(exchange);
    m_metadataLog.read(exchange, [this](const RecordPayload& record) { m_topics.learn(record.bytes, record.message); });
}

bool CaptureNames::teaches(const Plan* plan) {
    if (!plan) return false;
    const auto [place, isNew] = m_teaches.try_emplace(plan, false);
    if (!isNew) return place->second;
    for (const PlanField& parent : plan->fields) {
        if (parent.type != FieldType::Struct) continue;
        std::array<bool, partCount + 1> there{};
        for (std::uint32_t i = parent.childBegin; i < parent.taggedBegin; ++i)
            there[partOf(plan->fields[i])] = true;
        std::array<bool, partCount> parts{};
        std::copy_n(there.begin(), partCount, parts.begin());
        if (!tellTogether(parts, &parent == &plan->root())) continue;
        m_teachers.insert(&parent);
        place->second = true;
    }
    return place->second;
}

void CaptureNames::learn(const ByteChain& bytes, const MessageContext& context, Learned& learned) {
    decodeMessage(m_protocol, bytes, context, m_message);
    learn(bytes, m_message, &learned);
}

// The parts of a struct stand in any order, with others between: they are collected by struct.
void CaptureNames::learn(const ByteChain& bytes, const DecodedMessage& message, Learned* learned) {
    const auto& nodes = message.tree.nodes;
    std::map<NodeIndex, Row> rows;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const Part part = partOf(nodes[i]);
        if (part == partCount) continue;
        const NodeIndex parent = nodes[i].parent;
        const bool wanted = !learned || m_teachers.contains(nodes[parent].field) || part == Node;
        if (wanted) rows[parent].nodes[part] = i;
    }
    for (const auto& [parent, row] : rows) {
        keep(row, bytes, message);
        keepEndpoint(row, parent, bytes, message);
    }
    if (!learned || message.body == noNode || !rows.contains(message.body)) return;
    const Row& body = rows.at(message.body);
    learned->member = text(bytes, message, body[Member]);
    learned->transactionalId = text(bytes, message, body[TransactionalId]);
    learned->group = text(bytes, message, body[Group]);
    learned->type = text(bytes, message, body[Type]);
    learned->name = text(bytes, message, body[Name]);
    learned->producer = number(bytes, message, body[Producer]);
}

void CaptureNames::keep(const Row& row, const ByteChain& bytes, const DecodedMessage& message) {
    if (row[Member] != noNode && row[Client] != noNode)
        store(m_clients, text(bytes, message, row[Member]), text(bytes, message, row[Client]));
    if (row[TransactionalId] != noNode && row[Producer] != noNode) {
        const std::int64_t producer = number(bytes, message, row[Producer]).value_or(-1);
        if (producer >= 0) store(m_transactionalIds, producer, text(bytes, message, row[TransactionalId]));
    }
}

// The address stands beside the node's id, or in a list of endpoints below it, whose first one counts.
void CaptureNames::keepEndpoint(const Row& row, NodeIndex parent, const ByteChain& bytes,
                                const DecodedMessage& message) {
    const auto port = number(bytes, message, row[Port]);
    const std::string host = text(bytes, message, row[Host]);
    if (!port || *port < 0 || host.empty()) return;
    std::string address =
        host.find(':') == host.npos ? fmt::format("{}:{}", host, *port) : fmt::format("[{}]:{}", host, *port);
    const auto& nodes = message.tree.nodes;
    if (row[Node] != noNode) {
        const auto node = number(bytes, message, row[Node]);
        if (node && *node >= 0) store(m_addresses, static_cast<std::int32_t>(*node), std::move(address));
        return;
    }
    const NodeIndex list = nodes[parent].parent, owner = list == noNode ? noNode : nodes[list].parent;
    if (owner == noNode || !nodes[list].isArray()) return;
    for (NodeIndex i = message.tree.firstChild(owner); i != noNode; i = message.tree.nextSibling(i)) {
        if (partOf(nodes[i]) != Node) continue;
        const auto node = static_cast<std::int32_t>(number(bytes, message, i).value_or(-1));
        if (node >= 0 && find(m_addresses, node).empty()) store(m_addresses, node, std::move(address));
        return;
    }
}

void CaptureNames::learnGroup(const Learned& request, const Learned& response) {
    const std::string& type = response.type.empty() ? request.type : response.type;
    const std::string& name = response.name.empty() ? request.name : response.name;
    if (request.group.empty() || (type.empty() && name.empty())) return;
    if (m_groups.size() >= most && !m_groups.contains(request.group)) return;
    GroupProtocol& known = m_groups[request.group];
    if (!type.empty()) known.type = type;
    if (!name.empty()) known.name = name;
}

std::string_view CaptureNames::clientOf(std::string_view member) const {
    return find(m_clients, std::string(member));
}

std::string_view CaptureNames::transactionalIdOf(std::int64_t producerId) const {
    return find(m_transactionalIds, producerId);
}

std::string_view CaptureNames::addressOf(std::int32_t node) const {
    return find(m_addresses, node);
}

std::string CaptureNames::groupOf(const Exchange& exchange) const {
    if (!exchange.header || !exchange.request) return {};
    const std::int16_t key = exchange.header->apiKey;
    if (key != joinGroupKey && key != syncGroupKey) return {};
    Skim skim;
    skimMessage(m_protocol, exchange.request->bytes, exchange.requestContext(), skim);
    return skim.group;
}

PayloadContext CaptureNames::payloadContext(const Exchange& exchange, Direction direction) const {
    PayloadContext context;
    context.direction = direction;
    if (exchange.peer) context.mechanism = exchange.peer->saslMechanism;
    if (const auto group = m_groups.find(groupOf(exchange)); group != m_groups.end()) {
        context.protocolType = group->second.type;
        context.protocolName = group->second.name;
    }
    const bool forwarded = exchange.header && exchange.header->apiKey == envelopeKey && exchange.request;
    if (!forwarded || direction != Direction::Response) return context;
    DecodedMessage request;
    decodeMessage(m_protocol, exchange.request->bytes, exchange.requestContext(), request);
    const NodeIndex inner = request.body == noNode ? noNode : request.tree.child(request.body, "requestData");
    if (inner == noNode) return context;
    const FieldNode& at = request.tree.nodes[inner];
    Cursor cursor(exchange.request->bytes, at.contentOffset(), at.offset + at.length);
    const std::int16_t key = cursor.readI16(), version = cursor.readI16();
    if (!cursor.ok()) return context;
    context.innerApi = key;
    context.innerVersion = version;
    return context;
}

IdNames CaptureNames::idNames() const {
    IdNames names;
    names.topic = [this](const TopicId& id) { return std::string(m_topics.name(id)); };
    names.member = [this](std::string_view id) { return std::string(clientOf(id)); };
    names.producer = [this](std::int64_t id) { return std::string(transactionalIdOf(id)); };
    names.node = [this](std::int32_t id) { return std::string(addressOf(id)); };
    return names;
}

} // namespace brokerscope
