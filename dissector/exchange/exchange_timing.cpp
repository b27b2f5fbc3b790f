// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange_timing.h"

#include <algorithm>

namespace brokerscope {
namespace {

// Times come almost in order.
void insert(std::deque<Timestamp>& times, Timestamp time, std::size_t most) {
    if (times.empty() || times.back() <= time)
        times.push_back(time);
    else
        times.insert(std::ranges::upper_bound(times, time), time);
    if (times.size() > most) times.pop_front();
}

} // namespace

void TimingTracker::sentAgain(Timestamp time) {
    insert(m_sentAgain, time, mostSentAgain);
}

void TimingTracker::finish(Exchange& exchange) {
    ExchangeTiming& timing = exchange.timing;
    timing.roundTrip = m_roundTrip;
    if (!exchange.request && !exchange.response) return;
    if (exchange.request) {
        const Frame& request = *exchange.request;
        while (!m_ends.empty() && m_ends.front() <= request.begin)
            m_ends.pop_front();
        timing.inFlight = static_cast<std::uint32_t>(m_ends.size()) + 1;
        if (m_lastEnd && *m_lastEnd <= request.begin) timing.think = request.begin - *m_lastEnd;
        if (m_lastEnd && exchange.response && exchange.response->begin >= request.end)
            timing.blocked = std::max(Duration{}, std::min(*m_lastEnd, exchange.response->begin) - request.end);
        timing.sentAgain = countSentAgain(exchange);
    }
    // Without an answer the last byte of the request is what happened last.
    const Timestamp end = exchange.response ? exchange.response->end : exchange.request->end;
    if (exchange.response) insert(m_ends, end, mostEnds);
    m_lastEnd = std::max(m_lastEnd.value_or(end), end);
}

std::uint32_t TimingTracker::countSentAgain(const Exchange& exchange) const {
    if (m_sentAgain.empty()) return 0;
    const auto first = std::ranges::lower_bound(m_sentAgain, exchange.request->begin);
    auto last = m_sentAgain.end();
    if (exchange.response)
        last = std::ranges::upper_bound(m_sentAgain, exchange.response->end);
    else if (exchange.status == ExchangeStatus::NoResponseExpected)
        last = std::ranges::upper_bound(m_sentAgain, exchange.request->end);
    return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(last - first, 0));
}

} // namespace brokerscope
