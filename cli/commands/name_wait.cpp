// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/name_wait.h"

#include <algorithm>

namespace brokerscope {

bool NameWait::isReady(const std::set<TopicId>& ids) const {
    return m_held.empty() && std::ranges::none_of(ids, [this](const TopicId& id) { return m_names.name(id).empty(); });
}

void NameWait::add(EndedExchange&& ended, std::set<TopicId> ids) {
    m_held.push_back({std::move(ended), std::move(ids)});
    while (!m_held.empty()) {
        forgetNamed(m_held.front().unnamed);
        if (!m_held.front().unnamed.empty() && m_held.size() <= mostHeld) return;
        passFront();
    }
}

void NameWait::finish() {
    while (!m_held.empty())
        passFront();
}

void NameWait::forgetNamed(std::set<TopicId>& ids) const {
    std::erase_if(ids, [this](const TopicId& id) { return !m_names.name(id).empty(); });
}

void NameWait::passFront() {
    EndedExchange ended = std::move(m_held.front().ended);
    m_held.pop_front();
    m_pass(std::move(ended));
}

std::set<TopicId> topicIdsOf(const EndedExchange& ended, const Skim& request, const Skim& response) {
    std::set<TopicId> ids(request.topicIds.begin(), request.topicIds.end());
    ids.insert(response.topicIds.begin(), response.topicIds.end());
    if (ended.fetched)
        for (const auto& [topic, partitions] : ended.fetched->partitions)
            ids.insert(topic.id);
    ids.erase(TopicId{});
    return ids;
}

} // namespace brokerscope
