// SPDX-License-Identifier: Apache-2.0
// How consumers read and commit. A Fetch does not name its group: what a client fetches counts for the group that the
// same client id joined from the same address.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

#include <set>

namespace brokerscope {
namespace {

using enum FindingId;

class BusyLoopRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        const bool fetch = seen.is(apikey::Fetch) || seen.is(apikey::ShareFetch);
        if (!fetch || !seen.answered() || seen.exchange().status != ExchangeStatus::Paired) return;
        Run* run = m_runs[seen.exchange().connection];
        if (!run) return;
        const Skim& response = seen.facts().response;
        const bool empty = response.recordBytes == 0 && response.errors.empty() && seen.facts().times->wait < atOnce;
        if (!empty) {
            run->now = {};
            return;
        }
        run->now.add(seen.exchange());
        if (run->now.count <= run->longest.count) return;
        run->longest = run->now;
        run->client = seen.client();
        run->broker = seen.broker();
        run->maxWaitMs = seen.facts().request.maxWaitMs.value_or(0);
    }
    void connection(const SeenConnection& seen, FindingReport& report) override {
        const Run* run = m_runs.find(seen.kafka);
        if (!run) return;
        const Duration span = run->longest.span();
        if (run->longest.count >= many && span < std::chrono::milliseconds(100) * run->longest.count)
            report.add(FetchBusyLoop, fmt::format("{} at {}", run->client, run->broker),
                       fmt::format("{} Fetch answers in a row without a record within {}, MaxWaitMs {}",
                                   grouped(run->longest.count), spanWords(span), run->maxWaitMs),
                       run->longest);
        m_runs.erase(seen.kafka);
    }

  private:
    static constexpr Duration atOnce = std::chrono::milliseconds(20);
    static constexpr std::uint64_t many = 50;
    struct Run {
        Occurrences now, longest;
        std::string client, broker;
        std::int32_t maxWaitMs = 0;
    };
    Slots<KafkaConnectionId, Run> m_runs;
};

class OffsetResetRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (!seen.is(apikey::OffsetFetch) || !seen.exchange().response) return;
        FieldView body = seen.response();
        std::vector<FieldView> groups = body["groups"].entries();
        if (groups.empty()) groups.push_back(body);
        for (const FieldView& group : groups) {
            std::string id = group["groupId"].text();
            if (id.empty()) id = seen.facts().request.group;
            for (const FieldView& topic : group["topics"].entries())
                for (const FieldView& partition : topic["partitions"].entries())
                    if (partition["committedOffset"].number(0) == -1 && partition["errorCode"].number(0) == 0)
                        note(id, seen, topic);
        }
    }
    void finish(FindingReport& report) override {
        for (auto& [group, reset] : m_groups)
            report.add(
                OffsetReset, fmt::format("group \"{}\"", group),
                fmt::format("no offset for {} of {}", counted(reset.partitions, "partition"), reset.topics.joined()),
                reset.occurrences);
    }

  private:
    struct Reset {
        Occurrences occurrences;
        FewTexts topics;
        std::uint64_t partitions = 0;
    };
    void note(const std::string& group, SeenExchange& seen, const FieldView& topic) {
        Reset* reset = m_groups[group];
        if (!reset) return;
        if (reset->occurrences.exchanges.empty() || reset->occurrences.exchanges.back() != seen.exchange().id)
            reset->occurrences.add(seen.exchange());
        reset->topics.add(seen.topicOf(topic));
        ++reset->partitions;
    }
    Slots<std::string, Reset> m_groups;
};

class CommitRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        using namespace apikey;
        const std::string& group = seen.facts().request.group;
        const std::string client = seen.client();
        if (seen.is(JoinGroup) || seen.is(ConsumerGroupHeartbeat) || seen.is(Heartbeat)) {
            if (std::string* known = m_groupOf[client]) *known = group;
            if (Group* found = m_groups[group]) found->members.at(seen.exchange().start());
        } else if (seen.is(OffsetCommit) || seen.is(TxnOffsetCommit)) {
            if (Group* found = m_groups[group]) found->commit(seen.exchange());
        } else if (seen.is(Fetch) && seen.facts().response.recordBytes > 0) {
            const std::string* known = m_groupOf.find(client);
            if (Group* found = known ? m_groups.find(*known) : nullptr) found->read(seen);
        }
    }
    void finish(FindingReport& report) override {
        for (auto& [id, group] : m_groups) {
            const std::string subject = fmt::format("group \"{}\"", id);
            if (group.commits == 0 && group.reads.count != 0 && group.members.span() >= longEnough)
                report.add(NothingCommitted, subject,
                           fmt::format("{} read within {} and no OffsetCommit", sizeWords(group.bytes),
                                       spanWords(group.members.span())),
                           group.reads);
            if (group.commits != 0 && group.widest >= wide && group.mostBetween >= muchRead)
                report.add(CommitWindow, subject,
                           fmt::format("up to {} and {} between two commits", spanWords(group.widest),
                                       sizeWords(group.mostBetween)),
                           group.reads);
        }
    }

  private:
    static constexpr Duration longEnough = std::chrono::seconds(60), wide = std::chrono::seconds(4);
    static constexpr std::uint64_t muchRead = 10'000;
    struct Group {
        Occurrences reads, members;
        std::uint64_t commits = 0, bytes = 0, sinceCommit = 0, mostBetween = 0;
        Timestamp lastCommit{};
        Duration widest{};

        void commit(const Exchange& exchange) {
            if (commits++ != 0 && sinceCommit != 0) widest = std::max(widest, exchange.start() - lastCommit);
            lastCommit = exchange.start();
            mostBetween = std::max(mostBetween, sinceCommit);
            sinceCommit = 0;
        }
        void read(SeenExchange& seen) {
            reads.add(seen.exchange());
            bytes += seen.facts().response.recordBytes;
            sinceCommit += seen.facts().response.recordBytes;
        }
    };
    Slots<std::string, std::string> m_groupOf; // by client
    Slots<std::string, Group> m_groups;
};

} // namespace

void addConsumerRules(FindingRules& rules) {
    rules.push_back(std::make_unique<BusyLoopRule>());
    rules.push_back(std::make_unique<OffsetResetRule>());
    rules.push_back(std::make_unique<CommitRule>());
}

} // namespace brokerscope
