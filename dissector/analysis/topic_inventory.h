// SPDX-License-Identifier: Apache-2.0
// Who writes and reads each topic with which software, how much of it, and how far the readers are behind: the high
// watermark and the positions of consumers and groups as far as the capture shows them.
//
// Followers fetch as consumers do; what brokers replicate is counted apart and is no consumer.
// Memory:  at most maxTopics topics and maxPartitions partitions, maxClients clients a topic; a handful of numbers
// each. Threads: one.
#pragma once

#include "dissector/analysis/cluster_map.h"
#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/partitioner_check.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/records/record_set.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace brokerscope {

struct TopicClient {
    std::string clientId, software;
    auto operator<=>(const TopicClient&) const = default;
};

struct RecordFlow {
    std::uint64_t batches = 0, records = 0, bytes = 0;
};

struct PartitionUse {
    RecordFlow produced, consumed;
    std::optional<std::int64_t> logStart, highWatermark; // the latest seen
    std::map<TopicClient, std::int64_t> positions;       // the next offset that a consumer asked for
    std::set<TopicClient> committing;                    // of them those whose group commits here
    std::map<std::string, std::int64_t> committed;       // by group

    // Of the reader that is farthest behind: groups by what they committed, consumers without a group by what they ask
    // for. nullopt: nobody's position or no high watermark was seen.
    std::optional<std::int64_t> lag() const;
    std::optional<std::int64_t> lagOf(std::int64_t position) const;
};

struct TopicUse {
    RecordFlow produced, consumed, replicated;
    std::uint64_t errors = 0; // exchanges about it that failed
    std::map<TopicClient, RecordFlow> producers, consumers;
    std::map<std::int32_t, PartitionUse> partitions;
    std::map<TopicClient, PartitionerCheck> partitioners; // of the producers whose records have keys

    std::vector<std::string> verdicts() const; // of all producers, each once
    std::optional<std::int64_t> lag() const;   // of all partitions together
};

class TopicInventory {
  public:
    static constexpr std::size_t maxTopics = 20'000, maxPartitions = 200'000, maxClients = 1000;
    static constexpr std::uint64_t maxKeys = 20'000; // looked at for the partitioner, a producer of a topic

    explicit TopicInventory(const Protocol& protocol);

    void add(const ExchangeFacts& facts);
    // Topics that were only seen by their id get their names.
    std::map<std::string, TopicUse> topics() const;
    const Cluster& cluster() const { return m_cluster.cluster(); }
    std::uint64_t leftOut() const { return m_leftOut; }

  private:
    void produce();
    void fetch();
    void consumed(TopicUse& topic, PartitionUse& partition, const RecordFlow& flow) const;
    void positions(const TopicClient& client);
    void shareFetch();
    void commit();
    RecordFlow batchesOf(std::int32_t number, const FieldView& records, const ByteChain& bytes,
                         PartitionerCheck* keys = nullptr, std::int32_t partitions = 0);
    TopicClient client() const;
    TopicUse* topicOf(const FieldView& entry);
    PartitionUse* partition(TopicUse& topic, std::int32_t number);
    std::int32_t partitionCount(const std::string& topic) const;
    std::string nameOf(const FieldView& entry) const;

    TopicNames m_names;
    ExchangeBodies m_bodies;
    ClusterMap m_cluster;
    RecordSetReader m_records;
    const ExchangeFacts* m_facts = nullptr; // at work
    std::map<std::string, TopicUse> m_topics;
    std::map<TopicClient, std::set<std::string>> m_groupsOf; // of clients that take part in groups
    std::map<TopicId, std::string> m_unnamed;                // their keys in m_topics
    std::size_t m_partitions = 0;
    std::uint64_t m_leftOut = 0;
};

} // namespace brokerscope
