// SPDX-License-Identifier: Apache-2.0
// Finds the ExchangeTiming of the exchanges of one connection.
//
// Order:   finish() is called for each exchange once, in the order of their ends. Exact where answers come in the order
//          of their requests; behind a proxy that changes it, think, blocked and inFlight are estimates.
// Memory:  the ends of the answers in flight, at most mostEnds, and the latest mostSentAgain segments sent again.
// Threads: one.
#pragma once

#include "dissector/exchange/exchange.h"

#include <deque>
#include <optional>

namespace brokerscope {

class TimingTracker {
  public:
    static constexpr std::size_t mostEnds = 10'000;
    static constexpr std::size_t mostSentAgain = 4096;

    void sentAgain(Timestamp time);
    void roundTripSeen(Duration time) { m_roundTrip = time; }

    void finish(Exchange& exchange);

  private:
    std::uint32_t countSentAgain(const Exchange& exchange) const;

    // Both in order.
    std::deque<Timestamp> m_ends; // of answers, those that end after the latest request began
    std::deque<Timestamp> m_sentAgain;
    std::optional<Timestamp> m_lastEnd; // of everything so far
    std::optional<Duration> m_roundTrip;
};

} // namespace brokerscope
