// SPDX-License-Identifier: Apache-2.0
// Puts what became of exchanges back into the order of their numbers. Exchanges end in any order; a list shows them as
// the requests came. One that stays open for more than `patience` of capture time holds up no others: it is handed out
// when it ends.
//
// T is whatever the exchange was made into (a line of text, a row): what waits is that, not the exchange.
// Memory: what ended within `patience` behind the oldest open exchange.
#pragma once

#include "capture/types/ids.h"
#include "capture/types/time.h"

#include <deque>
#include <functional>
#include <optional>
#include <utility>

namespace brokerscope {

template<class T>
class InOrder {
  public:
    using Output = std::function<void(T&&)>;

    explicit InOrder(Output output, Duration patience = std::chrono::seconds(30))
        : m_output(std::move(output)), m_patience(patience) {}

    void started(ExchangeId id, Timestamp time) {
        while (m_first + m_places.size() <= id.value)
            m_places.push_back({time, std::nullopt, false});
        advance(time);
    }

    void ended(ExchangeId id, T&& item) {
        if (id.value < m_first) return m_output(std::move(item)); // it was passed over while open
        Place& place = m_places[id.value - m_first];
        place.item.emplace(std::move(item));
        advance(m_now);
    }

    // The number was taken, but there is nothing to hand out (filtered away).
    void skipped(ExchangeId id) {
        if (id.value < m_first) return;
        m_places[id.value - m_first].skipped = true;
        advance(m_now);
    }

    void finish() {
        for (Place& place : m_places)
            if (place.item) m_output(std::move(*place.item));
        m_first += m_places.size();
        m_places.clear();
    }

  private:
    struct Place {
        Timestamp started;
        std::optional<T> item;
        bool skipped = false;
    };

    void advance(Timestamp now) {
        if (now > m_now) m_now = now;
        while (!m_places.empty()) {
            Place& place = m_places.front();
            if (!place.item && !place.skipped && m_now - place.started <= m_patience) return;
            std::optional<T> item = std::move(place.item);
            m_places.pop_front();
            ++m_first;
            if (item) m_output(std::move(*item));
        }
    }

    Output m_output;
    Duration m_patience;
    std::uint64_t m_first = 1; // the number of m_places.front()
    std::deque<Place> m_places;
    Timestamp m_now{};
};

} // namespace brokerscope
