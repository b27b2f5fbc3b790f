// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/connection_inventory.h"

namespace brokerscope {

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
    }
    if (!exchange.peer) return;
    if (!exchange.peer->softwareName.empty()) {
        seen->softwareName = exchange.peer->softwareName;
        seen->softwareVersion = exchange.peer->softwareVersion;
    }
    if (!exchange.peer->saslMechanism.empty()) seen->saslMechanism = exchange.peer->saslMechanism;
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
