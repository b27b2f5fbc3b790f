// SPDX-License-Identifier: Apache-2.0
// The classic protocol: JoinGroup brings all members together for a generation, SyncGroup hands out what the leader has
// assigned, Heartbeat says when it is time to join again.
#include "dissector/analysis/group_timeline.h"
#include "dissector/payloads/nested_message.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t rebalanceInProgress = 27, memberIdRequired = 79;

// What Java clients give as the reason of a JoinGroup that only follows what another member began.
bool saysNothing(std::string_view reason) {
    return reason.empty() || reason.find("group is already rebalancing") != std::string_view::npos ||
           reason.find("need to re-join with the given member-id") != std::string_view::npos;
}

} // namespace

void GroupCollector::joinGroup(const std::string& id) {
    Group* group = this->group(id, GroupKind::Classic);
    if (!group) return;
    Round& round = m_rounds[id];
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const Exchange& exchange = *m_facts->exchange;
    std::string member = response["memberId"].text();
    if (member.empty()) member = request["memberId"].text();
    group->protocolType = request["protocolType"].text();
    const std::int64_t error = response["errorCode"].number(0);
    if (error == memberIdRequired) return; // the member joins with the id it got here
    const bool isNew = !group->members.contains(member) || group->members[member].gone;
    if (failed(*group, member, error)) return;
    const std::int32_t generation = response["generationId"].int32(-1);
    if (GroupMember* known = see(*group, member, *m_facts, request["groupInstanceId"].text())) known->gone = false;
    const std::string reason = request["reason"].text();
    const Timestamp asked = exchange.request->begin;
    // The leader, who is told all members of this generation, may have had its answer already.
    const auto& before = round.membersOf == generation ? round.membersBefore : round.members;
    const bool causes = (isNew && !before.contains(member)) || !saysNothing(reason);
    if (causes && (!round.trigger || asked < round.trigger->time)) {
        std::string text = fmt::format("{} {}", member, isNew ? "joined" : "joined again");
        if (!saysNothing(reason)) text += fmt::format(": {}", reason);
        round.trigger = Trigger{asked, std::move(text)};
    }
    if (isNew) tell(*group, GroupEventKind::Joined, asked, member, generation);
    if (!group->generation || generation > *group->generation) firstOfGeneration(*group, round, response, generation);
    // Members that asked before the one whose answer came first.
    if (round.event && group->generation == generation && round.trigger && round.trigger->time < round.begin) {
        GroupEvent& event = group->events[*round.event];
        event.time = round.begin = round.trigger->time;
        event.text = round.trigger->text;
    }
    if (group->generation == generation) round.trigger.reset();
    extend(*group, round, generation, exchange.response->end);
    noteMembers(*group, round, response, generation);
}

void GroupCollector::firstOfGeneration(Group& group, Round& round, const FieldView& response, std::int32_t generation) {
    const Exchange& exchange = *m_facts->exchange;
    Trigger trigger{exchange.request->begin, {}};
    if (round.trigger)
        trigger = *round.trigger;
    else if (round.told)
        trigger = {round.told->time, "members were told to join again"};
    else
        trigger.text = "not seen";
    const std::string protocol = response["protocolName"].text();
    if (!protocol.empty()) group.assignor = protocol;
    begin(group, round, generation, std::min(trigger.time, exchange.request->begin), exchange.response->end,
          trigger.text);
}

// Only the leader is told who is there. Who is missing and did not leave was lost; if nothing else is known to have
// begun the rebalance, that did.
void GroupCollector::noteMembers(Group& group, Round& round, const FieldView& response, std::int32_t generation) {
    const std::vector<FieldView> entries = response["members"].entries();
    if (entries.empty()) return;
    std::set<std::string> members;
    for (const FieldView entry : entries)
        members.insert(entry["memberId"].text());
    const Timestamp time = m_facts->exchange->response->end;
    for (const std::string& before : round.members) {
        const auto known = group.members.find(before);
        const bool left = known != group.members.end() && known->second.gone;
        if (members.contains(before) || left) continue;
        tell(group, GroupEventKind::Lost, time, before, group.generation);
        if (known != group.members.end()) known->second.gone = true;
        if (!round.event) continue;
        GroupEvent& event = group.events[*round.event];
        if (event.text == "not seen" || event.text == "members were told to join again")
            event.text = fmt::format("{} was lost", before);
    }
    if (round.membersOf != generation) round.membersBefore = std::move(round.members);
    round.membersOf = generation;
    round.members = std::move(members);
}

void GroupCollector::syncGroup(const std::string& id) {
    Group* group = this->group(id, GroupKind::Classic);
    if (!group) return;
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const Exchange& exchange = *m_facts->exchange;
    const std::string member = request["memberId"].text();
    see(*group, member, *m_facts, request["groupInstanceId"].text());
    const std::int64_t error = response["errorCode"].number(0);
    const std::int32_t generation = request["generationId"].int32(-1);
    if (error == rebalanceInProgress) {
        tell(*group, GroupEventKind::MustRejoin, exchange.response->end, member, generation);
        return;
    }
    if (failed(*group, member, error)) return;
    Round& round = m_rounds[id];
    extend(*group, round, generation, exchange.response->end);
    if (GroupEvent* event = tell(*group, GroupEventKind::Assigned, exchange.response->end, member, generation))
        event->partitions = classicAssignment(response["assignment"]);
}

std::vector<AssignedPartitions> GroupCollector::classicAssignment(const FieldView& bytes) const {
    const SchemaMessage* schema = m_protocol.nested("ConsumerProtocolAssignment");
    const std::vector<std::uint8_t> content = bytes.content();
    if (!schema || content.empty()) return {};
    const ByteChain chain = ByteChain::of(content);
    NestedMessage nested;
    decodeNested(m_protocol, *schema, chain, nested);
    if (nested.message.body == noNode || !nested.message.problems.empty()) return {}; // another protocol's
    return partitionsIn(FieldView(nested.message, chain, nested.message.body)["assignedPartitions"], "topic", {});
}

void GroupCollector::heartbeat(const std::string& id) {
    Group* group = this->group(id, GroupKind::Classic);
    if (!group) return;
    ++group->heartbeats;
    const FieldView request = m_bodies.request();
    const std::string member = request["memberId"].text();
    see(*group, member, *m_facts, request["groupInstanceId"].text());
    const std::int64_t error = m_bodies.response()["errorCode"].number(0);
    const Timestamp time = m_facts->exchange->response->end;
    if (error != rebalanceInProgress) {
        failed(*group, member, error);
        return;
    }
    tell(*group, GroupEventKind::MustRejoin, time, member, request["generationId"].int32(-1));
    Round& round = m_rounds[id];
    if (!round.told) round.told = Trigger{time, {}};
}

void GroupCollector::leaveGroup(const std::string& id) {
    Group* group = this->group(id, GroupKind::Classic);
    if (!group) return;
    Round& round = m_rounds[id];
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const std::string own = request["memberId"].text();
    if (failed(*group, own, response["errorCode"].number(0))) return;
    if (!own.empty()) return leave(*group, round, own, {});
    const std::vector<FieldView> asked = request["members"].entries(), answered = response["members"].entries();
    for (std::size_t i = 0; i < asked.size(); ++i) {
        std::string member = asked[i]["memberId"].text();
        const std::string instance = asked[i]["groupInstanceId"].text();
        // A tool removes static members by their instance id alone.
        if (member.empty())
            for (const auto& [candidate, known] : group->members)
                if (known.instanceId == instance && !known.gone) member = candidate;
        const std::int64_t error = i < answered.size() ? answered[i]["errorCode"].number(0) : 0;
        if (!failed(*group, member, error)) leave(*group, round, member, asked[i]["reason"].text());
    }
}

} // namespace brokerscope
