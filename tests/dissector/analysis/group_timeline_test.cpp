// SPDX-License-Identifier: Apache-2.0
// The stories of the shipped samples; tests/conformance/timelines.py holds many more against the brokers' logs.
#include "dissector/analysis/group_timeline.h"

#include "tests/support/capture_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

GroupTimeline timelineOf(const std::string& sample) {
    ExchangeFactsReader facts(Protocol::builtin());
    GroupCollector collector(Protocol::builtin());
    test::EachExchange sink([&](const Exchange& exchange) { collector.add(facts.read(exchange)); });
    test::readCapture("samples/" + sample, sink);
    return collector.timeline();
}

std::vector<const GroupEvent*> eventsOf(const Group& group, GroupEventKind kind) {
    std::vector<const GroupEvent*> found;
    for (const GroupEvent& event : group.events)
        if (event.kind == kind) found.push_back(&event);
    return found;
}

TEST(GroupTimeline, tellsTheStoryOfAGroupOfOne) {
    const GroupTimeline timeline = timelineOf("first-steps.pcap");
    ASSERT_EQ(timeline.groups.size(), 1u);
    const Group& group = timeline.groups.at("mini-group");
    EXPECT_EQ(group.kind, GroupKind::Classic);
    EXPECT_EQ(group.protocolType, "consumer");
    EXPECT_EQ(group.generation, 3) << "the group is older than the capture";
    EXPECT_EQ(group.rebalances, 1u);
    ASSERT_EQ(group.members.size(), 1u);
    EXPECT_EQ(group.members.begin()->second.clientId, "mini-c");
    EXPECT_TRUE(group.members.begin()->second.gone);
    const auto assigned = eventsOf(group, GroupEventKind::Assigned);
    ASSERT_EQ(assigned.size(), 1u);
    EXPECT_THAT(partitionsText(assigned[0]->partitions), StartsWith("mini 0"));
    EXPECT_EQ(eventsOf(group, GroupEventKind::Left).size(), 1u);
}

TEST(GroupTimeline, saysWhyEachRebalanceBeganAndHowLongItTook) {
    const GroupTimeline timeline = timelineOf("rebalance-classic.pcap.zst");
    const Group& group = timeline.groups.at("group-range");
    const auto rebalances = eventsOf(group, GroupEventKind::Rebalance);
    ASSERT_GE(rebalances.size(), 3u);
    EXPECT_THAT(rebalances[0]->text, HasSubstr("range-a"));
    EXPECT_THAT(rebalances[0]->text, HasSubstr("joined"));
    EXPECT_THAT(rebalances[1]->text, HasSubstr("range-b")) << "though the other member's answer came first";
    EXPECT_THAT(rebalances[1]->text, HasSubstr("joined"));
    Duration sum{};
    for (const GroupEvent* event : rebalances) {
        EXPECT_GT(event->took, 0ms);
        EXPECT_LT(event->took, 20s);
        sum += event->took;
    }
    EXPECT_EQ(sum, group.rebalancing);
}

TEST(GroupTimeline, noticesAMemberThatVanishedWithoutLeaving) {
    const GroupTimeline timeline = timelineOf("rebalance-classic.pcap.zst");
    std::vector<const GroupEvent*> lost;
    for (const auto& [id, group] : timeline.groups)
        for (const GroupEvent* event : eventsOf(group, GroupEventKind::Lost))
            lost.push_back(event);
    ASSERT_EQ(lost.size(), 2u) << "one consumer was killed, one with a group.instance.id closed without leaving";
}

TEST(GroupTimeline, keepsTheLatestOffsetOfEachPartitionOfCommitsInARow) {
    const GroupTimeline timeline = timelineOf("rebalance-kip848.pcap.zst");
    std::size_t rows = 0;
    for (const auto& [id, group] : timeline.groups) {
        std::uint64_t commits = 0;
        for (const GroupEvent* event : eventsOf(group, GroupEventKind::Committed)) {
            std::size_t partitions = 0;
            for (const AssignedPartitions& topic : event->partitions)
                partitions += topic.partitions.size();
            EXPECT_EQ(event->offsets.size(), partitions);
            commits += event->times;
            ++rows;
        }
        EXPECT_EQ(commits, group.commits) << id;
    }
    EXPECT_GT(rows, 10u);
}

TEST(GroupTimeline, doesNotTakeAStaticMembersPauseForTheCauseOfARebalance) {
    const GroupTimeline timeline = timelineOf("rebalance-kip848.pcap.zst");
    const Group& group = timeline.groups.at("group-next");
    std::string paused;
    for (const GroupEvent* event : eventsOf(group, GroupEventKind::Left))
        if (event->text.starts_with("for a while")) paused = event->member;
    ASSERT_FALSE(paused.empty());
    for (const GroupEvent* event : eventsOf(group, GroupEventKind::Rebalance))
        EXPECT_NE(event->text, paused + " left");
}

TEST(GroupTimeline, countsWhatMembersOfAShareGroupMadeOfTheirRecords) {
    const GroupTimeline timeline = timelineOf("share-group.pcap");
    ShareRecords sum;
    for (const GroupEvent* event : eventsOf(timeline.groups.at("workers"), GroupEventKind::Acknowledged)) {
        EXPECT_TRUE(event->generation) << "the member's epoch";
        sum.acquired += event->records.acquired;
        sum.accepted += event->records.accepted;
        sum.released += event->records.released;
        sum.rejected += event->records.rejected;
        sum.renewed += event->records.renewed;
    }
    EXPECT_GT(sum.renewed, 0u);
    EXPECT_GT(sum.rejected, 0u);
    EXPECT_EQ(sum.acquired, sum.accepted + sum.released + sum.rejected) << "each delivery was ended by one of these";
}

TEST(GroupTimeline, addsCommitsUp) {
    GroupEvent first, second;
    first.kind = second.kind = GroupEventKind::Committed;
    first.partitions = {{"a", {}, {0, 1}}, {"b", {}, {5}}};
    first.offsets = {10, 20, 30};
    second.partitions = {{"b", {}, {5}}, {"a", {}, {2, 1}}};
    second.offsets = {31, 5, 21};
    second.times = 3;
    const GroupEvent sum = together(first, second);
    EXPECT_EQ(partitionsText(sum.partitions), "a 0-2, b 5");
    EXPECT_EQ(sum.offsets, (std::vector<std::int64_t>{10, 21, 5, 31}));
    EXPECT_EQ(sum.times, 4u);
}

TEST(GroupTimeline, standsInTheOrderOfTime) {
    for (const char* sample : {"rebalance-classic.pcap.zst", "rebalance-kip848.pcap.zst", "share-group.pcap"})
        for (const auto& [id, group] : timelineOf(sample).groups)
            EXPECT_TRUE(std::ranges::is_sorted(group.events, {}, &GroupEvent::time)) << sample << " " << id;
}

TEST(GroupTimeline, readsTheNewerProtocols) {
    const GroupTimeline consumers = timelineOf("rebalance-kip848.pcap.zst");
    std::size_t joined = 0;
    for (const auto& [id, group] : consumers.groups) {
        EXPECT_EQ(group.kind, GroupKind::Consumer) << id;
        joined += eventsOf(group, GroupEventKind::Joined).size();
        for (const GroupEvent* event : eventsOf(group, GroupEventKind::Assigned))
            for (const AssignedPartitions& one : event->partitions)
                EXPECT_LT(one.topic.size(), 22u) << "an id without its name";
    }
    EXPECT_EQ(joined, 4u);
    for (const auto& [id, group] : timelineOf("share-group.pcap").groups)
        EXPECT_EQ(group.kind, GroupKind::Share) << id;
}

TEST(PartitionsText, joinsNumbersInARow) {
    EXPECT_EQ(partitionsText({{"orders", {}, {2, 0, 1, 5}}, {"payments", {}, {7, 8}}}), "orders 0-2 5, payments 7 8");
    EXPECT_EQ(partitionsText({}), "");
}

} // namespace
} // namespace brokerscope
