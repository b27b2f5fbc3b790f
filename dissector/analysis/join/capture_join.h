// SPDX-License-Identifier: Apache-2.0
// Joins two captures of the same traffic, one taken at the client, one at the broker: the way there, the broker, the
// way back. The clocks of the two differ by an offset that is worked out from all exchanges: a request cannot arrive
// before it was sent, nor an answer, so the offset lies between two bounds, and the middle of them is taken.
//
//     whole = requestTransfer + requestPath + broker + responsePath + responseTransfer     exactly, by the client's
//     clock
//
// Memory: some 150 bytes an exchange, at most maxExchanges of each side; the rest is counted. Threads: one.
#pragma once

#include "dissector/exchange/exchange.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace brokerscope {

// The broker's clock less the client's.
struct ClockOffset {
    Duration offset{};
    Duration uncertainty{};      // the true one lies within offset +- uncertainty
    bool contradicts = false;    // no single offset fits all exchanges: the clocks drift, or were set in between
    std::uint64_t exchanges = 0; // it was worked out from
};

class CaptureJoin {
  public:
    static constexpr std::size_t maxExchanges = 2'000'000;

    struct Joined {
        ExchangeId client, broker; // numbers in the two captures
        std::int16_t apiKey = -1, apiVersion = 0;
        Endpoint clientEnd, brokerEnd;
        Timestamp start; // by the client's clock
        Duration whole{}, requestTransfer{}, requestPath{}, atBroker{}, responsePath{}, responseTransfer{};
    };
    enum class Fate : std::uint8_t {
        NeverArrived, // the client sent it, the broker's capture does not have it
        OnlyAtBroker, // the broker's capture has it, the client's does not
        AnswerLost,   // the broker answered, the answer did not reach the client
        NotAnswered,  // both have the request, none an answer
        NoneExpected, // acks=0
        AnswerOnlyAtClient,
    };
    struct Single {
        Fate fate;
        ExchangeId client, broker; // 0: not there
        std::int16_t apiKey = -1, apiVersion = 0;
        Endpoint clientEnd, brokerEnd;
        Timestamp start; // by the clock of the capture that has it
    };
    struct Result {
        ClockOffset clock;
        std::vector<Joined> joined;
        std::vector<Single> singles; // requests that have no whole story
        std::uint64_t leftOut = 0;
        bool swapped = false; // the capture that was given as the client's is nearer to the broker
    };

    void addClientSide(const Exchange& exchange) { add(m_client, exchange); }
    void addBrokerSide(const Exchange& exchange) { add(m_broker, exchange); }
    Result finish();

  private:
    struct Seen {
        ExchangeId id;
        ExchangeStatus status = ExchangeStatus::Open;
        std::int16_t apiKey = -1, apiVersion = 0;
        Endpoint client, broker;
        Timestamp requestBegin, requestEnd, responseBegin, responseEnd;
        bool answered = false;
    };
    using Key = std::tuple<Endpoint, Endpoint, std::int32_t, std::int16_t>; // client, broker, correlation id, api
    using Exchanges = std::map<Key, std::deque<Seen>>;

    void add(Exchanges& to, const Exchange& exchange);
    static void pair(const Seen& client, const Seen& broker, std::vector<std::pair<Seen, Seen>>& both, Result& result);
    static ClockOffset estimate(const std::vector<std::pair<Seen, Seen>>& both);

    Exchanges m_client, m_broker;
    std::size_t m_count = 0;
    std::uint64_t m_leftOut = 0;
};

std::string_view name(CaptureJoin::Fate fate); // "never-arrived", as in ndjson
std::string_view text(CaptureJoin::Fate fate); // for people

} // namespace brokerscope
