// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/inference.h"

#include "dissector/message/skim.h"

#include <algorithm>
#include <array>
#include <set>

namespace brokerscope {

namespace {

constexpr std::size_t mostUses = 256;
constexpr std::uint32_t header = 8;               // length and correlation id
constexpr std::uint32_t shortestTelling = 12;     // a shorter body fits too much
constexpr std::uint32_t largestTried = 16u << 20; // trying all layouts on more would cost too long
constexpr double enough = 0.5;

// Which API a client's traffic mostly consists of, where several fit.
constexpr std::array<std::int16_t, 10> commonKeys{1, 0, 3, 12, 18, 8, 9, 10, 2, 68};

bool saneTopic(const std::string& topic) {
    return !topic.empty() && topic.size() <= 249 && std::all_of(topic.begin(), topic.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '.' || c == '_' || c == '-';
    });
}

// Consumed exactly, and what stands there could be true.
bool fitsSanely(const Protocol& protocol, const ByteChain& frame, std::int16_t apiKey, std::int16_t version) {
    MessageContext context;
    context.direction = Direction::Response;
    context.apiKey = apiKey;
    context.apiVersion = version;
    Skim skim;
    skimMessage(protocol, frame, context, skim);
    if (!skim.whole || !skim.problems.empty() || skim.throttleMs.value_or(0) < 0) return false;
    return std::all_of(skim.topics.begin(), skim.topics.end(), saneTopic) &&
           std::all_of(skim.errors.begin(), skim.errors.end(),
                       [&](const ErrorAt& error) { return protocol.error(error.code) != nullptr; });
}

std::optional<Inference> fromUses(const Protocol& protocol, const ByteChain& frame, const std::vector<ApiUse>& uses) {
    std::set<std::int16_t> apis;
    const ApiUse* best = nullptr;
    for (const ApiUse& use : uses) {
        if (!fitsSanely(protocol, frame, use.apiKey, use.version)) continue;
        apis.insert(use.apiKey);
        if (!best || use.count > best->count) best = &use;
    }
    if (!best) return std::nullopt;
    return Inference{best->apiKey, best->version, 0.95 / static_cast<double>(apis.size())};
}

std::optional<Inference> fromAllLayouts(const Protocol& protocol, const ByteChain& frame) {
    struct Match {
        std::int16_t key, version;
    };
    std::vector<Match> matches; // the newest version of each api that fits
    for (const Api* api : protocol.apis())
        for (std::int16_t version = api->versions.last; version >= api->versions.first; --version)
            if (fitsSanely(protocol, frame, api->key, version)) {
                matches.push_back({api->key, version});
                break;
            }
    if (matches.empty()) return std::nullopt;
    const auto rank = [](const Match& match) { return std::find(commonKeys.begin(), commonKeys.end(), match.key); };
    const auto best = std::min_element(matches.begin(), matches.end(),
                                       [&](const Match& a, const Match& b) { return rank(a) < rank(b); });
    return Inference{best->key, best->version, 0.8 / static_cast<double>(matches.size())};
}

} // namespace

void noteUse(std::vector<ApiUse>& uses, std::int16_t apiKey, std::int16_t version) {
    for (ApiUse& use : uses)
        if (use.apiKey == apiKey && use.version == version) {
            ++use.count;
            return;
        }
    if (uses.size() < mostUses) uses.push_back({apiKey, version, 1});
}

std::optional<Inference> inferResponse(const Protocol& protocol, const ByteChain& frame,
                                       const std::vector<ApiUse>& uses) {
    if (frame.hasHoles() || frame.size() < header || frame.size() > largestTried) return std::nullopt;
    std::optional<Inference> result = fromUses(protocol, frame, uses);
    if (!result && frame.size() - header >= shortestTelling) result = fromAllLayouts(protocol, frame);
    return result && result->confidence >= enough ? result : std::nullopt;
}

} // namespace brokerscope
