// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/partition_text.h"

#include "dissector/analysis/group_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace brokerscope {
namespace {

struct Topic {
    std::string name;
    std::vector<std::int32_t> partitions;
    std::vector<std::pair<std::int32_t, std::string>> offsets;
};

} // namespace

std::string partitionsForPeople(const std::vector<std::string>& partitions) {
    std::vector<Topic> topics;
    for (const std::string& text : partitions) {
        const std::size_t dash = text.rfind('-', text.rfind('@')), at = text.find('@', dash);
        if (dash == std::string::npos) continue;
        const std::string name = text.substr(0, dash);
        std::int32_t number = -1;
        std::from_chars(text.data() + dash + 1, text.data() + std::min(at, text.size()), number);
        auto topic = std::ranges::find(topics, name, &Topic::name);
        if (topic == topics.end()) topic = topics.insert(topics.end(), Topic{name, {}, {}});
        if (at == std::string::npos)
            topic->partitions.push_back(number);
        else
            topic->offsets.emplace_back(number, text.substr(at));
    }
    std::string result;
    for (Topic& topic : topics) {
        if (!result.empty()) result += ", ";
        if (topic.offsets.empty()) {
            result += partitionsText({AssignedPartitions{topic.name, {}, topic.partitions}});
            continue;
        }
        result += topic.name;
        std::ranges::sort(topic.offsets);
        for (const auto& [number, offset] : topic.offsets)
            result += fmt::format(" {}{}", number, offset);
    }
    return result;
}

} // namespace brokerscope
