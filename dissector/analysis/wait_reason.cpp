// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/wait_reason.h"

#include <algorithm>
#include <array>

namespace brokerscope {

namespace {

using namespace std::chrono_literals;

constexpr std::int16_t joinGroupKey = 11;
constexpr std::int16_t syncGroupKey = 14;
constexpr Duration shortestWait = 5ms; // below that nobody waited for anything

// From which version on a throttled answer is sent at once (KIP-219). APIs that are not named came later and always do.
struct ThrottleRow {
    std::int16_t apiKey, version;
};
constexpr std::array<ThrottleRow, 30> throttleRows{{
    {0, 6},  {1, 8},  {2, 3},  {3, 6},  {8, 4},  {9, 4},  {10, 2}, {11, 3}, {12, 2}, {13, 2},
    {14, 2}, {15, 2}, {16, 2}, {18, 2}, {19, 3}, {20, 2}, {21, 1}, {22, 1}, {24, 1}, {25, 1},
    {26, 1}, {28, 1}, {29, 1}, {30, 1}, {31, 1}, {32, 2}, {33, 1}, {34, 1}, {35, 1}, {37, 1},
}};

// The log of a KRaft quorum is fetched without MinBytes, and waited for all the same.
bool ofMetadataLog(const Skim& request) {
    constexpr std::array<std::uint8_t, 16> metadataTopicId{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return std::ranges::find(request.topics, "__cluster_metadata") != request.topics.end() ||
           std::ranges::find(request.topicIds, metadataTopicId) != request.topicIds.end();
}

} // namespace

std::string_view name(WaitReason reason) {
    switch (reason) {
    case WaitReason::None:
        return "";
    case WaitReason::LongPoll:
        return "long-poll";
    case WaitReason::Rebalance:
        return "rebalance";
    case WaitReason::Throttled:
        return "throttled";
    }
    return "";
}

bool throttledAtTheClient(std::int16_t apiKey, std::int16_t version) {
    const auto row = std::find_if(throttleRows.begin(), throttleRows.end(),
                                  [apiKey](const ThrottleRow& r) { return r.apiKey == apiKey; });
    return row == throttleRows.end() || version >= row->version;
}

WaitByDesign waitByDesign(const Exchange& exchange, const Latency& latency, const Skim& request, const Skim& response) {
    if (!exchange.header || latency.wait < shortestWait) return {};
    const std::int16_t key = exchange.header->apiKey;
    if (response.throttleMs.value_or(0) > 0 && !throttledAtTheClient(key, exchange.header->apiVersion))
        return {WaitReason::Throttled,
                std::min<Duration>(latency.wait, std::chrono::milliseconds(*response.throttleMs))};
    if (key == joinGroupKey || key == syncGroupKey) return {WaitReason::Rebalance, latency.wait};
    const bool wantsBytes = request.minBytes.value_or(1) > 0 || ofMetadataLog(request);
    if (request.maxWaitMs.value_or(0) > 0 && wantsBytes)
        return {WaitReason::LongPoll, std::min<Duration>(latency.wait, std::chrono::milliseconds(*request.maxWaitMs))};
    return {};
}

} // namespace brokerscope
