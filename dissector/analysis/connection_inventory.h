// SPDX-License-Identifier: Apache-2.0
// Every connection of a capture in one row: who talks to whom with which software, in which API versions, how it is
// authenticated and encrypted, how much went wrong, and what TCP tells. What is not Kafka is named.
//
// Memory:  at most maxConnections rows (the rest is counted in leftOut), each with at most maxNames client ids; the
//          versions that at most maxBrokers brokers offer.
// Threads: one.
#pragma once

#include "capture/types/connection_facts.h"
#include "capture/types/tls_facts.h"
#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace brokerscope {

struct SeenConnection {
    KafkaConnectionId id; // none: not Kafka
    Endpoint client, broker;
    std::string protocol; // "Kafka", or what it is instead; "" for unknown
    Timestamp start;
    std::set<std::string> clientIds;
    std::string softwareName, softwareVersion, saslMechanism;
    std::set<std::pair<std::int16_t, std::int16_t>> apis; // key, version
    std::uint64_t exchanges = 0, withErrors = 0, unanswered = 0;
    std::uint64_t requestBytes = 0, responseBytes = 0;
    std::optional<TlsFacts> tls;
    std::optional<ConnectionFacts> tcp; // sides as in `clientSide`
    Side clientSide = Side::First;
};

class ConnectionInventory {
  public:
    static constexpr std::size_t maxConnections = 100'000;
    static constexpr std::size_t maxNames = 16;
    static constexpr std::size_t maxBrokers = 1000;

    struct VersionRange {
        std::int16_t least = 0, most = 0;
    };

    explicit ConnectionInventory(const Protocol& protocol) : m_bodies(protocol) {}

    void add(const ExchangeFacts& facts);
    void addForeign(const Connection& connection, std::string_view protocol);
    void addTls(const Connection& connection, const TlsFacts& facts);
    // At its end; `facts` may be null.
    void addEnd(const Connection& connection, KafkaConnectionId id, const ConnectionFacts* facts);

    // In the order of their begin, as the capture has them. Connections on which nobody said a word are not among them.
    const std::map<ConnectionId, SeenConnection>& connections() const { return m_connections; }
    std::uint64_t leftOut() const { return m_leftOut; }
    // What the broker said in its answers to ApiVersions; nullopt: it was not asked.
    std::optional<VersionRange> offered(const Endpoint& broker, std::int16_t apiKey) const;

  private:
    SeenConnection* find(ConnectionId id);
    void noteOffer(const Exchange& exchange);

    std::map<ConnectionId, SeenConnection> m_connections;
    std::map<Endpoint, std::map<std::int16_t, VersionRange>> m_offers;
    ExchangeBodies m_bodies;
    std::uint64_t m_leftOut = 0;
};

} // namespace brokerscope
