// SPDX-License-Identifier: Apache-2.0
// The cluster as metadata and the controllers' messages show it: leaders, replicas, fenced brokers, elections, and
// clients that ask for it without end.
#include "dissector/analysis/findings/finding_rule.h"

#include <fmt/format.h>

#include <deque>
#include <set>

namespace brokerscope {
namespace {

using enum FindingId;

class MetadataLoopRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (!seen.is(apikey::Metadata)) return;
        Client* client = m_clients[seen.client()];
        if (!client) return;
        client->all.add(seen.exchange());
        client->recent.push_back(seen.exchange().start());
        while (client->recent.size() > 1 && client->recent.back() - client->recent.front() > window)
            client->recent.pop_front();
        client->densest = std::max(client->densest, client->recent.size());
        for (const ErrorAt& error : seen.facts().response.errors)
            if (const ErrorCode* code = seen.protocol().error(error.code)) client->errors.add(code->name);
    }
    void finish(FindingReport& report) override {
        for (auto& [name, client] : m_clients) {
            if (client.densest < many) continue;
            std::string text =
                fmt::format("{} within {}, {} of them in 10 s", counted(client.all.count, "Metadata request"),
                            spanWords(client.all.span()), client.densest);
            if (!client.errors.empty()) text += "; answered " + client.errors.joined();
            report.add(MetadataLoop, name, std::move(text), client.all);
        }
    }

  private:
    static constexpr Duration window = std::chrono::seconds(10);
    static constexpr std::size_t many = 40;
    struct Client {
        Occurrences all;
        std::deque<Timestamp> recent;
        std::size_t densest = 0;
        FewTexts errors;
    };
    Slots<std::string, Client> m_clients;
};

// The latest word about each partition counts: what was repaired within the capture is only worth a note.
class PartitionRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (!seen.is(apikey::Metadata) || !seen.exchange().response) return;
        for (const FieldView& topic : seen.response()["topics"].entries())
            for (const FieldView& partition : topic["partitions"].entries())
                look(seen, topic, partition);
    }

    void finish(FindingReport& report) override {
        Sum offline, behind, moved;
        for (auto& [key, partition] : m_partitions) {
            offline.add(key, partition.offline, partition.leader < 0);
            behind.add(key, partition.behind, partition.isr < partition.replicas);
            moved.add(key, partition.moved, true);
        }
        offline.report(report, OfflinePartition, "without a leader");
        behind.report(report, UnderReplicated, "with fewer replicas in sync than there are");
        moved.report(report, LeaderMoved, "changed their leader");
    }

  private:
    using Key = std::pair<std::string, std::int64_t>;
    struct Partition {
        std::int64_t leader = -1;
        std::size_t isr = 0, replicas = 0;
        Occurrences offline, behind, moved;
    };
    struct Sum {
        Occurrences all;
        FewTexts names;
        std::uint64_t partitions = 0;
        bool lasts = false;

        void add(const Key& key, const Occurrences& seen, bool still) {
            if (seen.count == 0) return;
            ++partitions;
            lasts = lasts || still;
            names.add(fmt::format("{}-{}", key.first, key.second));
            for (const ExchangeId id : seen.exchanges)
                if (all.exchanges.size() < Occurrences::most &&
                    std::ranges::find(all.exchanges, id) == all.exchanges.end())
                    all.exchanges.push_back(id);
            all.count += seen.count;
            all.at(seen.first);
            all.at(seen.last);
        }
        void report(FindingReport& report, FindingId id, std::string_view what) const {
            if (partitions == 0) return;
            report.add(id, "the cluster",
                       fmt::format("{} {}: {}{}", counted(partitions, "partition"), what, names.joined(),
                                   lasts ? "" : "; not any more at the end"),
                       all, lasts ? std::nullopt : std::optional(Severity::Note));
        }
    };

    void look(SeenExchange& seen, const FieldView& topic, const FieldView& view) {
        Partition* partition = m_partitions[{seen.topicOf(topic), view["partitionIndex"].number(-1)}];
        if (!partition) return;
        const std::int64_t leader = view["leaderId"].number(-1);
        if (leader < 0) partition->offline.add(seen.exchange());
        if (leader >= 0 && partition->leader >= 0 && leader != partition->leader) partition->moved.add(seen.exchange());
        partition->leader = leader;
        partition->isr = view["isrNodes"].entries().size();
        partition->replicas = view["replicaNodes"].entries().size();
        if (partition->isr < partition->replicas) partition->behind.add(seen.exchange());
    }

    Slots<Key, Partition, 100'000> m_partitions;
};

class ControllerRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        if (seen.is(apikey::BrokerHeartbeat)) return heartbeat(seen, report);
        if (!seen.is(apikey::Vote)) return;
        for (const FieldView& topic : seen.request()["topics"].entries())
            for (const FieldView& partition : topic["partitions"].entries()) {
                m_votes.add(seen.exchange());
                m_epochs.insert(partition["replicaEpoch"].number(partition["candidateEpoch"].number(-1)));
            }
    }
    void finish(FindingReport& report) override {
        if (m_votes.count == 0) return;
        report.add(ControllerElection, "the controllers",
                   fmt::format("{} in {}", counted(m_votes.count, "Vote request"), counted(m_epochs.size(), "epoch")),
                   m_votes, m_epochs.size() >= manyEpochs ? std::optional(Severity::Warning) : std::nullopt);
    }

  private:
    static constexpr std::size_t manyEpochs = 5;

    // A broker that starts is fenced until it has caught up; one that was not before has been thrown out.
    void heartbeat(SeenExchange& seen, FindingReport& report) {
        if (!seen.answered() || !seen.facts().response.errors.empty()) return;
        const std::int64_t id = seen.request()["brokerId"].number(-1);
        const bool fenced = seen.response()["isFenced"].number(0) != 0;
        const bool leaves =
            seen.request()["wantShutDown"].number(0) != 0 || seen.response()["shouldShutDown"].number(0) != 0;
        bool* inUse = m_inUse[id];
        if (!inUse) return;
        if (fenced && *inUse && !leaves)
            report.see(BrokerFenced, fmt::format("broker {}", id), seen.exchange(),
                       "BrokerHeartbeat answered with isFenced after it had been in use");
        *inUse = !fenced;
    }

    Occurrences m_votes;
    std::set<std::int64_t> m_epochs;
    Slots<std::int64_t, bool> m_inUse;
};

} // namespace

void addClusterRules(FindingRules& rules) {
    rules.push_back(std::make_unique<MetadataLoopRule>());
    rules.push_back(std::make_unique<PartitionRule>());
    rules.push_back(std::make_unique<ControllerRule>());
}

} // namespace brokerscope
