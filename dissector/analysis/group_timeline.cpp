// SPDX-License-Identifier: Apache-2.0
// What all kinds of groups share, and the groups whose heartbeat carries everything. The classic protocol is in
// group_timeline_classic.cpp.
#include "dissector/analysis/group_timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t offsetCommitKey = 8, joinGroupKey = 11, heartbeatKey = 12, leaveGroupKey = 13, syncGroupKey = 14,
                       txnOffsetCommitKey = 28, consumerHeartbeatKey = 68, shareHeartbeatKey = 76, shareFetchKey = 78,
                       shareAcknowledgeKey = 79, streamsHeartbeatKey = 88;

std::string numbersText(std::vector<std::int32_t> numbers) {
    std::ranges::sort(numbers);
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : " ", numbers[i]);
        if (last > i) text += fmt::format("{}{}", last > i + 1 ? "-" : " ", numbers[last]);
        i = last + 1;
    }
    return text;
}

void addRecords(ShareRecords& sum, const ShareRecords& part) {
    sum.acquired += part.acquired;
    sum.accepted += part.accepted;
    sum.released += part.released;
    sum.rejected += part.rejected;
    sum.renewed += part.renewed;
}

// One type for all records of the batch, or one for each of them.
void countAcknowledged(ShareRecords& records, const FieldView& batch) {
    const std::vector<FieldView> types = batch["acknowledgeTypes"].entries();
    const std::int64_t count = batch["lastOffset"].number(0) - batch["firstOffset"].number(1) + 1;
    for (const FieldView type : types) {
        const auto amount = static_cast<std::uint64_t>(types.size() == 1 ? std::max<std::int64_t>(count, 0) : 1);
        switch (type.number(0)) { // 0: a gap, nothing to acknowledge
        case 1:
            records.accepted += amount;
            break;
        case 2:
            records.released += amount;
            break;
        case 3:
            records.rejected += amount;
            break;
        case 4:
            records.renewed += amount;
            break;
        default:
            break;
        }
    }
}

// The latest offset of each partition stays.
void commit(GroupEvent& event, const AssignedPartitions& topic, const std::vector<std::int64_t>& offsets) {
    std::size_t before = 0; // offsets of the topics in front
    auto known = event.partitions.begin();
    for (; known != event.partitions.end(); before += known->partitions.size(), ++known)
        if (known->topic == topic.topic && known->topicId == topic.topicId) break;
    if (known == event.partitions.end()) {
        event.partitions.push_back({topic.topic, topic.topicId, {}});
        known = std::prev(event.partitions.end());
    }
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
        const auto found = std::ranges::find(known->partitions, topic.partitions[i]);
        const auto index = static_cast<std::size_t>(found - known->partitions.begin());
        if (found != known->partitions.end()) {
            event.offsets[before + index] = offsets[i];
        } else {
            known->partitions.push_back(topic.partitions[i]);
            event.offsets.insert(event.offsets.begin() + static_cast<std::ptrdiff_t>(before + index), offsets[i]);
        }
    }
}

} // namespace

std::string_view name(GroupKind kind) {
    switch (kind) {
    case GroupKind::Classic:
        return "classic";
    case GroupKind::Consumer:
        return "consumer";
    case GroupKind::Share:
        return "share";
    case GroupKind::Streams:
        return "streams";
    }
    return "";
}

std::string_view name(GroupEventKind kind) {
    switch (kind) {
    case GroupEventKind::Joined:
        return "joined";
    case GroupEventKind::Rebalance:
        return "rebalance";
    case GroupEventKind::Assigned:
        return "assigned";
    case GroupEventKind::MustRejoin:
        return "must-rejoin";
    case GroupEventKind::Left:
        return "left";
    case GroupEventKind::Lost:
        return "lost";
    case GroupEventKind::Committed:
        return "committed";
    case GroupEventKind::Acknowledged:
        return "acknowledged";
    case GroupEventKind::Failed:
        return "failed";
    }
    return "";
}

std::string partitionsText(const std::vector<AssignedPartitions>& partitions) {
    std::string text;
    for (const AssignedPartitions& one : partitions)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one.topic, numbersText(one.partitions));
    return text;
}

GroupEvent together(GroupEvent earlier, const GroupEvent& later) {
    std::size_t at = 0;
    for (const AssignedPartitions& topic : later.partitions) {
        const auto first = later.offsets.begin() + static_cast<std::ptrdiff_t>(at);
        commit(earlier, topic, {first, first + static_cast<std::ptrdiff_t>(topic.partitions.size())});
        at += topic.partitions.size();
    }
    addRecords(earlier.records, later.records);
    earlier.time = later.time;
    earlier.exchange = later.exchange;
    earlier.times += later.times;
    return earlier;
}

GroupCollector::GroupCollector(const Protocol& protocol)
    : m_protocol(protocol), m_names(protocol), m_bodies(protocol) {}

void GroupCollector::add(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_names.learn(exchange);
    if (!exchange.header || !exchange.request || !exchange.response || facts.request.group.empty()) return;
    m_facts = &facts;
    m_bodies.assign(exchange);
    const std::string& id = facts.request.group;
    switch (exchange.header->apiKey) {
    case joinGroupKey:
        return joinGroup(id);
    case syncGroupKey:
        return syncGroup(id);
    case heartbeatKey:
        return heartbeat(id);
    case leaveGroupKey:
        return leaveGroup(id);
    case offsetCommitKey:
    case txnOffsetCommitKey: // the same fields
        return offsetCommit(id);
    case consumerHeartbeatKey:
        return epochHeartbeat(id, GroupKind::Consumer);
    case shareHeartbeatKey:
        return epochHeartbeat(id, GroupKind::Share);
    case shareFetchKey:
    case shareAcknowledgeKey: // a part of the same fields
        return shareRecords(id);
    case streamsHeartbeatKey:
        return epochHeartbeat(id, GroupKind::Streams);
    default:
        return;
    }
}

Group* GroupCollector::group(const std::string& id, GroupKind kind) {
    auto found = m_groups.find(id);
    if (found == m_groups.end()) {
        if (m_groups.size() >= maxGroups) {
            ++m_leftOut;
            return nullptr;
        }
        found = m_groups.try_emplace(id).first;
        found->second.kind = kind;
    }
    if (kind != GroupKind::Classic) found->second.kind = kind; // a commit alone does not tell
    found->second.coordinator = m_facts->exchange->broker;
    return &found->second;
}

GroupMember* GroupCollector::see(Group& group, const std::string& id, const ExchangeFacts& facts,
                                 const std::string& instance) {
    if (id.empty()) return nullptr;
    const Exchange& exchange = *facts.exchange;
    auto found = group.members.find(id);
    if (found == group.members.end()) {
        if (group.members.size() >= maxMembers) {
            ++group.leftOut;
            return nullptr;
        }
        found = group.members.try_emplace(id).first;
        found->second.first = exchange.request->begin;
        found->second.address = exchange.client.address;
        if (exchange.header->clientId) found->second.clientId = *exchange.header->clientId;
    }
    GroupMember& member = found->second;
    member.last = std::max(member.last, exchange.response->end);
    if (!instance.empty()) member.instanceId = instance;
    if (exchange.peer && !exchange.peer->softwareName.empty())
        member.software = fmt::format("{} {}", exchange.peer->softwareName, exchange.peer->softwareVersion);
    return &member;
}

// What is like the last event of the same member counts there.
GroupEvent* GroupCollector::tell(Group& group, GroupEventKind kind, Timestamp time, std::string member,
                                 std::optional<std::int32_t> generation) {
    if (!group.events.empty()) {
        GroupEvent& last = group.events.back();
        const bool repeats = kind == GroupEventKind::Committed || kind == GroupEventKind::MustRejoin ||
                             kind == GroupEventKind::Acknowledged;
        if (repeats && last.kind == kind && last.member == member && last.generation == generation) {
            ++last.times;
            return &last;
        }
    }
    if (group.events.size() >= maxEvents) {
        ++group.leftOut;
        return nullptr;
    }
    GroupEvent event;
    event.kind = kind;
    event.time = time;
    event.exchange = m_facts->exchange->id;
    event.member = std::move(member);
    event.generation = generation;
    group.events.push_back(std::move(event));
    return &group.events.back();
}

void GroupCollector::begin(Group& group, Round& round, std::int32_t generation, Timestamp begun, Timestamp end,
                           std::string cause) {
    group.generation = generation;
    ++group.rebalances;
    round.begin = begun;
    round.trigger.reset();
    round.told.reset();
    round.leavers.clear();
    round.event.reset();
    if (GroupEvent* event = tell(group, GroupEventKind::Rebalance, begun, {}, generation)) {
        event->text = std::move(cause);
        round.event = group.events.size() - 1;
    }
    extend(group, round, generation, end);
}

void GroupCollector::extend(Group& group, Round& round, std::int32_t generation, Timestamp end) {
    if (!round.event || group.generation != generation) return;
    GroupEvent& event = group.events[*round.event];
    const Duration took = std::max(event.took, end - round.begin);
    group.rebalancing += took - event.took;
    event.took = took;
}

void GroupCollector::leave(Group& group, Round& round, const std::string& member, std::string reason, bool begins) {
    const Timestamp time = m_facts->exchange->request->begin;
    if (GroupEvent* event = tell(group, GroupEventKind::Left, time, member, group.generation)) event->text = reason;
    if (const auto found = group.members.find(member); found != group.members.end()) found->second.gone = true;
    round.leavers.insert(member);
    if (begins && !round.trigger) round.trigger = Trigger{time, fmt::format("{} left", member)};
}

// True when the answer is an error, which is told.
bool GroupCollector::failed(Group& group, const std::string& member, std::int64_t error) {
    if (error == 0) return false;
    ++group.failures;
    if (GroupEvent* event = tell(group, GroupEventKind::Failed, m_facts->exchange->response->end, member, {})) {
        event->error = static_cast<std::int16_t>(error);
        event->text = m_facts->api ? m_facts->api->name : std::string();
    }
    return true;
}

std::vector<AssignedPartitions> GroupCollector::partitionsIn(const FieldView& list, std::string_view topicField,
                                                             std::string_view partitionField) const {
    std::vector<AssignedPartitions> result;
    for (const FieldView topic : list.entries()) {
        AssignedPartitions one;
        one.topic = topic[topicField].text();
        one.topicId = topic["topicId"].uuid();
        for (const FieldView partition : topic["partitions"].entries())
            one.partitions.push_back((partitionField.empty() ? partition : partition[partitionField]).int32(-1));
        result.push_back(std::move(one));
    }
    return result;
}

void GroupCollector::offsetCommit(const std::string& id) {
    Group* group = this->group(id, GroupKind::Classic);
    if (!group) return;
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const std::string member = request["memberId"].text();
    see(*group, member, *m_facts, request["groupInstanceId"].text());
    for (const FieldView topic : response["topics"].entries())
        for (const FieldView partition : topic["partitions"].entries())
            if (failed(*group, member, partition["errorCode"].number(0))) return;
    ++group->commits;
    std::optional<std::int32_t> generation = request["generationIdOrMemberEpoch"].int32(-1);
    if (*generation < 0) generation.reset(); // no member: an offset set from outside
    GroupEvent* event = tell(*group, GroupEventKind::Committed, m_facts->exchange->response->end, member, generation);
    if (!event) return;
    const std::vector<AssignedPartitions> topics = partitionsIn(request["topics"], "name", "partitionIndex");
    std::size_t at = 0;
    for (const FieldView topic : request["topics"].entries()) {
        std::vector<std::int64_t> offsets;
        for (const FieldView partition : topic["partitions"].entries())
            offsets.push_back(partition["committedOffset"].number(-1));
        commit(*event, topics[at++], offsets);
    }
}

// Consumer, share and streams groups: the member says its epoch, the broker answers with the one to go to and, when it
// changed, with what the member has to own.
void GroupCollector::epochHeartbeat(const std::string& id, GroupKind kind) {
    Group* group = this->group(id, kind);
    if (!group) return;
    ++group->heartbeats;
    Round& round = m_rounds[id];
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const Exchange& exchange = *m_facts->exchange;
    const std::int32_t sent = request["memberEpoch"].int32(0), given = response["memberEpoch"].int32(0);
    std::string member = response["memberId"].text();
    if (member.empty()) member = request["memberId"].text();
    const std::string instance = request["instanceId"].text();
    if (const std::string assignor = request["serverAssignor"].text(); !assignor.empty()) group->assignor = assignor;
    see(*group, member, *m_facts, instance);
    if (failed(*group, member, response["errorCode"].number(0))) return;

    if (sent < 0) {
        round.epochs.erase(member);
        // A static member's place is kept until its session ends.
        const bool forAWhile = sent == -2;
        return leave(*group, round, member, forAWhile ? "for a while (static member)" : std::string(), !forAWhile);
    }
    if (sent == 0) {
        tell(*group, GroupEventKind::Joined, exchange.request->begin, member, given);
        if (const auto known = group->members.find(member); known != group->members.end()) known->second.gone = false;
        if (!round.trigger) round.trigger = Trigger{exchange.request->begin, fmt::format("{} joined", member)};
    } else if (request["subscribedTopicNames"] && !round.trigger) {
        round.trigger = Trigger{exchange.request->begin, fmt::format("{} changed its subscription", member)};
    }
    if (!group->generation || given > *group->generation) {
        const Trigger trigger = round.trigger.value_or(
            Trigger{exchange.request->begin, "the broker made a new epoch (a member was lost, or topics changed)"});
        begin(*group, round, given, trigger.time, exchange.response->end, trigger.text);
    } else if (round.epochs[member] != given) {
        extend(*group, round, given, exchange.response->end);
    }
    round.epochs[member] = given;

    std::vector<AssignedPartitions> partitions;
    const FieldView assignment = response["assignment"];
    if (kind == GroupKind::Streams)
        partitions = partitionsIn(response["activeTasks"], "subtopologyId", {});
    else if (assignment)
        partitions = partitionsIn(assignment["topicPartitions"] ? assignment["topicPartitions"]
                                                                : assignment["assignedTopicPartitions"],
                                  "topic", {});
    if (!assignment && !response["activeTasks"]) return;
    extend(*group, round, given, exchange.response->end);
    if (GroupEvent* event = tell(*group, GroupEventKind::Assigned, exchange.response->end, member, given))
        event->partitions = std::move(partitions);
}

void GroupCollector::shareRecords(const std::string& id) {
    Group* group = this->group(id, GroupKind::Share);
    if (!group) return;
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const std::string member = request["memberId"].text();
    see(*group, member, *m_facts, {});
    if (failed(*group, member, m_facts->response.errors.empty() ? 0 : m_facts->response.errors.front().code)) return;
    ShareRecords records;
    for (const FieldView topic : request["topics"].entries())
        for (const FieldView partition : topic["partitions"].entries())
            for (const FieldView batch : partition["acknowledgementBatches"].entries())
                countAcknowledged(records, batch);
    for (const FieldView topic : response["responses"].entries())
        for (const FieldView partition : topic["partitions"].entries())
            for (const FieldView range : partition["acquiredRecords"].entries()) {
                const std::int64_t count = range["lastOffset"].number(-1) - range["firstOffset"].number(0) + 1;
                records.acquired += static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
            }
    if (records.acquired + records.accepted + records.released + records.rejected + records.renewed == 0) return;
    const auto& epochs = m_rounds[id].epochs;
    const auto epoch = epochs.find(member);
    if (GroupEvent* event = tell(*group, GroupEventKind::Acknowledged, m_facts->exchange->response->end, member,
                                 epoch == epochs.end() ? std::nullopt : std::optional(epoch->second)))
        addRecords(event->records, records);
}

GroupTimeline GroupCollector::timeline() const {
    GroupTimeline result{m_groups, m_leftOut};
    for (auto& [id, group] : result.groups) {
        for (GroupEvent& event : group.events)
            for (AssignedPartitions& one : event.partitions)
                if (one.topic.empty() && one.topicId) one.topic = m_names.nameOrId(*one.topicId);
        std::ranges::stable_sort(group.events, {}, &GroupEvent::time);
    }
    return result;
}

} // namespace brokerscope
