// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/flow/flow.h"

#include "dissector/analysis/api_keys.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace brokerscope {
namespace {

// Fields that tell how a group or a transaction goes on.
struct FieldRow {
    std::int16_t api;
    Direction direction;
    std::string_view field, label;
};
constexpr auto fieldRows = std::to_array<FieldRow>({
    {apikey::FindCoordinator, Direction::Response, "nodeId", "node"},
    {apikey::JoinGroup, Direction::Response, "generationId", "generation"},
    {apikey::SyncGroup, Direction::Request, "generationId", "generation"},
    {apikey::Heartbeat, Direction::Request, "generationId", "generation"},
    {apikey::OffsetCommit, Direction::Request, "generationIdOrMemberEpoch", "generation"},
    {apikey::ConsumerGroupHeartbeat, Direction::Request, "memberEpoch", "epoch"},
    {apikey::ConsumerGroupHeartbeat, Direction::Response, "memberEpoch", "epoch"},
    {apikey::ShareGroupHeartbeat, Direction::Request, "memberEpoch", "epoch"},
    {apikey::ShareGroupHeartbeat, Direction::Response, "memberEpoch", "epoch"},
    {apikey::StreamsGroupHeartbeat, Direction::Request, "memberEpoch", "epoch"},
    {apikey::StreamsGroupHeartbeat, Direction::Response, "memberEpoch", "epoch"},
    {apikey::InitProducerId, Direction::Response, "producerId", "producer id"},
    {apikey::InitProducerId, Direction::Response, "producerEpoch", "epoch"},
    {apikey::EndTxn, Direction::Request, "producerEpoch", "epoch"},
    {apikey::EndTxn, Direction::Response, "producerEpoch", "epoch"},
    {apikey::Fetch, Direction::Request, "sessionEpoch", "session epoch"},
});

std::string milliseconds(Duration duration) {
    const double value = static_cast<double>(duration.count()) / 1e6;
    return value < 999.5 ? fmt::format("{:.3g} ms", value) : fmt::format("{:.3g} s", value / 1e3);
}

} // namespace

std::string FlowCollector::fieldsOf(const Exchange& exchange, Direction direction) {
    const bool asked = direction == Direction::Request;
    const std::int16_t api = exchange.header->apiKey;
    const bool wanted = std::ranges::any_of(
        fieldRows, [&](const FieldRow& row) { return row.api == api && row.direction == direction; });
    if (!wanted) return {};
    m_bodies.assign(exchange);
    const FieldView body = asked ? m_bodies.request() : m_bodies.response();
    std::string text;
    if (api == apikey::EndTxn && asked) text = body["committed"].number(0) != 0 ? " commit" : " abort";
    for (const FieldRow& row : fieldRows)
        if (row.api == api && row.direction == direction)
            if (const auto value = body[row.field].number()) text += fmt::format(" {} {}", row.label, *value);
    return text;
}

std::string FlowCollector::requestText(const ExchangeFacts& facts, const TopicNames& names) {
    const Skim& request = facts.request;
    std::string text = apiText(facts) + fieldsOf(*facts.exchange, Direction::Request);
    if (!request.group.empty()) text += fmt::format(" {}", request.group);
    if (!request.transactionalId.empty()) text += fmt::format(" {}", request.transactionalId);
    std::vector<std::string> topics = request.topics;
    for (const TopicId& id : request.topicIds)
        topics.push_back(names.nameOrId(id));
    if (!topics.empty()) text += fmt::format(" {}", topics.front());
    if (topics.size() > 1) text += fmt::format(" +{}", topics.size() - 1);
    if (request.recordBytes != 0) text += fmt::format(" {}", sizeWords(request.recordBytes));
    return text;
}

std::string FlowCollector::answerText(const ExchangeFacts& facts) {
    std::string text = facts.times ? milliseconds(facts.times->total) : "answer";
    if (facts.waited.reason != WaitReason::None) text += fmt::format(" ({})", name(facts.waited.reason));
    std::int16_t last = 0;
    for (const ErrorAt& error : facts.response.errors) {
        const ErrorCode* code = m_protocol.error(error.code);
        if (error.code != last) text += code ? fmt::format(" {}", code->name) : fmt::format(" error {}", error.code);
        last = error.code;
    }
    if (facts.response.recordBytes != 0) text += fmt::format(" {}", sizeWords(facts.response.recordBytes));
    if (facts.response.throttleMs.value_or(0) > 0) text += fmt::format(" throttled {} ms", *facts.response.throttleMs);
    return text + fieldsOf(*facts.exchange, Direction::Response);
}

std::size_t FlowCollector::lane(std::map<std::string, std::size_t>& lanes, std::vector<FlowLane>& all,
                                const std::string& name, bool broker) {
    const auto found = lanes.find(name);
    if (found != lanes.end()) return found->second;
    if (all.size() == maxLanes) {
        all.back().name = broker ? "other brokers" : "other clients";
        return maxLanes - 1;
    }
    all.push_back({fmt::format("{}{}", broker ? 'B' : 'C', all.size() + 1), name, broker});
    return lanes[name] = all.size() - 1;
}

void FlowCollector::add(const ExchangeFacts& facts, const TopicNames& names) {
    const Exchange& exchange = *facts.exchange;
    if (m_events.size() + 2 > maxEvents) {
        ++m_leftOut;
        return;
    }
    const std::string address = toString(exchange.client.address);
    const bool named = exchange.header && exchange.header->clientId && !exchange.header->clientId->empty();
    const std::string client = named ? fmt::format("{} ({})", *exchange.header->clientId, address) : address;
    const std::size_t from = lane(m_clientOf, m_clients, client, false);
    const std::size_t to = lane(m_brokerOf, m_brokers, toString(exchange.broker), true);
    using Kind = FlowEvent::Kind;
    if (exchange.request) {
        FlowEvent asked{Kind::Request, exchange.request->begin, from, to, exchange.id, {}, facts.timeDigits()};
        asked.text = exchange.header ? requestText(facts, names) : apiText(facts);
        if (!exchange.response) {
            asked.kind = Kind::RequestWithoutAnswer;
            asked.text += exchange.status == ExchangeStatus::NoResponseExpected ? " (acks=0)" : " (no answer)";
        }
        m_events.push_back(std::move(asked));
    }
    if (!exchange.response) return;
    FlowEvent answer{Kind::Answer, exchange.response->end, from, to, exchange.id, {}, facts.timeDigits()};
    if (!facts.response.errors.empty()) answer.kind = Kind::ErrorAnswer;
    answer.text = exchange.header ? answerText(facts) : "answer";
    if (!exchange.request) answer.text = fmt::format("{} {}", apiText(facts), answer.text);
    m_events.push_back(std::move(answer));
}

Flow FlowCollector::finish() {
    Flow flow;
    flow.leftOut = m_leftOut;
    flow.lanes = m_clients;
    flow.lanes.insert(flow.lanes.end(), m_brokers.begin(), m_brokers.end());
    flow.events = std::move(m_events);
    for (FlowEvent& event : flow.events) {
        event.to += m_clients.size();
        const bool back = event.kind == FlowEvent::Kind::Answer || event.kind == FlowEvent::Kind::ErrorAnswer;
        if (back) std::swap(event.from, event.to);
    }
    std::ranges::stable_sort(flow.events, [](const FlowEvent& a, const FlowEvent& b) {
        return std::tie(a.time, a.exchange) < std::tie(b.time, b.exchange);
    });
    return flow;
}

} // namespace brokerscope
