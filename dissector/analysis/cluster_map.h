// SPDX-License-Identifier: Apache-2.0
// The cluster as the capture shows it: brokers, controller, and of each partition the leader, the replicas and the ISR;
// every change of it with the exchange that told it; brokers that register, are fenced or stop; elections and voters of
// the KRaft quorum.
//
// Brokers answer Metadata from what they know just then: an answer with an older leader epoch than was seen already
// changes nothing. The quorum's leader is told by Vote, BeginQuorumEpoch, DescribeQuorum, and by the Fetch and
// FetchSnapshot of its followers.
// Memory:  at most maxBrokers brokers, maxPartitions partitions and maxChanges changes. Threads: one.
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
    Broker, // registers, is fenced or unfenced, is about to stop
    Leader, // of a partition
    Isr,
    Replicas,
    Leads,    // a KRaft node leads the quorum, since before the capture
    Vote,     // a KRaft node asks to be elected
    Elected,  // a KRaft leader of a new epoch
    Resigned, // a KRaft leader gives its epoch up
    Snapshot, // a KRaft node is so far behind that it reads a snapshot
    Voters,   // a voter is added to the quorum or removed
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
    void updateMetadata();
    void partition(const std::string& topic, std::int32_t number, PartitionState now);
    void alterPartition();
    void registration();
    void heartbeat();
    void fenced(std::int32_t broker, bool isFenced);
    std::string topicName(const FieldView& entry, std::string_view field) const;
    ClusterChange* tell(ClusterChangeKind kind, std::string text);

    // In cluster_map_quorum.cpp.
    void vote();
    void beginEpoch();
    void endEpoch();
    void describeQuorum();
    void raftFetch();
    void fetchSnapshot();
    void voters(std::string_view what);
    void quorum(std::int32_t leader, std::int32_t epoch, bool isNew = false);

    TopicNames m_names;
    ExchangeBodies m_bodies;
    const ExchangeFacts* m_facts = nullptr; // at work
    Cluster m_cluster;
    std::size_t m_partitions = 0;
    std::int32_t m_votedEpoch = -1;        // the latest that somebody asked votes for
    std::map<std::int32_t, bool> m_fenced; // by the brokers' heartbeats
    std::set<std::int32_t> m_stopping;     // brokers that asked to stop
};

} // namespace brokerscope
