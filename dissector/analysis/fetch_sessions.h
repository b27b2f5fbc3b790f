// SPDX-License-Identifier: Apache-2.0
// Fetch sessions (KIP-227): which partitions a Fetch stands for. In a session a request names only what is new, changed
// or to be forgotten; most name nothing at all and mean all the partitions that the session has.
//
// Sessions belong to a broker; a Fetch that opens one learns its id from the answer. Of a session that was opened
// before the capture only what its requests name is known, and `complete` is false. Memory: at most mostSessions, of
// them the longest unused go first, and mostPartitions over all. Threads: one.
#pragma once

#include "dissector/analysis/topic_names.h"
#include "dissector/exchange/exchange.h"

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace brokerscope {

// A topic as a Fetch names it: by name, or from version 13 on by id.
struct FetchedTopic {
    std::string name;
    TopicId id{};
    auto operator<=>(const FetchedTopic&) const = default;
};
using FetchedPartitions = std::map<FetchedTopic, std::set<std::int32_t>>;

struct FetchScope {
    std::int32_t session = 0; // 0: none
    std::int32_t epoch = -1;  // 0 opens, -1 closes or wants none, else the request's number in the session
    bool complete = true;
    FetchedPartitions partitions;

    bool incremental() const { return epoch > 0; }
};

class FetchSessions {
  public:
    static constexpr std::size_t mostSessions = 10'000, mostPartitions = 1'000'000;

    explicit FetchSessions(const Protocol& protocol) : m_protocol(protocol) {}

    // What a Fetch asks for; nullopt: the exchange is none, or its request cannot be read. Exchanges must come in the
    // order in which they ended.
    std::optional<FetchScope> follow(const Exchange& exchange);

  private:
    struct Key {
        Endpoint broker;
        std::int32_t id;
        auto operator<=>(const Key&) const = default;
    };
    struct Session {
        FetchedPartitions partitions;
        bool complete = true;
        std::list<Key>::iterator age;
    };
    struct Answer {
        std::int16_t error = 0;
        std::int32_t session = 0;
    };

    std::optional<Answer> answerOf(const Exchange& exchange);
    void put(const Key& key, const FetchScope& scope);
    void drop(const Key& key);

    const Protocol& m_protocol;
    std::map<Key, Session> m_sessions;
    std::list<Key> m_ages; // the longest unused first
    std::size_t m_partitions = 0;
    DecodedMessage m_message;
};

} // namespace brokerscope
