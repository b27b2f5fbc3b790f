// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/cluster_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t fetchKey = 1, metadataKey = 3, updateMetadataKey = 6, voteKey = 52, beginEpochKey = 53,
                       endEpochKey = 54, describeQuorumKey = 55, alterPartitionKey = 56, fetchSnapshotKey = 59,
                       describeClusterKey = 60, registrationKey = 62, brokerHeartbeatKey = 63,
                       describePartitionsKey = 75, addVoterKey = 80, removeVoterKey = 81;
constexpr std::string_view metadataLog = "__cluster_metadata";

std::vector<std::int32_t> nodes(const FieldView& list) {
    std::vector<std::int32_t> result;
    for (const FieldView entry : list.entries())
        result.push_back(entry.int32(-1));
    return result;
}

// Whether the request is about the log that the KRaft quorum replicates; its topic id is well known.
bool isOfMetadataLog(const Skim& request) {
    const auto named = [](const auto& id) {
        return id.back() == 1 && std::ranges::count(id, 0) == static_cast<std::ptrdiff_t>(id.size()) - 1;
    };
    return std::ranges::find(request.topics, metadataLog) != request.topics.end() ||
           std::ranges::any_of(request.topicIds, named);
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
    case ClusterChangeKind::Leads:
        return "leads";
    case ClusterChangeKind::Vote:
        return "vote";
    case ClusterChangeKind::Elected:
        return "elected";
    case ClusterChangeKind::Resigned:
        return "resigned";
    case ClusterChangeKind::Snapshot:
        return "snapshot";
    case ClusterChangeKind::Voters:
        return "voters";
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
    case updateMetadataKey:
        return updateMetadata();
    case registrationKey:
        return registration();
    case brokerHeartbeatKey:
        return heartbeat();
    case fetchKey:
        if (isOfMetadataLog(facts.request)) raftFetch();
        return;
    case fetchSnapshotKey:
        return fetchSnapshot();
    case addVoterKey:
        return voters("added to");
    case removeVoterKey:
        return voters("removed from");
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
        const std::string name = topicName(topic, "name");
        for (const FieldView entry : topic["partitions"].entries())
            partition(name, entry["partitionIndex"].int32(-1),
                      {entry["leaderId"].int32(-1), entry["leaderEpoch"].int32(-1), nodes(entry["replicaNodes"]),
                       nodes(entry["isrNodes"]), nodes(entry["offlineReplicas"])});
    }
}

// The controller of the ZooKeeper era told every broker about partitions; up to version 4 without a level for topics.
void ClusterMap::updateMetadata() {
    const FieldView request = m_bodies.request();
    if (const std::int32_t id = request["controllerId"].int32(-1); id >= 0) m_cluster.controller = id;
    const auto state = [&](const std::string& topic, const FieldView& entry) {
        partition(topic, entry["partitionIndex"].int32(-1),
                  {entry["leader"].int32(-1), entry["leaderEpoch"].int32(-1), nodes(entry["replicas"]),
                   nodes(entry["isr"]), nodes(entry["offlineReplicas"])});
    };
    for (const FieldView entry : request["ungroupedPartitionStates"].entries())
        state(entry["topicName"].text(), entry);
    for (const FieldView topic : request["topicStates"].entries())
        for (const FieldView entry : topic["partitionStates"].entries())
            state(topic["topicName"].text(), entry);
}

std::string ClusterMap::topicName(const FieldView& entry, std::string_view field) const {
    std::string name = entry[field].text();
    if (const auto id = entry["topicId"].uuid(); name.empty() && id) name = m_names.nameOrId(*id);
    return name;
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
    // Only DescribeCluster says who is fenced; the brokers' own heartbeats say it at once.
    const bool wasFenced = found->second.fenced;
    found->second = now;
    if (!entry["isFenced"]) found->second.fenced = wasFenced;
    if (entry["isFenced"] && !m_fenced.contains(id) && wasFenced != now.fenced)
        tell(ClusterChangeKind::Broker, fmt::format("broker {} is {}", id, now.fenced ? "fenced" : "unfenced"));
}

void ClusterMap::registration() {
    const FieldView response = m_bodies.response();
    if (response["errorCode"].number(0) != 0) return;
    const std::int32_t id = m_bodies.request()["brokerId"].int32(-1);
    m_stopping.erase(id);
    tell(ClusterChangeKind::Broker,
         fmt::format("broker {} registers, broker epoch {}", id, response["brokerEpoch"].number(-1)));
    fenced(id, true); // until its heartbeats are heard
}

void ClusterMap::heartbeat() {
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    if (response["errorCode"].number(0) != 0) return;
    const std::int32_t id = request["brokerId"].int32(-1);
    if (request["wantShutDown"].number(0) != 0 && m_stopping.size() < maxBrokers && m_stopping.insert(id).second)
        tell(ClusterChangeKind::Broker, fmt::format("broker {} is about to stop", id));
    fenced(id, response["isFenced"].number(0) != 0);
}

// What a broker was at first is no change, unless it is fenced then.
void ClusterMap::fenced(std::int32_t broker, bool isFenced) {
    const auto known = m_fenced.find(broker);
    if (known == m_fenced.end() && m_fenced.size() >= maxBrokers) return;
    const bool changes = known == m_fenced.end() ? isFenced : known->second != isFenced;
    m_fenced[broker] = isFenced;
    if (const auto entry = m_cluster.brokers.find(broker); entry != m_cluster.brokers.end())
        entry->second.fenced = isFenced;
    if (changes)
        tell(ClusterChangeKind::Broker, fmt::format("broker {} is {}", broker, isFenced ? "fenced" : "unfenced"));
}

void ClusterMap::partition(const std::string& topic, std::int32_t number, PartitionState now) {
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
        const std::string name = topicName(topic, "topicName");
        for (const FieldView entry : topic["partitions"].entries()) {
            if (entry["errorCode"].number(0) != 0) continue;
            const std::int32_t number = entry["partitionIndex"].int32(-1), epoch = entry["leaderEpoch"].int32(-1);
            std::vector<std::int32_t> isr = nodes(entry["isr"]);
            std::ranges::sort(isr);
            std::string text = fmt::format("now {}", fmt::join(isr, " "));
            if (const auto states = m_cluster.topics.find(name); states != m_cluster.topics.end())
                if (const auto known = states->second.find(number); known != states->second.end()) {
                    if (known->second.isr == isr || epoch < known->second.leaderEpoch) continue;
                    text = brokerscope::change(known->second.isr, isr);
                    known->second.isr = isr;
                    known->second.leaderEpoch = epoch;
                }
            if (ClusterChange* change = tell(ClusterChangeKind::Isr, std::move(text))) {
                change->topic = name;
                change->partition = number;
                change->epoch = epoch;
            }
        }
    }
}

} // namespace brokerscope
