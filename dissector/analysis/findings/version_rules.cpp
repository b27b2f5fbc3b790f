// SPDX-License-Identifier: Apache-2.0
// Versions: those that the broker of the connection did not offer, those that Kafka 4 removed, and keys nobody knows.
#include "dissector/analysis/findings/finding_rule.h"

#include <fmt/format.h>

#include <map>

namespace brokerscope {
namespace {

using enum FindingId;

class OfferedVersionRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        const Exchange& exchange = seen.exchange();
        if (!exchange.header || exchange.status == ExchangeStatus::Inferred) return;
        if (seen.is(apikey::ApiVersions)) return learn(seen);
        const Offer* offer = m_offers.find(exchange.connection);
        if (!offer || exchange.start() < offer->since) return;
        const auto range = offer->ranges.find(seen.api());
        if (range == offer->ranges.end() || range->second.contains(seen.facts().version())) return;
        report.see(VersionOutOfRange, fmt::format("{} at {}, {}", seen.client(), seen.broker(), seen.apiName()),
                   exchange,
                   fmt::format("{} v{}, but the broker told v{}", seen.apiName(), seen.facts().version(),
                               toString(range->second)));
    }
    void connection(const SeenConnection& seen, FindingReport&) override {
        if (seen.kafka) m_offers.erase(seen.kafka);
    }

  private:
    struct Offer {
        Timestamp since{};
        std::map<std::int16_t, VersionRange> ranges;
    };

    void learn(SeenExchange& seen) {
        const Exchange& exchange = seen.exchange();
        if (!exchange.response || !seen.facts().response.errors.empty()) return;
        Offer* offer = m_offers[exchange.connection];
        if (!offer) return;
        offer->since = exchange.response->end;
        for (const FieldView& api : seen.response()["apiKeys"].entries())
            offer->ranges[static_cast<std::int16_t>(api["apiKey"].number(-1))] = {
                static_cast<std::int16_t>(api["minVersion"].number(0)),
                static_cast<std::int16_t>(api["maxVersion"].number(0))};
    }

    Slots<KafkaConnectionId, Offer> m_offers;
};

class OldVersionRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        const Exchange& exchange = seen.exchange();
        if (!exchange.header || exchange.status == ExchangeStatus::Inferred) return;
        if (!seen.facts().api) {
            report.see(UnknownApi, fmt::format("{}, key {}", seen.client(), seen.api()), exchange,
                       fmt::format("api key {} in version {}", seen.api(), seen.facts().version()));
            return;
        }
        const Api& api = *seen.facts().api;
        if (api.releases.empty() || seen.is(apikey::ApiVersions)) return;
        const VersionRange now = api.releases.back().versions;
        if (seen.facts().version() >= now.first && !now.empty()) return;
        Client* client = m_clients[seen.client()];
        if (!client) return;
        client->occurrences.add(exchange);
        client->versions.add(fmt::format("{} v{}", api.name, seen.facts().version()));
    }
    void finish(FindingReport& report) override {
        for (auto& [name, client] : m_clients)
            report.add(RemovedInKafka4, name,
                       fmt::format("{}: {}", counted(client.occurrences.count, "request"), client.versions.joined()),
                       client.occurrences);
    }

  private:
    struct Client {
        Occurrences occurrences;
        FewTexts versions;
    };
    Slots<std::string, Client> m_clients;
};

} // namespace

void addVersionRules(FindingRules& rules) {
    rules.push_back(std::make_unique<OfferedVersionRule>());
    rules.push_back(std::make_unique<OldVersionRule>());
}

} // namespace brokerscope
