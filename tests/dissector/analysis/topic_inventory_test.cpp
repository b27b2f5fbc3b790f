// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/topic_inventory.h"

#include "tests/support/capture_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

TopicInventory& readFrom(const std::string& path, TopicInventory& inventory) {
    ExchangeFactsReader facts(Protocol::builtin());
    test::EachExchange sink([&](const Exchange& exchange) { inventory.add(facts.read(exchange)); });
    test::readCapture(path, sink);
    return inventory;
}

TopicInventory& read(const std::string& sample, TopicInventory& inventory) {
    return readFrom("samples/" + sample, inventory);
}

std::vector<ClusterChangeKind> kindsOf(const Cluster& cluster) {
    std::vector<ClusterChangeKind> kinds;
    for (const ClusterChange& change : cluster.changes)
        kinds.push_back(change.kind);
    return kinds;
}

TEST(TopicInventory, countsWhatIsWrittenAndRead) {
    TopicInventory inventory(Protocol::builtin());
    const auto topics = read("codecs.pcap", inventory).topics();
    const TopicUse& topic = topics.at("events-codec");
    EXPECT_EQ(topic.produced.records, 750u); // three batches of 50 for each of five codecs
    EXPECT_EQ(topic.consumed.records, 750u);
    EXPECT_EQ(topic.produced.bytes, topic.consumed.bytes);
    EXPECT_EQ(topic.partitions.size(), 5u);
    EXPECT_EQ(topic.partitions.at(0).highWatermark, 150);
    EXPECT_FALSE(topic.producers.empty());
    EXPECT_THAT(topic.consumers.begin()->first.software, testing::HasSubstr("apache-kafka-java"));
}

TEST(TopicInventory, seesFromCommitsHowFarAGroupIs) {
    TopicInventory inventory(Protocol::builtin());
    const auto topics = read("first-steps.pcap", inventory).topics();
    const TopicUse& topic = topics.at("mini");
    ASSERT_FALSE(topic.partitions.empty());
    std::int64_t committed = 0;
    for (const auto& [number, partition] : topic.partitions)
        for (const auto& [group, offset] : partition.committed) {
            EXPECT_EQ(group, "mini-group");
            committed += offset;
        }
    EXPECT_GT(committed, 0);
    EXPECT_EQ(topic.lag(), 0) << "it had read everything";
}

TEST(TopicInventory, knowsLeadersReplicasAndIsr) {
    TopicInventory inventory(Protocol::builtin());
    const Cluster& cluster = read("produce-acks.pcap", inventory).cluster();
    EXPECT_EQ(cluster.brokers.size(), 3u);
    EXPECT_EQ(cluster.brokers.at(1).host, "10.77.0.11");
    const PartitionState& state = cluster.topics.at("orders").at(0);
    EXPECT_EQ(state.replicas.size(), 3u);
    EXPECT_EQ(state.isr.size(), 3u);
    EXPECT_TRUE(cluster.changes.empty());
}

TEST(ClusterMap, tellsElectionsOfTheQuorum) {
    TopicInventory inventory(Protocol::builtin());
    const Cluster& cluster = read("kraft-cluster.pcap.zst", inventory).cluster();
    EXPECT_GE(cluster.elections, 2u) << "the active controller stops once";
    EXPECT_GT(cluster.votes, 0u);
    std::int32_t epoch = -1;
    for (const ClusterChange& change : cluster.changes)
        if (change.kind == ClusterChangeKind::Elected) {
            EXPECT_GE(change.epoch.value_or(-1), epoch);
            epoch = *change.epoch;
        }
    EXPECT_EQ(cluster.quorumEpoch, epoch);
}

TEST(ClusterMap, learnsTheQuorumsLeaderFromItsFollowersAndSeesANodeReadTheSnapshot) {
    TopicInventory inventory(Protocol::builtin());
    const Cluster& cluster = readFrom("tests/data/captures/kraft-snapshot/capture.pcap.zst", inventory).cluster();
    EXPECT_EQ(cluster.quorumLeader, 1);
    EXPECT_EQ(cluster.quorumEpoch, 3);
    EXPECT_EQ(cluster.elections, 0u) << "it led before the capture began";
    using enum ClusterChangeKind;
    EXPECT_THAT(kindsOf(cluster), testing::ElementsAre(Leads, Snapshot, Broker, Broker, Broker));
    EXPECT_THAT(cluster.changes[1].text, testing::StartsWith("node 2 reads the snapshot"));
}

TEST(ClusterMap, seesBrokersRegisterAndTheirFencing) {
    TopicInventory inventory(Protocol::builtin());
    const Cluster& cluster = read("kraft-cluster.pcap.zst", inventory).cluster();
    std::vector<std::string> texts;
    for (const ClusterChange& change : cluster.changes)
        if (change.kind == ClusterChangeKind::Broker) texts.push_back(change.text);
    EXPECT_THAT(texts, testing::Contains(testing::StartsWith("broker 2 registers")));
    EXPECT_THAT(texts, testing::Contains("broker 2 is fenced"));
    EXPECT_THAT(texts, testing::Contains("broker 2 is unfenced"));
}

TEST(ClusterMap, readsWhatAControllerOfTheZooKeeperEraTellsItsBrokers) {
    TopicInventory inventory(Protocol::builtin());
    const Cluster& cluster = readFrom("tests/data/captures/old-2.8.2/capture.pcap.zst", inventory).cluster();
    EXPECT_TRUE(cluster.topics.contains("events-2-8-2"));
    EXPECT_GT(std::ranges::count(cluster.changes, ClusterChangeKind::Leader, &ClusterChange::kind), 0);
}

TEST(ClusterMap, tellsHowLeadersChangeWhenABrokerStops) {
    TopicInventory inventory(Protocol::builtin());
    const Cluster& cluster = read("errors.pcap.zst", inventory).cluster();
    const auto changes = std::ranges::count(cluster.changes, ClusterChangeKind::Leader, &ClusterChange::kind);
    EXPECT_GT(changes, 0);
    for (const ClusterChange& change : cluster.changes)
        EXPECT_FALSE(change.text.empty());
}

TEST(TopicInventory, seesThatJavaProducersUseMurmur2) {
    TopicInventory inventory(Protocol::builtin());
    const auto topics = read("produce-acks.pcap", inventory).topics();
    EXPECT_THAT(topics.at("orders").verdicts(), testing::ElementsAre("murmur2"));
    EXPECT_EQ(topics.at("orders").partitioners.size(), 4u) << "each producer is looked at by itself";
}

TEST(TopicInventory, measuresTheLagOfGroupsByWhatTheyCommitted) {
    TopicInventory inventory(Protocol::builtin());
    const auto topics = read("rebalance-kip848.pcap.zst", inventory).topics();
    for (const auto& [number, partition] : topics.at("clicks").partitions) {
        ASSERT_FALSE(partition.committed.empty());
        EXPECT_EQ(partition.committing.size(), partition.positions.size()) << "all of them are members";
        std::int64_t most = 0;
        for (const auto& [group, offset] : partition.committed)
            most = std::max(most, *partition.lagOf(offset));
        EXPECT_EQ(partition.lag(), most) << number;
    }
}

} // namespace
} // namespace brokerscope
