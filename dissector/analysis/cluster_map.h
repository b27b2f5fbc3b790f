// SPDX-License-Identifier: Apache-2.0
// The cluster as the capture shows it: brokers, controller, and of each partition the leader, the replicas and the ISR;
// every change of it with the exchange that told it; elections of the KRaft quorum.
//
// Brokers answer Metadata from what they know just then: an answer with an older leader epoch than was seen already
// changes nothing.
// Memory:  at most maxBrokers brokers, maxPartitions partitions and maxChanges changes. Threads: one.
#pragma once

#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/topic_names.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

struct ClusterBroker {
    std::string host, rack;
    std::int32_t port = 0;
    bool fenced = false;
    auto operator<=>(const ClusterBroker&) const = default;
};

struct PartitionState {
    std::int32_t leader = -1, leaderEpoch = -1;
    std::vector<std::int32_t> replicas, isr, offline;
};

enum class ClusterChangeKind : std::uint8_t {
    Broker, // fenced or unfenced
    Leader, // of a partition
    Isr,
    Replicas,
    Vote,     // a KRaft node asks to be elected
    Elected,  // a KRaft leader tells its epoch
    Resigned, // a KRaft leader gives its epoch up
};
std::string_view name(ClusterChangeKind kind); // as in ndjson

struct ClusterChange {
    ClusterChangeKind kind = ClusterChangeKind::Broker;
    Timestamp time;
    ExchangeId exchange;
    std::string topic; // of Leader, Isr, Replicas
    std::optional<std::int32_t> partition, epoch;
    std::string text;
};

struct Cluster {
    std::string clusterId;
    std::optional<std::int32_t> controller; // as Metadata names it; with KRaft any broker
    std::map<std::int32_t, ClusterBroker> brokers;
    std::map<std::string, std::map<std::int32_t, PartitionState>> topics;
    std::vector<ClusterChange> changes;
    std::optional<std::int32_t> quorumLeader, quorumEpoch;
    std::uint64_t votes = 0, elections = 0;
    std::uint64_t leftOut = 0;
};

class ClusterMap {
  public:
    static constexpr std::size_t maxBrokers = 10'000, maxPartitions = 200'000, maxChanges = 20'000;

    explicit ClusterMap(const Protocol& protocol) : m_names(protocol), m_bodies(protocol) {}

    void add(const ExchangeFacts& facts);
    const Cluster& cluster() const { return m_cluster; }

  private:
    void metadata();
    void broker(const FieldView& entry, std::string_view idField);
    void partition(const std::string& topic, const FieldView& entry);
    void alterPartition();
    void vote();
    void beginEpoch();
    void endEpoch();
    void describeQuorum();
    void quorum(std::int32_t leader, std::int32_t epoch);
    ClusterChange* tell(ClusterChangeKind kind, std::string text);

    TopicNames m_names;
    ExchangeBodies m_bodies;
    const ExchangeFacts* m_facts = nullptr; // at work
    Cluster m_cluster;
    std::size_t m_partitions = 0;
};

} // namespace brokerscope
