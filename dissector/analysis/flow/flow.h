// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in which order: clients and brokers as lanes, requests and answers as arrows between them, by time.
// What stands beside an arrow is what a person follows a story by: api and version, topic, group or transactional id,
// generation, epochs, errors, how long it took.
//
// Memory: some 200 bytes an arrow, at most maxEvents of them; exchanges beyond are counted in leftOut.
// Threads: one.
#pragma once

#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/topic_names.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace brokerscope {

struct FlowLane {
    std::string tag;  // "C1", "B2"
    std::string name; // 'client "c1" (10.77.0.2)', "10.77.0.11:9092"
    bool broker = false;
};

struct FlowEvent {
    enum class Kind : std::uint8_t { Request, RequestWithoutAnswer, Answer, ErrorAnswer };

    Kind kind = Kind::Request;
    Timestamp time;
    std::size_t from = 0, to = 0; // lanes
    ExchangeId exchange;
    std::string text;
    int timeDigits = 6;
};

struct Flow {
    std::vector<FlowLane> lanes; // clients first, each in the order of its first exchange
    std::vector<FlowEvent> events;
    std::uint64_t leftOut = 0;
};

class FlowCollector {
  public:
    static constexpr std::size_t maxEvents = 200'000, maxLanes = 64; // lanes of each kind; further ones share the last

    explicit FlowCollector(const Protocol& protocol) : m_protocol(protocol), m_bodies(protocol) {}

    // `names` gives topic ids their names.
    void add(const ExchangeFacts& facts, const TopicNames& names);
    Flow finish();

  private:
    std::size_t lane(std::map<std::string, std::size_t>& lanes, std::vector<FlowLane>& all, const std::string& name,
                     bool broker);
    std::string requestText(const ExchangeFacts& facts, const TopicNames& names);
    std::string answerText(const ExchangeFacts& facts);
    std::string fieldsOf(const Exchange& exchange, Direction direction);

    const Protocol& m_protocol;
    std::map<std::string, std::size_t> m_clientOf, m_brokerOf;
    std::vector<FlowLane> m_clients, m_brokers;
    std::vector<FlowEvent> m_events; // lanes count within their kind until finish()
    std::uint64_t m_leftOut = 0;
    ExchangeBodies m_bodies;
};

} // namespace brokerscope
