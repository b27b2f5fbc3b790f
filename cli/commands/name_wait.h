// SPDX-License-Identifier: Apache-2.0
// Holds exchanges back until the topics that they tell by id are named, since the name may come later in a capture than
// the id. What is ready passes at once when nothing waits; order is kept.
// Memory: at most mostHeld exchanges (their bytes stay in the capture); the oldest passes unnamed then. Threads: one.
#pragma once

#include "dissector/analysis/fetch_sessions.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/exchange/exchange.h"
#include "dissector/message/skim.h"

#include <deque>
#include <functional>
#include <optional>
#include <set>

namespace brokerscope {

// An exchange with what was known of it when it ended.
struct EndedExchange {
    Exchange exchange;
    std::optional<FetchScope> fetched;
};

class NameWait {
  public:
    static constexpr std::size_t mostHeld = 10'000;

    // `names` must outlive this and is asked again whenever an exchange is added.
    NameWait(const TopicNames& names, std::function<void(EndedExchange&&)> pass)
        : m_names(names), m_pass(std::move(pass)) {}

    // Whether an exchange with these may pass at once. Else it has to be added.
    bool isReady(const std::set<TopicId>& ids) const;
    void add(EndedExchange&& ended, std::set<TopicId> ids);
    void finish(); // lets all pass

  private:
    struct Held {
        EndedExchange ended;
        std::set<TopicId> unnamed;
    };
    void forgetNamed(std::set<TopicId>& ids) const;
    void passFront();

    const TopicNames& m_names;
    std::function<void(EndedExchange&&)> m_pass;
    std::deque<Held> m_held;
};

// All topics that an exchange tells by their id.
std::set<TopicId> topicIdsOf(const EndedExchange& ended, const Skim& request, const Skim& response);

} // namespace brokerscope
