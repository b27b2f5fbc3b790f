// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/join/capture_join.h"

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

struct FateRow {
    std::string_view name, text;
};
constexpr std::array<FateRow, 6> fates{{
    {"never-arrived", "sent by the client, never arrived at the broker"},
    {"only-at-broker", "at the broker, but not in the client's capture"},
    {"answer-lost", "answered by the broker, but the answer did not reach the client"},
    {"not-answered", "arrived at the broker and was not answered"},
    {"none-expected", "arrived at the broker; acks=0 has no answer"},
    {"answer-only-at-client", "its answer is missing in the broker's capture"},
}};

} // namespace

std::string_view name(CaptureJoin::Fate fate) {
    return fates[static_cast<std::size_t>(fate)].name;
}

std::string_view text(CaptureJoin::Fate fate) {
    return fates[static_cast<std::size_t>(fate)].text;
}

void CaptureJoin::add(Exchanges& to, const Exchange& exchange) {
    if (!exchange.request || !exchange.header) return;
    if (m_count >= 2 * maxExchanges) {
        ++m_leftOut;
        return;
    }
    ++m_count;
    Seen seen;
    seen.id = exchange.id;
    seen.status = exchange.status;
    seen.apiKey = exchange.header->apiKey;
    seen.apiVersion = exchange.header->apiVersion;
    seen.client = exchange.client;
    seen.broker = exchange.broker;
    seen.requestBegin = exchange.request->begin;
    seen.requestEnd = exchange.request->end;
    seen.answered = exchange.status == ExchangeStatus::Paired;
    if (seen.answered) {
        seen.responseBegin = exchange.response->begin;
        seen.responseEnd = exchange.response->end;
    }
    to[{exchange.client, exchange.broker, exchange.correlationId, seen.apiKey}].push_back(seen);
}

void CaptureJoin::pair(const Seen& client, const Seen& broker, std::vector<std::pair<Seen, Seen>>& both,
                       Result& result) {
    if (client.answered && broker.answered) {
        both.emplace_back(client, broker);
        return;
    }
    Fate fate = Fate::NotAnswered;
    if (client.status == ExchangeStatus::NoResponseExpected)
        fate = Fate::NoneExpected;
    else if (broker.answered)
        fate = Fate::AnswerLost;
    else if (client.answered)
        fate = Fate::AnswerOnlyAtClient;
    result.singles.push_back({fate, client.id, broker.id, client.apiKey, client.apiVersion, client.client,
                              client.broker, client.requestBegin});
}

// A request arrives later than it was sent: offset <= arrival - sending, for all of them; answers bound it from below.
ClockOffset CaptureJoin::estimate(const std::vector<std::pair<Seen, Seen>>& both) {
    ClockOffset clock;
    clock.exchanges = both.size();
    if (both.empty()) return clock;
    Duration most = Duration::max(), least = Duration::min();
    std::vector<Duration> middles;
    for (const auto& [client, broker] : both) {
        const Duration there = broker.requestEnd - client.requestEnd;
        const Duration back = broker.responseBegin - client.responseBegin;
        most = std::min(most, there);
        least = std::max(least, back);
        middles.push_back(back + (there - back) / 2);
    }
    clock.contradicts = least > most;
    clock.uncertainty = clock.contradicts ? (least - most) / 2 : (most - least) / 2;
    const auto middle = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
    std::nth_element(middles.begin(), middle, middles.end());
    clock.offset = clock.contradicts ? *middle : least + (most - least) / 2;
    return clock;
}

CaptureJoin::Result CaptureJoin::finish() {
    Result result;
    result.leftOut = m_leftOut;
    std::vector<std::pair<Seen, Seen>> both;
    for (const auto& [key, sent] : m_client) {
        const auto arrived = m_broker.find(key);
        const std::size_t common = arrived == m_broker.end() ? 0 : std::min(sent.size(), arrived->second.size());
        for (std::size_t i = 0; i < common; ++i)
            pair(sent[i], arrived->second[i], both, result);
        for (std::size_t i = common; i < sent.size(); ++i)
            result.singles.push_back({Fate::NeverArrived,
                                      sent[i].id,
                                      {},
                                      sent[i].apiKey,
                                      sent[i].apiVersion,
                                      sent[i].client,
                                      sent[i].broker,
                                      sent[i].requestBegin});
    }
    for (const auto& [key, arrived] : m_broker) {
        const auto sent = m_client.find(key);
        for (std::size_t i = sent == m_client.end() ? 0 : sent->second.size(); i < arrived.size(); ++i)
            result.singles.push_back({Fate::OnlyAtBroker,
                                      {},
                                      arrived[i].id,
                                      arrived[i].apiKey,
                                      arrived[i].apiVersion,
                                      arrived[i].client,
                                      arrived[i].broker,
                                      arrived[i].requestBegin});
    }
    result.clock = estimate(both);
    Duration atClient{}, atBroker{};
    for (const auto& [client, broker] : both) {
        Joined joined{client.id,     broker.id,     client.apiKey,      client.apiVersion,
                      client.client, client.broker, client.requestBegin};
        joined.whole = client.responseEnd - client.requestBegin;
        joined.requestTransfer = client.requestEnd - client.requestBegin;
        joined.requestPath = broker.requestEnd - client.requestEnd - result.clock.offset;
        joined.atBroker = broker.responseBegin - broker.requestEnd;
        joined.responsePath = client.responseBegin - broker.responseBegin + result.clock.offset;
        joined.responseTransfer = client.responseEnd - client.responseBegin;
        atClient += client.responseBegin - client.requestEnd;
        atBroker += joined.atBroker;
        result.joined.push_back(joined);
    }
    result.swapped = atClient < atBroker;
    std::ranges::sort(result.joined, {}, &Joined::client);
    std::ranges::sort(result.singles, {}, [](const Single& single) {
        return std::tuple(single.client.value ? single.client.value : ~std::uint64_t{0}, single.broker.value);
    });
    return result;
}

} // namespace brokerscope
