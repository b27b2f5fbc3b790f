// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/traffic_summary.h"

#include "dissector/message/field_tree.h"

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t produceKey = 0, fetchKey = 1, shareFetchKey = 78;

template<class Set, class Value>
void insertBounded(Set& set, const Value& value, std::size_t most) {
    if (set.size() < most) set.insert(value);
}

std::uint64_t frameBytes(const std::optional<Frame>& frame) {
    return frame ? frame->bytes.size() : 0;
}

void addTo(TrafficSummary::Topic& sum, const TrafficSummary::Topic& part) {
    sum.produces += part.produces;
    sum.fetches += part.fetches;
    sum.others += part.others;
}

// A client id that told its software on some connections only is one client. Those that told nothing come first in
// the map's order.
void joinClients(std::map<TrafficSummary::ClientKey, TrafficSummary::Client>& clients) {
    std::map<std::string_view, TrafficSummary::Client*> told;
    for (auto& [key, client] : clients)
        if (!key.softwareName.empty()) told.try_emplace(key.clientId, &client);
    for (auto untold = clients.begin(); untold != clients.end() && untold->first.softwareName.empty();) {
        const auto found = told.find(untold->first.clientId);
        if (found == told.end()) {
            ++untold;
            continue;
        }
        found->second->exchanges += untold->second.exchanges;
        for (const Address& address : untold->second.addresses)
            insertBounded(found->second->addresses, address, TrafficSummary::maxAddresses);
        untold = clients.erase(untold);
    }
}

} // namespace

template<class Map>
typename Map::mapped_type* SummaryCollector::slot(Map& map, const typename Map::key_type& key) {
    const auto found = map.find(key);
    if (found != map.end()) return &found->second;
    if (map.size() < TrafficSummary::maxNames) return &map[key];
    ++m_summary.leftOut;
    return nullptr;
}

void SummaryCollector::add(const Exchange& exchange, const Skim& request, const Skim& response) {
    ++m_summary.exchanges;
    ++m_summary.byStatus[static_cast<std::size_t>(exchange.status)];
    m_summary.kafkaConnections = std::max(m_summary.kafkaConnections, exchange.connection.value);
    if (!response.errors.empty()) ++m_summary.withErrors;
    addApi(exchange, request, response);
    addPeers(exchange, response);
    addProblems(exchange, request, response);
    m_names.learn(exchange);
    addTopics(exchange, request.topicCount != 0 ? request : response);

    std::set<std::int16_t> codes;
    for (const ErrorAt& error : response.errors)
        codes.insert(error.code);
    for (const std::int16_t code : codes) {
        TrafficSummary::ErrorRow& row = m_summary.errors[code];
        ++row.exchanges;
        if (exchange.header) row.apis.insert(exchange.header->apiKey);
        if (!row.first || exchange.id < row.first) row.first = exchange.id;
    }
}

void SummaryCollector::addApi(const Exchange& exchange, const Skim& request, const Skim& response) {
    if (!exchange.header) return;
    TrafficSummary::ApiRow& row = m_summary.apis[exchange.header->apiKey];
    row.versions.insert(exchange.header->apiVersion);
    ++row.exchanges;
    row.requestBytes += frameBytes(exchange.request);
    row.responseBytes += frameBytes(exchange.response);
    if (!response.errors.empty()) ++row.withErrors;
    if (exchange.status == ExchangeStatus::Unanswered) ++row.unanswered;

    TrafficSummary::Broker* broker = slot(m_summary.brokers, exchange.broker);
    if (const auto times = latency(exchange)) {
        if (waitByDesign(exchange, *times, request, response).reason != WaitReason::None) {
            ++row.waitedByDesign;
            return;
        }
        row.latency.add(times->total);
        if (broker) broker->latency.add(times->total);
    }
}

void SummaryCollector::addPeers(const Exchange& exchange, const Skim& response) {
    if (auto* broker = slot(m_summary.brokers, exchange.broker)) {
        ++broker->exchanges;
        if (!response.errors.empty()) ++broker->errors;
        broker->bytes += frameBytes(exchange.request) + frameBytes(exchange.response);
    }
    TrafficSummary::ClientKey key;
    if (exchange.peer) {
        key.softwareName = exchange.peer->softwareName;
        key.softwareVersion = exchange.peer->softwareVersion;
    }
    if (exchange.header) key.clientId = exchange.header->clientId.value_or("");
    if (auto* client = slot(m_summary.clients, key)) {
        ++client->exchanges;
        insertBounded(client->addresses, exchange.client.address, TrafficSummary::maxAddresses);
    }
}

void SummaryCollector::addTopics(const Exchange& exchange, const Skim& skim) {
    const std::int16_t key = exchange.header ? exchange.header->apiKey : std::int16_t{-1};
    TrafficSummary::Topic use;
    (key == produceKey ? use.produces : key == fetchKey || key == shareFetchKey ? use.fetches : use.others) = 1;
    for (const std::string& name : skim.topics)
        if (auto* topic = slot(m_summary.topics, name)) addTo(*topic, use);
    for (const TopicId& id : skim.topicIds)
        if (auto* topic = slot(m_topicsById, id)) addTo(*topic, use);
}

void SummaryCollector::addProblems(const Exchange& exchange, const Skim& request, const Skim& response) {
    std::set<ProblemKind> kinds;
    for (const auto* problems : {&exchange.problems, &request.problems, &response.problems})
        for (const Problem& problem : *problems)
            kinds.insert(problem.kind);
    if (std::ranges::any_of(kinds, [](ProblemKind kind) { return row(kind).damage; })) ++m_summary.damaged;
    for (const ProblemKind kind : kinds)
        ++m_summary.problems[kind];
}

void SummaryCollector::addForeign(const Connection& connection, std::string_view protocol) {
    TrafficSummary::Foreign* foreign = slot(m_summary.foreign, std::string(protocol));
    if (!foreign) return;
    ++foreign->connections;
    insertBounded(foreign->servers, connection.second, TrafficSummary::maxAddresses);
}

void SummaryCollector::addPassedOver(std::uint64_t count, Hole hole) {
    (hole == Hole::None ? m_summary.garbageBytes : m_summary.lostBytes) += count;
}

TrafficSummary SummaryCollector::summary() const {
    TrafficSummary result = m_summary;
    for (const auto& [id, topic] : m_topicsById)
        if (id != TopicId{}) addTo(result.topics[m_names.nameOrId(id)], topic);
    joinClients(result.clients);
    return result;
}

} // namespace brokerscope
