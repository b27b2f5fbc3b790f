// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/cluster_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t metadataKey = 3, voteKey = 52, beginEpochKey = 53, endEpochKey = 54, describeQuorumKey = 55,
                       alterPartitionKey = 56, describeClusterKey = 60, describePartitionsKey = 75;

std::vector<std::int32_t> nodes(const FieldView& list) {
    std::vector<std::int32_t> result;
    for (const FieldView entry : list.entries())
        result.push_back(entry.int32(-1));
    return result;
}

std::string change(const std::vector<std::int32_t>& from, const std::vector<std::int32_t>& to) {
    return fmt::format("{} -> {}", fmt::join(from, " "), fmt::join(to, " "));
}

} // namespace

std::string_view name(ClusterChangeKind kind) {
    switch (kind) {
    case ClusterChangeKind::Broker:
        return "broker";
    case ClusterChangeKind::Leader:
        return "leader";
    case ClusterChangeKind::Isr:
        return "isr";
    case ClusterChangeKind::Replicas:
        return "replicas";
    case ClusterChangeKind::Vote:
        return "vote";
    case ClusterChangeKind::Elected:
        return "elected";
    case ClusterChangeKind::Resigned:
        return "resigned";
    }
    return "";
}

void ClusterMap::add(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_names.learn(exchange);
    if (!exchange.header || !exchange.request || !exchange.response) return;
    m_facts = &facts;
    m_bodies.assign(exchange);
    switch (exchange.header->apiKey) {
    case metadataKey:
    case describeClusterKey:
    case describePartitionsKey:
        return metadata();
    case voteKey:
        return vote();
    case beginEpochKey:
        return beginEpoch();
    case endEpochKey:
        return endEpoch();
    case describeQuorumKey:
        return describeQuorum();
    case alterPartitionKey:
        return alterPartition();
    default:
        return;
    }
}

ClusterChange* ClusterMap::tell(ClusterChangeKind kind, std::string text) {
    if (m_cluster.changes.size() >= maxChanges) {
        ++m_cluster.leftOut;
        return nullptr;
    }
    ClusterChange change;
    change.kind = kind;
    change.time = m_facts->exchange->response->end;
    change.exchange = m_facts->exchange->id;
    change.text = std::move(text);
    m_cluster.changes.push_back(std::move(change));
    return &m_cluster.changes.back();
}

void ClusterMap::metadata() {
    const FieldView response = m_bodies.response();
    if (const std::string id = response["clusterId"].text(); !id.empty()) m_cluster.clusterId = id;
    for (const FieldView entry : response["brokers"].entries())
        broker(entry, entry["nodeId"] ? "nodeId" : "brokerId");
    // With KRaft any broker is named, another one in each answer: a change would tell nothing.
    if (const std::int32_t id = response["controllerId"].int32(-1); id >= 0) m_cluster.controller = id;
    for (const FieldView topic : response["topics"].entries()) {
        std::string name = topic["name"].text();
        if (const auto id = topic["topicId"].uuid(); name.empty() && id) name = m_names.nameOrId(*id);
        for (const FieldView entry : topic["partitions"].entries())
            partition(name, entry);
    }
}

void ClusterMap::broker(const FieldView& entry, std::string_view idField) {
    const std::int32_t id = entry[idField].int32(-1);
    const ClusterBroker now{entry["host"].text(), entry["rack"].text(), entry["port"].int32(0),
                            entry["isFenced"].number(0) != 0};
    const auto found = m_cluster.brokers.find(id);
    if (found == m_cluster.brokers.end()) {
        if (m_cluster.brokers.size() >= maxBrokers) {
            ++m_cluster.leftOut;
            return;
        }
        m_cluster.brokers.emplace(id, now);
        return;
    }
    // One broker has several listeners: each client is told the one that it asked by, so an address is no change.
    if (found->second.fenced != now.fenced)
        tell(ClusterChangeKind::Broker, fmt::format("broker {} is {}", id, now.fenced ? "fenced" : "unfenced"));
    found->second = now;
}

void ClusterMap::partition(const std::string& topic, const FieldView& entry) {
    const std::int32_t number = entry["partitionIndex"].int32(-1);
    PartitionState now{entry["leaderId"].int32(-1), entry["leaderEpoch"].int32(-1), nodes(entry["replicaNodes"]),
                       nodes(entry["isrNodes"]), nodes(entry["offlineReplicas"])};
    std::ranges::sort(now.isr);
    auto& partitions = m_cluster.topics[topic];
    const auto found = partitions.find(number);
    if (found == partitions.end()) {
        if (m_partitions >= maxPartitions) {
            ++m_cluster.leftOut;
            return;
        }
        ++m_partitions;
        partitions.emplace(number, std::move(now));
        return;
    }
    PartitionState& before = found->second;
    if (now.leaderEpoch >= 0 && now.leaderEpoch < before.leaderEpoch) return; // from a broker that has not heard yet
    const auto told = [&](ClusterChangeKind kind, std::string text) {
        if (ClusterChange* change = tell(kind, std::move(text))) {
            change->topic = topic;
            change->partition = number;
            if (now.leaderEpoch >= 0) change->epoch = now.leaderEpoch;
        }
    };
    const auto node = [](std::int32_t id) { return id < 0 ? std::string("none") : fmt::format("{}", id); };
    if (before.leader != now.leader)
        told(ClusterChangeKind::Leader, fmt::format("{} -> {}", node(before.leader), node(now.leader)));
    if (before.isr != now.isr) told(ClusterChangeKind::Isr, change(before.isr, now.isr));
    if (before.replicas != now.replicas) told(ClusterChangeKind::Replicas, change(before.replicas, now.replicas));
    before = std::move(now);
}

// A leader tells the controller its new ISR.
void ClusterMap::alterPartition() {
    for (const FieldView topic : m_bodies.response()["topics"].entries()) {
        std::string name = topic["topicName"].text();
        if (const auto id = topic["topicId"].uuid(); name.empty() && id) name = m_names.nameOrId(*id);
        for (const FieldView entry : topic["partitions"].entries()) {
            if (entry["errorCode"].number(0) != 0) continue;
            std::vector<std::int32_t> isr = nodes(entry["isr"]);
            std::ranges::sort(isr);
            if (ClusterChange* change = tell(ClusterChangeKind::Isr, fmt::format("now {}", fmt::join(isr, " ")))) {
                change->topic = name;
                change->partition = entry["partitionIndex"].int32(-1);
                change->epoch = entry["leaderEpoch"].int32(-1);
            }
        }
    }
}

void ClusterMap::vote() {
    const FieldView response = m_bodies.response();
    for (const FieldView topic : m_bodies.request()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries()) {
            const bool preVote = entry["preVote"].number(0) != 0;
            // Named ReplicaId today, CandidateId in earlier versions; epochs likewise.
            const std::int32_t candidate = entry["replicaId"].int32(-1), epoch = entry["replicaEpoch"].int32(-1);
            bool granted = false;
            for (const FieldView answered : response["topics"].entries())
                for (const FieldView vote : answered["partitions"].entries()) {
                    granted = granted || vote["voteGranted"].number(0) != 0;
                    quorum(vote["leaderId"].int32(-1), vote["leaderEpoch"].int32(-1));
                }
            ++m_cluster.votes;
            if (ClusterChange* change =
                    tell(ClusterChangeKind::Vote, fmt::format("node {} asks for a {}vote: {}", candidate,
                                                              preVote ? "pre-" : "", granted ? "granted" : "refused")))
                change->epoch = epoch;
        }
}

void ClusterMap::beginEpoch() {
    for (const FieldView topic : m_bodies.request()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries())
            quorum(entry["leaderId"].int32(-1), entry["leaderEpoch"].int32(-1));
}

void ClusterMap::endEpoch() {
    for (const FieldView topic : m_bodies.request()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries())
            if (ClusterChange* change =
                    tell(ClusterChangeKind::Resigned, fmt::format("node {} gives up", entry["leaderId"].int32(-1))))
                change->epoch = entry["leaderEpoch"].int32(-1);
}

void ClusterMap::describeQuorum() {
    for (const FieldView topic : m_bodies.response()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries())
            quorum(entry["leaderId"].int32(-1), entry["leaderEpoch"].int32(-1));
}

// The first sign of each epoch's leader.
void ClusterMap::quorum(std::int32_t leader, std::int32_t epoch) {
    if (leader < 0 || (m_cluster.quorumEpoch && epoch <= *m_cluster.quorumEpoch && m_cluster.quorumLeader == leader))
        return;
    if (m_cluster.quorumEpoch && epoch < *m_cluster.quorumEpoch) return;
    m_cluster.quorumLeader = leader;
    m_cluster.quorumEpoch = epoch;
    ++m_cluster.elections;
    if (ClusterChange* change = tell(ClusterChangeKind::Elected, fmt::format("node {} leads the quorum", leader)))
        change->epoch = epoch;
}

} // namespace brokerscope
