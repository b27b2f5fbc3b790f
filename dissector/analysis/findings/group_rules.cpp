// SPDX-License-Identifier: Apache-2.0
// Groups: how often they rebalance and how long that takes, heartbeats, members that leave or have nothing to do.
#include "dissector/analysis/findings/finding_rule.h"

#include <fmt/format.h>

#include <deque>

namespace brokerscope {
namespace {

using enum FindingId;

std::string groupText(std::string_view id) {
    return fmt::format("group \"{}\"", id);
}

class RebalanceRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        if (!seen.is(apikey::JoinGroup) || !seen.answered() || !seen.facts().response.errors.empty()) return;
        const std::string& id = seen.facts().request.group;
        Group* group = m_groups[id];
        if (!group) return;
        const Duration took = seen.facts().times->total;
        if (took >= slow)
            report.see(SlowRebalance, groupText(id), seen.exchange(),
                       fmt::format("{} waited {} for the others", seen.client(), spanWords(took)));
        const std::int64_t generation = seen.response()["generationId"].number(-1);
        if (generation <= group->generation) return;
        group->generation = generation;
        group->rounds.add(seen.exchange());
        group->clients.add(seen.client());
        group->recent.push_back(seen.exchange().response->end);
        while (group->recent.back() - group->recent.front() > window)
            group->recent.pop_front();
        group->densest = std::max(group->densest, group->recent.size());
    }
    void finish(FindingReport& report) override {
        for (auto& [id, group] : m_groups) {
            if (group.densest < many) continue;
            report.add(RebalanceStorm, groupText(id),
                       fmt::format("{} within {}, {} of them in one minute; members {}",
                                   counted(group.rounds.count, "generation"), spanWords(group.rounds.span()),
                                   group.densest, group.clients.joined()),
                       group.rounds);
        }
    }

  private:
    static constexpr Duration slow = std::chrono::seconds(10), window = std::chrono::minutes(1);
    static constexpr std::size_t many = 10;
    struct Group {
        std::int64_t generation = -1;
        Occurrences rounds;
        FewTexts clients;
        std::deque<Timestamp> recent;
        std::size_t densest = 0;
    };
    Slots<std::string, Group> m_groups;
};

// The time between two signs of life of a member, against what its session allows.
class HeartbeatRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        using namespace apikey;
        if (seen.is(JoinGroup)) return joined(seen);
        if (seen.is(Heartbeat) || seen.is(SyncGroup)) return alive(seen, report);
        if (seen.is(LeaveGroup)) m_members.erase(key(seen));
        if (seen.is(ConsumerGroupHeartbeat)) return modern(seen, report);
    }

  private:
    struct Member {
        Duration allowed{};
        Timestamp last{};
    };

    static std::string key(SeenExchange& seen) {
        return seen.facts().request.group + '\n' + seen.request()["memberId"].text();
    }

    void joined(SeenExchange& seen) {
        if (!seen.answered() || !seen.facts().response.errors.empty()) return;
        const std::string id = seen.facts().request.group + '\n' + seen.response()["memberId"].text();
        if (Member* member = m_members[id])
            *member = {std::chrono::milliseconds(seen.request()["sessionTimeoutMs"].number(0)),
                       seen.exchange().response->end};
    }

    void alive(SeenExchange& seen, FindingReport& report) {
        Member* member = m_members.find(key(seen));
        if (!member) return;
        const Duration gap = seen.exchange().start() - member->last;
        if (member->allowed > Duration{} && gap * 3 > member->allowed * 2)
            report.see(HeartbeatGap, fmt::format("{}, {}", groupText(seen.facts().request.group), seen.client()),
                       seen.exchange(),
                       fmt::format("{} without a heartbeat, SessionTimeoutMs {}", spanWords(gap),
                                   member->allowed / std::chrono::milliseconds(1)));
        if (seen.exchange().response) member->last = seen.exchange().response->end;
    }

    // The coordinator tells the pace; sessions are a multiple of it that members do not know.
    void modern(SeenExchange& seen, FindingReport& report) {
        if (!seen.answered()) return;
        Member* member = m_members[key(seen)];
        if (!member) return;
        const Duration gap = seen.exchange().start() - member->last;
        if (member->last != Timestamp{} && member->allowed > Duration{} && gap > member->allowed * 4)
            report.see(HeartbeatGap, fmt::format("{}, {}", groupText(seen.facts().request.group), seen.client()),
                       seen.exchange(),
                       fmt::format("{} without a heartbeat, HeartbeatIntervalMs {}", spanWords(gap),
                                   member->allowed / std::chrono::milliseconds(1)));
        const bool leaves = seen.request()["memberEpoch"].number(0) < 0;
        member->last = leaves ? Timestamp{} : seen.exchange().response->end;
        member->allowed = std::chrono::milliseconds(seen.response()["heartbeatIntervalMs"].number(0));
    }

    Slots<std::string, Member, 10'000> m_members;
};

class LeaveRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        if (!seen.is(apikey::LeaveGroup)) return;
        for (const FieldView& member : seen.request()["members"].entries()) {
            const std::string reason = member["reason"].text();
            if (reason.find("poll timeout") == std::string::npos) continue;
            report.see(MaxPollExceeded, fmt::format("{}, {}", groupText(seen.facts().request.group), seen.client()),
                       seen.exchange(), fmt::format("it left: {}", reason));
        }
    }
};

// The assignment of a consumer: version, then the topics. A group of another kind writes something else there.
class IdleMemberRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        if (!seen.is(apikey::SyncGroup) || !seen.exchange().response || !seen.facts().response.errors.empty()) return;
        const std::string type = seen.response()["protocolType"].text();
        if (!type.empty() && type != "consumer") return;
        const std::vector<std::uint8_t> assignment = seen.response()["assignment"].content();
        constexpr std::size_t versionAndCount = 6;
        const bool empty = assignment.empty() || (assignment.size() >= versionAndCount && assignment[2] == 0 &&
                                                  assignment[3] == 0 && assignment[4] == 0 && assignment[5] == 0);
        if (empty)
            report.see(IdleMember, fmt::format("{}, {}", groupText(seen.facts().request.group), seen.client()),
                       seen.exchange(), "SyncGroup answered without a partition");
    }
};

} // namespace

void addGroupRules(FindingRules& rules) {
    rules.push_back(std::make_unique<RebalanceRule>());
    rules.push_back(std::make_unique<HeartbeatRule>());
    rules.push_back(std::make_unique<LeaveRule>());
    rules.push_back(std::make_unique<IdleMemberRule>());
}

} // namespace brokerscope
