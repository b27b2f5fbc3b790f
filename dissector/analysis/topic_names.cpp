// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/topic_names.h"

#include <algorithm>

namespace brokerscope {
namespace {

bool hasSemantic(const PlanField& field, Semantic semantic, FieldType type) {
    return field.schema && field.schema->semantic == semantic && field.type == type && !field.isArray;
}

// A struct of the plan with a topic's name and its id as direct children.
bool namesAnId(const Plan& plan, const PlanField& parent) {
    bool name = false, id = false;
    for (std::uint32_t i = parent.childBegin; i < parent.childEnd; ++i) {
        name = name || hasSemantic(plan.fields[i], Semantic::Topic, FieldType::String);
        id = id || hasSemantic(plan.fields[i], Semantic::TopicId, FieldType::Uuid);
    }
    return name && id;
}

// The metadata log has an id that no message tells: Kafka has it built in.
constexpr TopicId metadataTopicId{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::string_view metadataTopicName = "__cluster_metadata";

} // namespace

TopicNames::TopicNames(const Protocol& protocol) : m_protocol(&protocol) {
    m_names.emplace(metadataTopicId, metadataTopicName);
}

void TopicNames::learn(const Exchange& exchange) {
    if (!exchange.header) return;
    const std::int16_t key = exchange.header->apiKey;
    if (exchange.request && teaches(m_protocol->plan(key, exchange.header->apiVersion, Direction::Request)))
        decode(exchange.request->bytes, exchange.requestContext());
    if (exchange.response && teaches(m_protocol->plan(key, exchange.responseVersion, Direction::Response)))
        decode(exchange.response->bytes, exchange.responseContext());
}

bool TopicNames::teaches(const Plan* plan) {
    if (!plan) return false;
    const auto [place, isNew] = m_teaches.try_emplace(plan, false);
    if (isNew)
        place->second =
            std::ranges::any_of(plan->fields, [&](const PlanField& field) { return namesAnId(*plan, field); });
    return place->second;
}

void TopicNames::decode(const ByteChain& bytes, const MessageContext& context) {
    decodeMessage(*m_protocol, bytes, context, m_message);
    learn(bytes, m_message);
}

void TopicNames::learn(const ByteChain& bytes, const DecodedMessage& message) {
    const auto& nodes = message.tree.nodes;
    std::vector<std::uint8_t> scratch;
    // Name and id stand side by side, in either order: whichever comes second finds the other.
    NodeIndex nameNode = noNode, idNode = noNode;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const FieldNode& node = nodes[i];
        if (node.kind != NodeKind::Field || !node.field || node.isNull) continue;
        if (hasSemantic(*node.field, Semantic::Topic, FieldType::String))
            nameNode = i;
        else if (hasSemantic(*node.field, Semantic::TopicId, FieldType::Uuid))
            idNode = i;
        else
            continue;
        if (nameNode == noNode || idNode == noNode || nodes[nameNode].parent != nodes[idNode].parent) continue;
        TopicId id{};
        const auto idValue = readValue(bytes, nodes[idNode], scratch);
        if (!idValue || idValue->bytes.size() != id.size()) continue;
        std::ranges::copy(idValue->bytes, id.begin());
        const auto name = readValue(bytes, nodes[nameNode], scratch);
        if (!name || name->kind != FieldValue::Kind::Text || id == TopicId{} || m_names.size() >= maxNames) continue;
        m_names.insert_or_assign(id, std::string(name->bytes.begin(), name->bytes.end()));
    }
}

std::string_view TopicNames::name(const TopicId& id) const {
    const auto found = m_names.find(id);
    return found == m_names.end() ? std::string_view() : std::string_view(found->second);
}

std::string TopicNames::nameOrId(const TopicId& id) const {
    const std::string_view known = name(id);
    return known.empty() ? uuidText(id) : std::string(known);
}

} // namespace brokerscope
