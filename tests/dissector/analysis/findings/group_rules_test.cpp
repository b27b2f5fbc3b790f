// SPDX-License-Identifier: Apache-2.0
#include "tests/dissector/analysis/findings/story.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using enum FindingId;

constexpr auto join = R"({"groupId":"g","sessionTimeoutMs":6000})";

void joinGeneration(Story& story, int generation) {
    story.exchange(apikey::JoinGroup, 5, join, fmt::format(R"({{"generationId":{},"memberId":"m"}})", generation));
}

void beat(Story& story) {
    story.exchange(apikey::Heartbeat, 3, R"({"groupId":"g","memberId":"m"})", "{}");
}

TEST(RebalanceRule, findsAGroupThatRebalancesAgainAndAgain) {
    Story storm, calm;
    storm.gap = 3s;
    calm.gap = 30s;
    for (int generation = 1; generation <= 10; ++generation) {
        joinGeneration(storm, generation);
        joinGeneration(calm, generation);
    }
    EXPECT_EQ(storm.severityOf(RebalanceStorm), Severity::Warning);
    EXPECT_FALSE(calm.severityOf(RebalanceStorm));
}

TEST(RebalanceRule, findsARebalanceThatTookLong) {
    Story slow, quick;
    slow.wait = 11s;
    quick.wait = 3s;
    joinGeneration(slow, 1);
    joinGeneration(quick, 1);
    EXPECT_EQ(slow.severityOf(SlowRebalance), Severity::Warning);
    EXPECT_FALSE(quick.severityOf(SlowRebalance));
}

TEST(HeartbeatRule, measuresPausesAgainstTheSession) {
    const auto found = [](Duration pause) {
        Story story;
        joinGeneration(story, 1);
        story.gap = pause;
        beat(story);
        return story.severityOf(HeartbeatGap);
    };
    EXPECT_EQ(found(5s), Severity::Warning);
    EXPECT_FALSE(found(3s));
}

TEST(HeartbeatRule, takesThePaceOfTheConsumerProtocolFromTheBroker) {
    const auto found = [](Duration pause) {
        Story story;
        for (int i = 0; i < 2; ++i) {
            story.exchange(apikey::ConsumerGroupHeartbeat, 0, R"({"groupId":"g","memberId":"m","memberEpoch":1})",
                           R"({"heartbeatIntervalMs":1000})");
            story.gap = pause;
        }
        return story.severityOf(HeartbeatGap);
    };
    EXPECT_EQ(found(5s), Severity::Warning);
    EXPECT_FALSE(found(1s));
}

TEST(LeaveRule, findsMembersThatDidNotPollInTime) {
    const auto found = [](std::string_view reason) {
        Story story;
        story.exchange(apikey::LeaveGroup, 5,
                       fmt::format(R"({{"groupId":"g","members":[{{"memberId":"m","reason":"{}"}}]}})", reason), "{}");
        return story.severityOf(MaxPollExceeded);
    };
    EXPECT_EQ(found("consumer poll timeout has expired."), Severity::Warning);
    EXPECT_FALSE(found("the consumer is being closed"));
}

TEST(IdleMemberRule, notesAnAssignmentWithoutPartitions) {
    const auto found = [](std::string_view assignment) {
        Story story;
        story.exchange(apikey::SyncGroup, 3, R"({"groupId":"g","memberId":"m"})",
                       fmt::format(R"({{"assignment":"{}"}})", assignment));
        return story.severityOf(IdleMember);
    };
    EXPECT_EQ(found("000100000000ffffffff"), Severity::Note);
    EXPECT_FALSE(found("000100000001000161000000010000000000000000"));
}

TEST(OffsetResetRule, notesPartitionsWithoutACommit) {
    const auto found = [](int offset) {
        Story story;
        story.exchange(
            apikey::OffsetFetch, 7, R"({"groupId":"g"})",
            fmt::format(R"({{"topics":[{{"name":"orders","partitions":[{{"committedOffset":{}}}]}}]}})", offset));
        return story.severityOf(OffsetReset);
    };
    EXPECT_EQ(found(-1), Severity::Note);
    EXPECT_FALSE(found(42));
}

std::string fetched(int bytes) {
    return fmt::format(R"({{"responses":[{{"topic":"orders","partitions":[{{"records":"{}"}}]}}]}})",
                       std::string(static_cast<std::size_t>(bytes) * 2, '0'));
}

TEST(CommitRule, findsAGroupThatNeverCommits) {
    const auto found = [](bool commits) {
        Story story;
        story.gap = 2s;
        joinGeneration(story, 1);
        for (int i = 0; i < 40; ++i) {
            beat(story);
            story.exchange(apikey::Fetch, 11, "{}", fetched(200));
            if (commits) story.exchange(apikey::OffsetCommit, 7, R"({"groupId":"g"})", "{}");
        }
        return story.severityOf(NothingCommitted);
    };
    EXPECT_EQ(found(false), Severity::Warning);
    EXPECT_FALSE(found(true));
}

TEST(CommitRule, notesHowMuchIsReadBetweenCommits) {
    const auto found = [](int bytes) {
        Story story;
        joinGeneration(story, 1);
        for (int i = 0; i < 3; ++i) {
            story.exchange(apikey::OffsetCommit, 7, R"({"groupId":"g"})", "{}");
            story.gap = 5s;
            story.exchange(apikey::Fetch, 11, "{}", fetched(bytes));
        }
        story.exchange(apikey::OffsetCommit, 7, R"({"groupId":"g"})", "{}");
        return story.severityOf(CommitWindow);
    };
    EXPECT_EQ(found(20'000), Severity::Note);
    EXPECT_FALSE(found(100));
}

TEST(BusyLoopRule, findsEmptyFetchesInATightLoop) {
    const auto found = [](Duration wait, int count) {
        Story story;
        story.wait = wait;
        story.gap = wait + 1ms;
        for (int i = 0; i < count; ++i)
            story.exchange(apikey::Fetch, 11, R"({"maxWaitMs":500,"minBytes":1})", "{}");
        story.connectionOver();
        return story.severityOf(FetchBusyLoop);
    };
    EXPECT_EQ(found(1ms, 50), Severity::Warning);
    EXPECT_FALSE(found(500ms, 50));
    EXPECT_FALSE(found(1ms, 49));
}

TEST(MetadataLoopRule, countsRequestsInAWindow) {
    const auto found = [](Duration gap) {
        Story story;
        story.gap = gap;
        for (int i = 0; i < 50; ++i)
            story.exchange(apikey::Metadata, 9, "{}", "{}");
        return story.severityOf(MetadataLoop);
    };
    EXPECT_EQ(found(100ms), Severity::Warning);
    EXPECT_FALSE(found(1s));
}

std::string partitionLedBy(int leader, std::string_view isr) {
    return fmt::format(R"({{"topics":[{{"name":"orders","partitions":[{{"partitionIndex":0,"leaderId":{},)"
                       R"("replicaNodes":[1,2],"isrNodes":{}}}]}}]}})",
                       leader, isr);
}

TEST(PartitionRule, findsWhatIsOfflineOrNotInSync) {
    Story offline, behind, healthy, repaired;
    offline.exchange(apikey::Metadata, 9, "{}", partitionLedBy(-1, "[1]"));
    EXPECT_EQ(offline.severityOf(OfflinePartition), Severity::Error);
    behind.exchange(apikey::Metadata, 9, "{}", partitionLedBy(1, "[1]"));
    EXPECT_EQ(behind.severityOf(UnderReplicated), Severity::Warning);
    healthy.exchange(apikey::Metadata, 9, "{}", partitionLedBy(1, "[1,2]"));
    EXPECT_TRUE(healthy.findings().empty());
    repaired.exchange(apikey::Metadata, 9, "{}", partitionLedBy(1, "[1]"));
    repaired.exchange(apikey::Metadata, 9, "{}", partitionLedBy(2, "[1,2]"));
    EXPECT_EQ(repaired.severityOf(UnderReplicated), Severity::Note);
    EXPECT_EQ(repaired.severityOf(LeaderMoved), Severity::Note);
}

TEST(ControllerRule, findsABrokerThatIsFencedAfterItWasInUse) {
    const auto found = [](bool first, bool second) {
        Story story;
        for (const bool fenced : {first, second})
            story.exchange(apikey::BrokerHeartbeat, 0, R"({"brokerId":2})",
                           fmt::format(R"({{"isFenced":{}}})", fenced));
        return story.severityOf(BrokerFenced);
    };
    EXPECT_EQ(found(false, true), Severity::Warning);
    EXPECT_FALSE(found(true, true));
    EXPECT_FALSE(found(true, false));
}

TEST(ControllerRule, notesAnElectionAndWarnsOfMany) {
    const auto found = [](int epochs) {
        Story story;
        for (int epoch = 1; epoch <= epochs; ++epoch)
            story.exchange(
                apikey::Vote, 0,
                fmt::format(R"({{"topics":[{{"topicName":"t","partitions":[{{"replicaEpoch":{}}}]}}]}})", epoch), "{}");
        return story.severityOf(ControllerElection);
    };
    EXPECT_EQ(found(1), Severity::Note);
    EXPECT_EQ(found(5), Severity::Warning);
}

} // namespace
} // namespace brokerscope
