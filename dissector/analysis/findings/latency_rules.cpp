// SPDX-License-Identifier: Apache-2.0
// Where time went: slow requests, a slow broker among equals, quotas, answers held up by those before them.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/analysis/latency_histogram.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

using enum FindingId;

class SlowRequestRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (!seen.answered() || !seen.facts().api || seen.work() < slowFrom) return;
        Slow* found = m_slow[{seen.apiName(), seen.broker()}];
        if (!found) return;
        found->occurrences.add(seen.exchange());
        found->longest = std::max(found->longest, seen.work());
        found->clients.add(seen.client());
    }
    void finish(FindingReport& report) override {
        for (auto& [key, slow] : m_slow)
            report.add(SlowRequests, fmt::format("{} at {}", key.first, key.second),
                       fmt::format("{} over 1 s, the longest {}, of {}", counted(slow.occurrences.count, "request"),
                                   spanWords(slow.longest), slow.clients.joined()),
                       slow.occurrences,
                       slow.occurrences.count < several && slow.longest < verySlow ? std::optional(Severity::Note)
                                                                                   : std::nullopt);
    }

  private:
    static constexpr Duration slowFrom = std::chrono::seconds(1), verySlow = std::chrono::seconds(5);
    static constexpr std::uint64_t several = 3; // one slow request happens to everybody
    struct Slow {
        Occurrences occurrences;
        Duration longest{};
        FewTexts clients;
    };
    Slots<std::pair<std::string, std::string>, Slow> m_slow;
};

class SlowBrokerRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (!seen.answered() || !seen.facts().api || seen.facts().waited.reason == WaitReason::Rebalance) return;
        if (Broker* broker = m_apis[seen.api()] ? (*m_apis[seen.api()])[seen.exchange().broker] : nullptr) {
            broker->work.add(seen.work());
            broker->apiName = seen.apiName();
            if (seen.work() >= leastSlow) broker->slow.add(seen.exchange());
        }
    }
    void finish(FindingReport& report) override {
        for (auto& [api, brokers] : m_apis)
            for (auto& [place, broker] : brokers)
                judge(report, brokers, place, broker);
    }

  private:
    static constexpr std::uint64_t enough = 20; // of one api, for a median that means something
    static constexpr Duration leastSlow = std::chrono::milliseconds(20);
    static constexpr int times = 3;
    struct Broker {
        LatencyHistogram work;
        Occurrences slow;
        std::string apiName;
    };
    using Brokers = Slots<Endpoint, Broker, 100>;

    static void judge(FindingReport& report, Brokers& all, const Endpoint& place, const Broker& broker) {
        if (broker.work.count() < enough) return;
        LatencyHistogram others;
        for (auto& [otherPlace, other] : all)
            if (otherPlace != place) others.add(other.work);
        if (others.count() < enough) return;
        const Duration median = broker.work.percentile(0.5), theirs = others.percentile(0.5);
        if (median < leastSlow || median < theirs * times) return;
        report.add(SlowBroker, fmt::format("{}, {}", toString(place), broker.apiName),
                   fmt::format("half of {} took {} or more, at the other brokers {}",
                               counted(broker.work.count(), "request"), spanWords(median), spanWords(theirs)),
                   broker.slow);
    }

    Slots<std::int16_t, Brokers, 200> m_apis;
};

class ThrottleRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        const Exchange& exchange = seen.exchange();
        Quiet* quiet = m_quiet.find(exchange.connection);
        if (quiet && exchange.start() > quiet->since && exchange.start() + tolerance < quiet->until)
            report.see(ThrottleIgnored, fmt::format("{} at {}", seen.client(), seen.broker()), exchange,
                       fmt::format("a {} {} before its time of silence was over", seen.apiName(),
                                   spanWords(quiet->until - exchange.start())));
        const std::int32_t throttle = seen.facts().response.throttleMs.value_or(0);
        if (throttle <= 0 || !exchange.response || !exchange.header) return;
        if (Throttle* found = m_throttled[seen.client()]) {
            found->occurrences.add(exchange);
            found->total += std::chrono::milliseconds(throttle);
            found->longest = std::max<Duration>(found->longest, std::chrono::milliseconds(throttle));
            found->apis.add(seen.apiName());
        }
        if (!throttledAtTheClient(seen.api(), seen.facts().version())) return;
        if (Quiet* made = m_quiet[exchange.connection])
            *made = {exchange.response->end, exchange.response->end + std::chrono::milliseconds(throttle)};
    }
    void connection(const SeenConnection& seen, FindingReport&) override { m_quiet.erase(seen.kafka); }
    void finish(FindingReport& report) override {
        for (auto& [client, throttle] : m_throttled)
            report.add(Throttled, client,
                       fmt::format("{} ({}) with ThrottleTimeMs, up to {}, {} in all",
                                   counted(throttle.occurrences.count, "answer"), throttle.apis.joined(),
                                   spanWords(throttle.longest), spanWords(throttle.total)),
                       throttle.occurrences);
    }

  private:
    static constexpr Duration tolerance = std::chrono::milliseconds(50);
    struct Quiet {
        Timestamp since{}, until{};
    };
    struct Throttle {
        Occurrences occurrences;
        Duration total{}, longest{};
        FewTexts apis;
    };
    Slots<KafkaConnectionId, Quiet> m_quiet;
    Slots<std::string, Throttle> m_throttled;
};

// Brokers answer in order: a request that came while a slow one was open is answered right behind it.
class HeadOfLineRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        const Exchange& exchange = seen.exchange();
        if (!seen.answered()) return;
        const bool polls = seen.is(apikey::Fetch) || seen.is(apikey::ShareFetch); // it would have waited anyway
        Last* last = m_last[exchange.connection];
        if (!last) return;
        const Duration heldUp = last->ended - exchange.request->end;
        const Duration alone = exchange.response->begin - last->ended;
        if (!polls && last->ended != Timestamp{} && heldUp >= longWait && alone < heldUp / 4)
            if (HeldUp* found = m_heldUp[{seen.client(), seen.broker()}]) {
                found->occurrences.add(exchange);
                found->longest = std::max(found->longest, heldUp);
                found->behind.add(fmt::format("{} behind {}", seen.apiName(), last->api));
            }
        if (exchange.response->end > last->ended) *last = {exchange.response->end, seen.apiName()};
    }
    void connection(const SeenConnection& seen, FindingReport&) override { m_last.erase(seen.kafka); }
    void finish(FindingReport& report) override {
        for (auto& [key, heldUp] : m_heldUp)
            report.add(HeadOfLine, fmt::format("{} at {}", key.first, key.second),
                       fmt::format("{} ({}), the longest for {}", counted(heldUp.occurrences.count, "answer"),
                                   heldUp.behind.joined(), spanWords(heldUp.longest)),
                       heldUp.occurrences,
                       heldUp.occurrences.count < many ? std::optional(Severity::Note) : std::nullopt);
    }

  private:
    static constexpr Duration longWait = std::chrono::milliseconds(100);
    static constexpr std::uint64_t many = 5;
    struct Last {
        Timestamp ended{};
        std::string api;
    };
    struct HeldUp {
        Occurrences occurrences;
        Duration longest{};
        FewTexts behind;
    };
    Slots<KafkaConnectionId, Last> m_last;
    Slots<std::pair<std::string, std::string>, HeldUp> m_heldUp;
};

} // namespace

void addLatencyRules(FindingRules& rules) {
    rules.push_back(std::make_unique<SlowRequestRule>());
    rules.push_back(std::make_unique<SlowBrokerRule>());
    rules.push_back(std::make_unique<ThrottleRule>());
    rules.push_back(std::make_unique<HeadOfLineRule>());
}

} // namespace brokerscope
