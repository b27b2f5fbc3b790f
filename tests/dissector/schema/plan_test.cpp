// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/plan.h"

#include "dissector/schema/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

std::vector<std::string> namesOf(const Plan& plan, const PlanField& parent) {
    std::vector<std::string> names;
    for (std::uint32_t i = parent.childBegin; i < parent.childEnd; ++i)
        names.push_back(plan.fields[i].schema->name);
    return names;
}

const PlanField& childOf(const Plan& plan, const PlanField& parent, std::string_view name) {
    for (std::uint32_t i = parent.childBegin; i < parent.childEnd; ++i)
        if (plan.fields[i].schema->name == name) return plan.fields[i];
    throw std::runtime_error("no such field");
}

TEST(Plan, holdsTheFieldsOfItsVersionInWireOrderThenTheTaggedOnes) {
    const Plan& plan = *Protocol::builtin().plan(1, 17, Direction::Request);
    EXPECT_TRUE(plan.flexible);
    EXPECT_THAT(namesOf(plan, plan.root()),
                testing::ElementsAre("MaxWaitMs", "MinBytes", "MaxBytes", "IsolationLevel", "SessionId", "SessionEpoch",
                                     "Topics", "ForgottenTopicsData", "RackId", "ClusterId", "ReplicaState"));
    EXPECT_EQ(plan.fields[plan.root().taggedBegin].schema->name, "ClusterId");
    const Plan& old = *Protocol::builtin().plan(1, 0, Direction::Request);
    EXPECT_FALSE(old.flexible);
    EXPECT_THAT(namesOf(old, old.root()), testing::ElementsAre("ReplicaId", "MaxWaitMs", "MinBytes", "Topics"));
}

TEST(Plan, knowsNullabilityOfItsVersion) {
    const Protocol& protocol = Protocol::builtin();
    const Plan& v0 = *protocol.plan(3, 0, Direction::Request);
    const Plan& v1 = *protocol.plan(3, 1, Direction::Request);
    EXPECT_FALSE(childOf(v0, v0.root(), "Topics").nullable);
    EXPECT_TRUE(childOf(v1, v1.root(), "Topics").nullable);
}

TEST(Plan, knowsSizesThatAreFixedAndTheLeastOfOthers) {
    const Protocol& protocol = Protocol::builtin();
    const Plan& old = *protocol.plan(1, 4, Direction::Response);
    const PlanField& partition = childOf(old, childOf(old, old.root(), "Responses"), "Partitions");
    EXPECT_EQ(childOf(old, partition, "AbortedTransactions").fixedSize, 16u);
    EXPECT_EQ(partition.fixedSize, 0u);
    EXPECT_EQ(partition.minSize, 4u + 2 + 8 + 8 + 4 + 4);
    const Plan& flexible = *protocol.plan(1, 12, Direction::Response);
    const PlanField& newer = childOf(flexible, childOf(flexible, flexible.root(), "Responses"), "Partitions");
    EXPECT_EQ(childOf(flexible, newer, "AbortedTransactions").fixedSize, 0u) << "a tag buffer has no fixed size";
    EXPECT_EQ(childOf(flexible, newer, "AbortedTransactions").minSize, 17u);
}

TEST(Plan, joinsUnwantedNeighboursOfAFixedSizeToOneSkip) {
    const Plan& plan = *Protocol::builtin().plan(1, 12, Direction::Response);
    const PlanField& partition = childOf(plan, childOf(plan, plan.root(), "Responses"), "Partitions");
    const PlanField& highWatermark = childOf(plan, partition, "HighWatermark");
    EXPECT_EQ(highWatermark.skipFields, 3) << "HighWatermark, LastStableOffset, LogStartOffset";
    EXPECT_EQ(highWatermark.skipBytes, 24u);
    EXPECT_EQ(childOf(plan, partition, "ErrorCode").skipFields, 0);
    EXPECT_TRUE(childOf(plan, partition, "Records").wanted);
    EXPECT_FALSE(childOf(plan, partition, "AbortedTransactions").wanted);
}

TEST(Plan, aTopicIdBesideANameIsNoSecondTopic) {
    const Protocol& protocol = Protocol::builtin();
    const Plan& metadata = *protocol.plan(3, 12, Direction::Response);
    const PlanField& topics = childOf(metadata, metadata.root(), "Topics");
    EXPECT_TRUE(childOf(metadata, topics, "Name").countsTopic);
    EXPECT_FALSE(childOf(metadata, topics, "TopicId").countsTopic);
    const Plan& fetch = *protocol.plan(1, 13, Direction::Response);
    EXPECT_TRUE(childOf(fetch, childOf(fetch, fetch.root(), "Responses"), "TopicId").countsTopic);
}

TEST(Plan, theLayoutsOfPreviewsHangBehindTheLayoutProper) {
    const Plan* plan = Protocol::builtin().plan(68, 0, Direction::Request);
    ASSERT_NE(plan->variant, nullptr);
    EXPECT_EQ(plan->variant->seenIn, "3.5-3.6");
    EXPECT_EQ(plan->variant->variant, nullptr);
    EXPECT_EQ(Protocol::builtin().plan(68, 1, Direction::Request)->variant, nullptr);
}

} // namespace
} // namespace brokerscope
