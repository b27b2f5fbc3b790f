// SPDX-License-Identifier: Apache-2.0
// How often something was seen, in which exchanges (the first few) and over which time; and maps of bounded size, which
// all rules keep their subjects in.
#pragma once

#include "dissector/exchange/exchange.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace brokerscope {

struct Occurrences {
    static constexpr std::size_t most = 8; // exchanges that are remembered

    std::uint64_t count = 0;
    std::vector<ExchangeId> exchanges;
    Timestamp first = Timestamp::max(), last = Timestamp::min();

    void add(const Exchange& exchange) {
        ++count;
        if (exchanges.size() < most && (exchanges.empty() || exchanges.back() != exchange.id))
            exchanges.push_back(exchange.id);
        at(exchange.start());
    }
    void at(Timestamp time) {
        first = std::min(first, time);
        last = std::max(last, time);
    }
    Duration span() const { return first > last ? Duration{} : last - first; }
};

// At most `most` keys: what comes later is not looked at.
template<class Key, class Value, std::size_t most = 1000>
class Slots {
  public:
    Value* operator[](const Key& key) {
        const auto found = m_values.find(key);
        if (found != m_values.end()) return &found->second;
        return m_values.size() < most ? &m_values[key] : nullptr;
    }
    Value* find(const Key& key) {
        const auto found = m_values.find(key);
        return found == m_values.end() ? nullptr : &found->second;
    }
    void erase(const Key& key) { m_values.erase(key); }
    auto begin() { return m_values.begin(); }
    auto end() { return m_values.end(); }
    std::size_t size() const { return m_values.size(); }

  private:
    std::map<Key, Value> m_values;
};

// The first few distinct texts, for a sentence: "Fetch, Produce and 2 more".
class FewTexts {
  public:
    void add(std::string text) {
        if (text.empty() || std::ranges::find(m_texts, text) != m_texts.end()) return;
        if (m_texts.size() < most)
            m_texts.push_back(std::move(text));
        else
            m_more = true;
    }
    bool empty() const { return m_texts.empty(); }
    std::string joined() const {
        std::string all;
        for (const std::string& text : m_texts)
            all += (all.empty() ? "" : ", ") + text;
        return m_more ? all + ", …" : all;
    }

  private:
    static constexpr std::size_t most = 3;
    std::vector<std::string> m_texts;
    bool m_more = false;
};

} // namespace brokerscope
