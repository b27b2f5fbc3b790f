// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/topic_inventory.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t produceKey = 0, fetchKey = 1, offsetCommitKey = 8, joinGroupKey = 11, heartbeatKey = 12,
                       txnOffsetCommitKey = 28, consumerHeartbeatKey = 68, shareFetchKey = 78, streamsHeartbeatKey = 88;

void addTo(RecordFlow& sum, const RecordFlow& part) {
    sum.batches += part.batches;
    sum.records += part.records;
    sum.bytes += part.bytes;
}

template<class Map>
void addFlows(Map& sum, const Map& part) {
    for (const auto& [key, flow] : part)
        addTo(sum[key], flow);
}

std::optional<std::int64_t> sum(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    return a && b ? *a + *b : a ? a : b;
}

} // namespace

std::optional<std::int64_t> PartitionUse::lagOf(std::int64_t position) const {
    if (!highWatermark || position < 0) return std::nullopt;
    return std::max<std::int64_t>(0, *highWatermark - position);
}

std::optional<std::int64_t> PartitionUse::lag() const {
    std::optional<std::int64_t> most;
    const auto consider = [&](std::int64_t position) {
        if (const auto lag = lagOf(position); lag && (!most || *lag > *most)) most = lag;
    };
    for (const auto& [client, position] : positions)
        if (!committing.contains(client)) consider(position);
    for (const auto& [group, offset] : committed)
        consider(offset);
    return most;
}

std::vector<std::string> TopicUse::verdicts() const {
    std::vector<std::string> result;
    for (const auto& [client, check] : partitioners) {
        const std::string verdict(check.verdict());
        if (!verdict.empty() && std::ranges::find(result, verdict) == result.end()) result.push_back(verdict);
    }
    return result;
}

std::optional<std::int64_t> TopicUse::lag() const {
    std::optional<std::int64_t> total;
    for (const auto& [number, partition] : partitions)
        total = sum(total, partition.lag());
    return total;
}

TopicInventory::TopicInventory(const Protocol& protocol) : m_names(protocol), m_bodies(protocol), m_cluster(protocol) {}

void TopicInventory::add(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_names.learn(exchange);
    m_cluster.add(facts);
    if (!exchange.header || !exchange.request) return;
    m_facts = &facts;
    m_bodies.assign(exchange);
    switch (exchange.header->apiKey) {
    case produceKey:
        return produce();
    case fetchKey:
        return fetch();
    case shareFetchKey:
        return shareFetch();
    case joinGroupKey:
    case heartbeatKey:
    case consumerHeartbeatKey:
    case streamsHeartbeatKey:
        if (m_groupsOf.size() < maxClients) m_groupsOf[client()].insert(facts.request.group);
        return;
    case offsetCommitKey:
    case txnOffsetCommitKey:
        return commit();
    default:
        return;
    }
}

TopicClient TopicInventory::client() const {
    const Exchange& exchange = *m_facts->exchange;
    TopicClient client;
    client.clientId = exchange.header->clientId.value_or("");
    if (exchange.peer && !exchange.peer->softwareName.empty())
        client.software = fmt::format("{} {}", exchange.peer->softwareName, exchange.peer->softwareVersion);
    return client;
}

std::string TopicInventory::nameOf(const FieldView& entry) const {
    std::string name = entry["name"].text();
    if (name.empty()) name = entry["topic"].text();
    if (const auto id = entry["topicId"].uuid(); name.empty() && id) name = m_names.nameOrId(*id);
    return name;
}

TopicUse* TopicInventory::topicOf(const FieldView& entry) {
    const auto id = entry["topicId"].uuid();
    const std::string name = nameOf(entry);
    if (id && m_names.name(*id).empty()) m_unnamed.emplace(*id, name);
    const auto found = m_topics.find(name);
    if (found != m_topics.end()) return &found->second;
    if (m_topics.size() < maxTopics) return &m_topics[name];
    ++m_leftOut;
    return nullptr;
}

PartitionUse* TopicInventory::partition(TopicUse& topic, std::int32_t number) {
    const auto found = topic.partitions.find(number);
    if (found != topic.partitions.end()) return &found->second;
    if (m_partitions >= maxPartitions) {
        ++m_leftOut;
        return nullptr;
    }
    ++m_partitions;
    return &topic.partitions[number];
}

std::int32_t TopicInventory::partitionCount(const std::string& topic) const {
    const auto found = m_cluster.cluster().topics.find(topic);
    return found == m_cluster.cluster().topics.end() ? 0 : static_cast<std::int32_t>(found->second.size());
}

// The heads of the batches tell all but the keys, which are looked at for the partitioner.
RecordFlow TopicInventory::batchesOf(std::int32_t number, const FieldView& records, const ByteChain& bytes,
                                     PartitionerCheck* keys, std::int32_t partitions) {
    RecordFlow flow;
    m_records.open(bytes, records.contentBegin(), records.contentEnd());
    while (m_records.nextBatch()) {
        const Batch& batch = m_records.batch();
        if (batch.isControl) continue;
        ++flow.batches;
        flow.bytes += batch.sizeInBytes();
        const bool counts = batch.recordCount >= 0;
        if (counts) flow.records += static_cast<std::uint64_t>(batch.recordCount);
        if (counts && (!keys || keys->keyed >= maxKeys)) continue;
        while (m_records.nextRecord()) {
            if (!counts) ++flow.records;
            if (keys && m_records.record().key) keys->add(*m_records.record().key, number, partitions);
        }
    }
    return flow;
}

void TopicInventory::produce() {
    const ByteChain& bytes = m_facts->exchange->request->bytes;
    for (const FieldView entry : m_bodies.request()["topicData"].entries()) {
        TopicUse* topic = topicOf(entry);
        if (!topic) continue;
        if (!m_facts->response.errors.empty()) ++topic->errors;
        const std::int32_t count = partitionCount(nameOf(entry));
        const bool known = topic->partitioners.size() < maxClients || topic->partitioners.contains(client());
        PartitionerCheck* keys = count > 0 && known ? &topic->partitioners[client()] : nullptr;
        for (const FieldView part : entry["partitionData"].entries()) {
            PartitionUse* partition = this->partition(*topic, part["index"].int32(-1));
            if (!partition) continue;
            const RecordFlow flow = batchesOf(part["index"].int32(-1), part["records"], bytes, keys, count);
            addTo(topic->produced, flow);
            addTo(partition->produced, flow);
            if (topic->producers.size() < maxClients || topic->producers.contains(client()))
                addTo(topic->producers[client()], flow);
        }
    }
}

// A fetch session leaves out of requests what did not change, so the answer alone says what was read.
void TopicInventory::fetch() {
    const FieldView request = m_bodies.request();
    const std::int32_t replica =
        request["replicaState"] ? request["replicaState"]["replicaId"].int32(-1) : request["replicaId"].int32(-1);
    const bool follower = replica >= 0;
    if (!follower) positions(client());
    if (!m_facts->exchange->response) return;
    const ByteChain& bytes = m_facts->exchange->response->bytes;
    for (const FieldView entry : m_bodies.response()["responses"].entries()) {
        TopicUse* topic = topicOf(entry);
        if (!topic) continue;
        for (const FieldView part : entry["partitions"].entries()) {
            const std::int32_t number = part["partitionIndex"].int32(-1);
            PartitionUse* partition = this->partition(*topic, number);
            if (!partition) continue;
            if (part["errorCode"].number(0) != 0) ++topic->errors;
            if (const std::int64_t mark = part["highWatermark"].number(-1); mark >= 0)
                partition->highWatermark = std::max(partition->highWatermark.value_or(0), mark);
            if (const std::int64_t start = part["logStartOffset"].number(-1); start >= 0) partition->logStart = start;
            const RecordFlow flow = batchesOf(number, part["records"], bytes);
            if (follower) {
                addTo(topic->replicated, flow);
                continue;
            }
            consumed(*topic, *partition, flow);
        }
    }
}

void TopicInventory::consumed(TopicUse& topic, PartitionUse& partition, const RecordFlow& flow) const {
    addTo(topic.consumed, flow);
    addTo(partition.consumed, flow);
    if (topic.consumers.size() < maxClients || topic.consumers.contains(client()))
        addTo(topic.consumers[client()], flow);
}

void TopicInventory::positions(const TopicClient& client) {
    for (const FieldView entry : m_bodies.request()["topics"].entries())
        for (const FieldView part : entry["partitions"].entries())
            if (TopicUse* topic = topicOf(entry))
                if (PartitionUse* partition = this->partition(*topic, part["partition"].int32(-1)))
                    if (partition->positions.size() < maxClients || partition->positions.contains(client))
                        partition->positions[client] = part["fetchOffset"].number(-1);
}

void TopicInventory::shareFetch() {
    if (!m_facts->exchange->response) return;
    const ByteChain& bytes = m_facts->exchange->response->bytes;
    for (const FieldView entry : m_bodies.response()["responses"].entries()) {
        TopicUse* topic = topicOf(entry);
        if (!topic) continue;
        for (const FieldView part : entry["partitions"].entries()) {
            const std::int32_t number = part["partitionIndex"].int32(-1);
            PartitionUse* partition = this->partition(*topic, number);
            if (!partition) continue;
            const RecordFlow flow = batchesOf(number, part["records"], bytes);
            consumed(*topic, *partition, flow);
        }
    }
}

void TopicInventory::commit() {
    if (!m_facts->exchange->response || !m_facts->response.errors.empty()) return;
    const std::string group = m_bodies.request()["groupId"].text();
    for (const FieldView entry : m_bodies.request()["topics"].entries())
        for (const FieldView part : entry["partitions"].entries())
            if (TopicUse* topic = topicOf(entry))
                if (PartitionUse* partition = this->partition(*topic, part["partitionIndex"].int32(-1)))
                    if (partition->committed.size() < maxClients || partition->committed.contains(group))
                        partition->committed[group] = part["committedOffset"].number(-1);
}

std::map<std::string, TopicUse> TopicInventory::topics() const {
    std::map<std::string, TopicUse> result = m_topics;
    for (auto& [name, topic] : result)
        for (auto& [number, partition] : topic.partitions)
            for (const auto& [client, position] : partition.positions)
                if (const auto groups = m_groupsOf.find(client); groups != m_groupsOf.end())
                    for (const std::string& group : groups->second)
                        if (partition.committed.contains(group)) partition.committing.insert(client);
    for (const auto& [id, key] : m_unnamed) {
        const std::string_view name = m_names.name(id);
        const auto found = result.find(key);
        if (name.empty() || found == result.end() || key == name) continue;
        auto node = result.extract(found);
        TopicUse& sum = result[std::string(name)];
        const TopicUse& part = node.mapped();
        addTo(sum.produced, part.produced);
        addTo(sum.consumed, part.consumed);
        addTo(sum.replicated, part.replicated);
        sum.errors += part.errors;
        addFlows(sum.producers, part.producers);
        addFlows(sum.consumers, part.consumers);
        for (const auto& [number, use] : part.partitions) {
            PartitionUse& whole = sum.partitions[number];
            addTo(whole.produced, use.produced);
            addTo(whole.consumed, use.consumed);
            if (!whole.highWatermark) whole.highWatermark = use.highWatermark;
            if (!whole.logStart) whole.logStart = use.logStart;
            whole.positions.insert(use.positions.begin(), use.positions.end());
            whole.committed.insert(use.committed.begin(), use.committed.end());
            whole.committing.insert(use.committing.begin(), use.committing.end());
        }
    }
    return result;
}

} // namespace brokerscope
