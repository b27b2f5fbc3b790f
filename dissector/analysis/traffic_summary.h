// SPDX-License-Identifier: Apache-2.0
// What is in a capture: brokers, clients, topics, requests and latency by api, errors, damage, what was not Kafka.
// Fed exchange by exchange in any order; the result can be looked at in between.
//
// Latency is that of the exchanges in which the broker did not wait by design (long polls, rebalances, throttling).
// Memory:  bounded: at most maxNames clients, topics and brokers each (the rest is counted in leftOut), a few hundred
//          bytes a name, and one histogram an api.
// Threads: one.
#pragma once

#include "dissector/analysis/latency_histogram.h"
#include "dissector/analysis/tls_summary.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/analysis/wait_reason.h"
#include "dissector/exchange/exchange.h"
#include "dissector/message/skim.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace brokerscope {

struct TrafficSummary {
    static constexpr std::size_t maxNames = 10'000;
    static constexpr std::size_t statusCount = 7;

    struct ApiRow {
        std::set<std::int16_t> versions;
        std::uint64_t exchanges = 0, withErrors = 0, unanswered = 0, waitedByDesign = 0;
        std::uint64_t requestBytes = 0, responseBytes = 0;
        LatencyHistogram latency;
    };
    struct ErrorRow {
        std::uint64_t exchanges = 0; // that hold the code, however often
        std::set<std::int16_t> apis;
        ExchangeId first;
    };
    struct Client {
        std::uint64_t exchanges = 0;
        std::set<Address> addresses; // at most maxAddresses
    };
    struct ClientKey {
        std::string softwareName, softwareVersion; // empty: not told
        std::string clientId;
        auto operator<=>(const ClientKey&) const = default;
    };
    struct Broker {
        std::uint64_t exchanges = 0, errors = 0, bytes = 0;
        LatencyHistogram latency;
    };
    struct Topic {
        std::uint64_t produces = 0, fetches = 0, others = 0;
    };
    struct Foreign {
        std::uint64_t connections = 0;
        std::set<Endpoint> servers; // at most maxAddresses
    };
    static constexpr std::size_t maxAddresses = 16;

    std::uint64_t exchanges = 0;
    std::array<std::uint64_t, statusCount> byStatus{};
    std::uint64_t withErrors = 0, damaged = 0;
    std::uint64_t kafkaConnections = 0, lostBytes = 0, garbageBytes = 0;
    std::uint64_t leftOut = 0;
    std::map<std::int16_t, ApiRow> apis;
    std::map<std::int16_t, ErrorRow> errors;
    std::map<ClientKey, Client> clients;
    std::map<Endpoint, Broker> brokers;
    std::map<std::string, Topic> topics;           // by name, or by id where no name was seen
    std::map<ProblemKind, std::uint64_t> problems; // exchanges that have one
    std::map<std::string, Foreign> foreign;        // by protocol; "": not known
    TlsSummary tls;
};

// Takes part in the pipeline beside whoever skims the messages.
class SummaryCollector {
  public:
    explicit SummaryCollector(const Protocol& protocol) : m_names(protocol) {}

    void add(const Exchange& exchange, const Skim& request, const Skim& response);
    void addForeign(const Connection& connection, std::string_view protocol);
    void addTls(const Connection& connection, const TlsFacts& facts) { m_summary.tls.add(connection, facts); }
    void addPassedOver(std::uint64_t count, Hole hole);

    // Topic ids seen before their names get them, clients that told their software late are put together.
    TrafficSummary summary() const;

  private:
    void addApi(const Exchange& exchange, const Skim& request, const Skim& response);
    void addPeers(const Exchange& exchange, const Skim& response);
    void addTopics(const Exchange& exchange, const Skim& skim);
    void addProblems(const Exchange& exchange, const Skim& request, const Skim& response);

    template<class Map>
    typename Map::mapped_type* slot(Map& map, const typename Map::key_type& key);

    TopicNames m_names;
    TrafficSummary m_summary;
    std::map<TopicId, TrafficSummary::Topic> m_topicsById;
};

} // namespace brokerscope
