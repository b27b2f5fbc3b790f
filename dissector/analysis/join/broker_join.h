// SPDX-License-Identifier: Apache-2.0
// Joins exchanges of a capture with the broker's own request log: which part of the time was the network's and which
// the broker's, and in which of its queues. First the whole log, then the exchanges.
//
//     whole = requestTransfer + blocked + network + requestQueue + local + remote + throttle + responseQueue + send
//             - excess
//
// The broker counts from the last byte of the request to the last byte of the answer handed to the socket. What the
// wire saw beyond that is the network's part, but for the time in which the request was blocked by the one before it: a
// broker reads the next request of a connection when it has answered the last. Where the broker counted more than the
// wire saw (its last bytes were on their way already), that is the excess.
//
// Memory:  some 150 bytes a line of the log that waits for its exchange, at most maxLogged; the rest is counted.
// Threads: one.
#pragma once

#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/join/request_log.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace brokerscope {

struct JoinedTimes {
    Duration whole{}; // first byte of the request to last byte of the answer, as captured
    Duration requestTransfer{}, blocked{}, network{};
    BrokerTimes broker;
    Duration excess{};
    // ThrottleTimeMs that the client has to wait out after the answer (KIP-219): no part of the whole.
    Duration silence{};
};

// Why an exchange has no line in the log, as far as it is known.
enum class NotLogged : std::uint8_t {
    Unknown,
    NoAnswer,       // brokers log what they have answered
    Authentication, // SASL, and what comes before it, is answered below the logger
    Envelope,       // the controller logs the request inside
};
std::string_view text(NotLogged reason);

class BrokerJoin {
  public:
    static constexpr std::size_t maxLogged = 5'000'000;

    void addLogged(const LoggedRequest& logged);
    // nullopt: the log has no line for it; see whyNot().
    std::optional<JoinedTimes> join(const ExchangeFacts& facts);
    static NotLogged whyNot(const ExchangeFacts& facts);

    std::uint64_t logged() const { return m_logged; }
    std::uint64_t forwarded() const { return m_forwarded; }
    std::uint64_t leftOut() const { return m_leftOut; }
    // Lines that no exchange was found for: on connections of the capture, and on others.
    struct Rest {
        std::vector<LoggedRequest> ofCapture;
        std::uint64_t elsewhere = 0;
    };
    Rest rest() const;

  private:
    using Key = std::tuple<Endpoint, std::int32_t, std::int16_t>; // client, correlation id, api

    std::map<Key, std::deque<LoggedRequest>> m_waiting;
    std::map<Endpoint, Endpoint> m_connections; // of the capture: client to broker
    std::uint64_t m_logged = 0, m_forwarded = 0, m_leftOut = 0;
};

JoinedTimes splitTimes(const Latency& latency, const BrokerTimes& broker, bool throttledAtClient);

} // namespace brokerscope
