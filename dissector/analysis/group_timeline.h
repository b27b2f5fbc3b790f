// SPDX-License-Identifier: Apache-2.0
// What happened in each group, in order: who joined and left, which rebalances there were, why each began and how long
// it took, who got which partitions, what was committed. Classic groups (JoinGroup and SyncGroup) and those whose
// heartbeat carries everything: consumer (KIP-848), share (KIP-932) and streams (KIP-1071).
//
// A rebalance begins with what caused it (a member joins, leaves, or is found lost) and ends with the last assignment
// of its generation that the capture shows.
// Memory:  at most maxGroups groups of maxMembers members and maxEvents events each; what is beyond is counted.
// Threads: one.
#pragma once

#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/topic_names.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace brokerscope {

enum class GroupKind : std::uint8_t { Classic, Consumer, Share, Streams };
std::string_view name(GroupKind kind); // as in ndjson

struct AssignedPartitions {
    std::string topic; // of streams: the subtopology; empty: told by its id
    std::optional<TopicId> topicId;
    std::vector<std::int32_t> partitions;
};

enum class GroupEventKind : std::uint8_t {
    Joined,     // a member that was not there before
    Rebalance,  // a generation, or an epoch of the newer protocols: cause, length
    Assigned,   // a member got these partitions
    MustRejoin, // a heartbeat was answered with REBALANCE_IN_PROGRESS
    Left,
    Lost, // not in the next generation, and did not leave
    Committed,
    Acknowledged, // of share groups: records handed out, and what the member made of those before
    Failed,       // an error of one of the group's apis
};
std::string_view name(GroupEventKind kind); // as in ndjson

struct ShareRecords {
    std::uint64_t acquired = 0, accepted = 0, released = 0, rejected = 0, renewed = 0;
};

struct GroupEvent {
    GroupEventKind kind = GroupEventKind::Joined;
    Timestamp time;
    ExchangeId exchange; // that shows it
    std::string member;
    std::optional<std::int32_t> generation; // or epoch
    std::string text;                       // the cause, the reason given, the api that failed
    Duration took{};                        // Rebalance
    std::int16_t error = 0;                 // Failed
    std::uint64_t times = 1;                // of one like it in a row
    std::vector<AssignedPartitions> partitions;
    ShareRecords records;              // Acknowledged
    std::vector<std::int64_t> offsets; // Committed: the latest of each partition, in their order
};

struct GroupMember {
    std::string clientId, instanceId, software;
    Address address;
    Timestamp first, last; // seen
    bool gone = false;     // left or lost
};

struct Group {
    GroupKind kind = GroupKind::Classic;
    std::string protocolType, assignor; // as far as told
    std::optional<Endpoint> coordinator;
    std::optional<std::int32_t> generation; // the latest
    std::uint64_t rebalances = 0, commits = 0, failures = 0, heartbeats = 0;
    Duration rebalancing{}; // the sum
    std::map<std::string, GroupMember> members;
    std::vector<GroupEvent> events;
    std::uint64_t leftOut = 0;
};

struct GroupTimeline {
    std::map<std::string, Group> groups;
    std::uint64_t leftOut = 0; // groups
};

class GroupCollector {
  public:
    static constexpr std::size_t maxGroups = 1000, maxMembers = 10'000, maxEvents = 20'000;

    explicit GroupCollector(const Protocol& protocol);

    void add(const ExchangeFacts& facts);
    // Topic ids get their names; events stand in the order of time.
    GroupTimeline timeline() const;

  private:
    // What may have begun the next rebalance, the earliest of its kind.
    struct Trigger {
        Timestamp time;
        std::string text;
    };
    struct Round {
        std::optional<std::size_t> event; // of the generation under way
        Timestamp begin;
        std::optional<Trigger> trigger, told; // told: the heartbeat that was answered with "join again"
        std::set<std::string> leavers;        // since the last generation
        // Of the latest generation whose leader was told them, and of the one before it.
        std::set<std::string> members, membersBefore;
        std::int32_t membersOf = -1;
        std::map<std::string, std::int32_t> epochs;
    };

    Group* group(const std::string& id, GroupKind kind);
    GroupMember* see(Group& group, const std::string& member, const ExchangeFacts& facts, const std::string& instance);
    GroupEvent* tell(Group& group, GroupEventKind kind, Timestamp time, std::string member,
                     std::optional<std::int32_t> generation);
    void begin(Group& group, Round& round, std::int32_t generation, Timestamp begun, Timestamp end, std::string cause);
    void extend(Group& group, Round& round, std::int32_t generation, Timestamp end);
    void leave(Group& group, Round& round, const std::string& member, std::string reason, bool begins = true);
    bool failed(Group& group, const std::string& member, std::int64_t error);

    void joinGroup(const std::string& id);
    void firstOfGeneration(Group& group, Round& round, const FieldView& response, std::int32_t generation);
    void noteMembers(Group& group, Round& round, const FieldView& response, std::int32_t generation);
    void syncGroup(const std::string& id);
    void heartbeat(const std::string& id);
    void leaveGroup(const std::string& id);
    void offsetCommit(const std::string& id);
    void epochHeartbeat(const std::string& id, GroupKind kind);
    void shareRecords(const std::string& id);
    std::vector<AssignedPartitions> partitionsIn(const FieldView& list, std::string_view topicField,
                                                 std::string_view partitionField) const;
    std::vector<AssignedPartitions> classicAssignment(const FieldView& bytes) const;

    const Protocol& m_protocol;
    TopicNames m_names;
    ExchangeBodies m_bodies;
    const ExchangeFacts* m_facts = nullptr; // at work
    std::map<std::string, Group> m_groups;
    std::map<std::string, Round> m_rounds;
    std::uint64_t m_leftOut = 0;
};

// Two Committed or Acknowledged events of a member as one, with the latest offset of each partition and all records.
GroupEvent together(GroupEvent earlier, const GroupEvent& later);
// "orders 0-2 5, payments 1"; empty for none.
std::string partitionsText(const std::vector<AssignedPartitions>& partitions);

} // namespace brokerscope
