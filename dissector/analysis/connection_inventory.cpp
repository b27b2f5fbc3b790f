// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/connection_inventory.h"

namespace brokerscope {
namespace {

constexpr std::int16_t apiVersionsKey = 18;

} // namespace

SeenConnection* ConnectionInventory::find(ConnectionId id) {
    const auto found = m_connections.find(id);
    if (found != m_connections.end()) return &found->second;
    if (m_connections.size() < maxConnections) return &m_connections[id];
    ++m_leftOut;
    return nullptr;
}

void ConnectionInventory::add(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    SeenConnection* seen = find(exchange.tcpConnection);
    if (!seen) return;
    seen->id = exchange.connection;
    seen->protocol = "Kafka";
    seen->client = exchange.client;
    seen->broker = exchange.broker;
    ++seen->exchanges;
    if (!facts.response.errors.empty()) ++seen->withErrors;
    if (exchange.status == ExchangeStatus::Unanswered) ++seen->unanswered;
    if (exchange.request) seen->requestBytes += exchange.request->bytes.size();
    if (exchange.response) seen->responseBytes += exchange.response->bytes.size();
    if (exchange.header) {
        if (facts.api) seen->apis.emplace(exchange.header->apiKey, exchange.header->apiVersion);
        if (exchange.header->clientId && seen->clientIds.size() < maxNames)
            seen->clientIds.insert(*exchange.header->clientId);
        if (exchange.header->apiKey == apiVersionsKey && exchange.response) noteOffer(exchange);
    }
    if (!exchange.peer) return;
    if (!exchange.peer->softwareName.empty()) {
        seen->softwareName = exchange.peer->softwareName;
        seen->softwareVersion = exchange.peer->softwareVersion;
    }
    if (!exchange.peer->saslMechanism.empty()) seen->saslMechanism = exchange.peer->saslMechanism;
}

void ConnectionInventory::noteOffer(const Exchange& exchange) {
    if (m_offers.contains(exchange.broker) || m_offers.size() >= maxBrokers) return;
    m_bodies.assign(exchange);
    std::map<std::int16_t, VersionRange> offer;
    for (const FieldView api : m_bodies.response()["apiKeys"].entries())
        offer[static_cast<std::int16_t>(api["apiKey"].number(-1))] = {
            static_cast<std::int16_t>(api["minVersion"].number(0)),
            static_cast<std::int16_t>(api["maxVersion"].number(0))};
    if (!offer.empty()) m_offers.emplace(exchange.broker, std::move(offer));
}

std::optional<ConnectionInventory::VersionRange> ConnectionInventory::offered(const Endpoint& broker,
                                                                              std::int16_t apiKey) const {
    const auto offer = m_offers.find(broker);
    if (offer == m_offers.end()) return std::nullopt;
    const auto found = offer->second.find(apiKey);
    return found == offer->second.end() ? std::nullopt : std::optional(found->second);
}

void ConnectionInventory::addForeign(const Connection& connection, std::string_view protocol) {
    if (SeenConnection* seen = find(connection.id)) {
        seen->protocol = protocol;
        seen->client = connection.first;
        seen->broker = connection.second;
    }
}

void ConnectionInventory::addTls(const Connection& connection, const TlsFacts& facts) {
    if (SeenConnection* seen = find(connection.id)) seen->tls = facts;
}

void ConnectionInventory::addEnd(const Connection& connection, KafkaConnectionId id, const ConnectionFacts* facts) {
    const auto found = m_connections.find(connection.id);
    if (found == m_connections.end()) return; // nobody said anything, or there was no room
    SeenConnection& seen = found->second;
    seen.id = id;
    seen.start = connection.start;
    if (seen.client == connection.second) seen.clientSide = Side::Second;
    if (facts) seen.tcp = *facts;
}

} // namespace brokerscope
