// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/transaction_timeline.h"

#include "dissector/analysis/record_sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t produceKey = 0, fetchKey = 1, initKey = 22, addPartitionsKey = 24, addOffsetsKey = 25,
                       endKey = 26, writeMarkersKey = 27, offsetCommitKey = 28;
constexpr std::string_view byCoordinator = "by the coordinator";
constexpr std::string_view tookOver = "another producer took over";
constexpr std::int16_t invalidProducerEpoch = 47, producerFenced = 90;

std::string partitionText(const std::string& topic, std::int32_t partition) {
    return fmt::format("{}-{}", topic, partition);
}

Producer producerIn(const FieldView& message) {
    return {message["producerId"].number(-1), static_cast<std::int16_t>(message["producerEpoch"].number(-1))};
}

// After 2147483647 comes 0.
std::int32_t sequenceAfter(std::int32_t sequence, std::int64_t count) {
    return static_cast<std::int32_t>((sequence + count) % (std::int64_t{1} << 31));
}

} // namespace

std::string_view name(TransactionEnd end) {
    switch (end) {
    case TransactionEnd::Open:
        return "open";
    case TransactionEnd::Committed:
        return "committed";
    case TransactionEnd::Aborted:
        return "aborted";
    case TransactionEnd::Fenced:
        return "fenced";
    }
    return "";
}

std::string_view name(TransactionEventKind kind) {
    switch (kind) {
    case TransactionEventKind::Init:
        return "init";
    case TransactionEventKind::AddPartitions:
        return "add-partitions";
    case TransactionEventKind::AddOffsets:
        return "add-offsets";
    case TransactionEventKind::CommitOffsets:
        return "commit-offsets";
    case TransactionEventKind::Produce:
        return "produce";
    case TransactionEventKind::Commit:
        return "commit";
    case TransactionEventKind::Abort:
        return "abort";
    case TransactionEventKind::WriteMarkers:
        return "write-markers";
    case TransactionEventKind::Marker:
        return "marker";
    case TransactionEventKind::Failed:
        return "failed";
    }
    return "";
}

TransactionCollector::TransactionCollector(const Protocol& protocol) : m_names(protocol), m_bodies(protocol) {}

void TransactionCollector::add(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_names.learn(exchange);
    if (!exchange.header || !exchange.request) return;
    m_facts = &facts;
    m_bodies.assign(exchange);
    switch (exchange.header->apiKey) {
    case produceKey:
        return produce();
    case fetchKey:
        if (facts.response.recordBytes != 0) fetch();
        return;
    case initKey:
        return init();
    case addPartitionsKey:
        return addPartitions();
    case addOffsetsKey:
        return addOffsets();
    case endKey:
        return endTransaction();
    case writeMarkersKey:
        return writeMarkers();
    case offsetCommitKey:
        return commitOffsets();
    default:
        return;
    }
}

std::string TransactionCollector::topicName(const std::string& topic, const std::optional<TopicId>& id) const {
    return topic.empty() && id ? m_names.nameOrId(*id) : topic;
}

const std::string& TransactionCollector::idOf(std::int64_t producerId) const {
    static const std::string none;
    const auto found = m_ids.find(producerId);
    return found == m_ids.end() ? none : found->second;
}

std::int64_t TransactionCollector::firstError() const {
    return m_facts->response.errors.empty() ? 0 : m_facts->response.errors.front().code;
}

// Produce requests of one transaction in a row are one event.
TransactionEvent* TransactionCollector::tell(TransactionEventKind kind, const Producer& producer,
                                             const std::string& transactionalId, std::vector<std::string> partitions) {
    auto& events = m_timeline.events;
    const Exchange& exchange = *m_facts->exchange;
    const auto found = m_lastEvents.find(producer.id);
    if (kind == TransactionEventKind::Produce && found != m_lastEvents.end()) {
        TransactionEvent& last = events[found->second];
        if (last.kind == kind && last.producer == producer) {
            ++last.times;
            for (std::string& partition : partitions)
                if (std::ranges::find(last.partitions, partition) == last.partitions.end())
                    last.partitions.push_back(std::move(partition));
            return &last;
        }
    }
    if (events.size() >= maxEvents) {
        ++m_timeline.leftOut;
        return nullptr;
    }
    TransactionEvent event;
    event.kind = kind;
    event.time = exchange.request->begin;
    event.exchange = exchange.id;
    event.transactionalId = transactionalId;
    event.producer = producer;
    event.partitions = std::move(partitions);
    events.push_back(std::move(event));
    m_lastEvents[producer.id] = events.size() - 1;
    return &events.back();
}

Transaction* TransactionCollector::open(const Producer& producer, const std::string& transactionalId) {
    const Exchange& exchange = *m_facts->exchange;
    auto found = m_open.find(producer.id);
    if (found == m_open.end()) {
        if (m_timeline.transactions.size() >= maxTransactions) {
            ++m_timeline.leftOut;
            return nullptr;
        }
        Transaction transaction;
        transaction.transactionalId = transactionalId.empty() ? idOf(producer.id) : transactionalId;
        transaction.clientId = exchange.header->clientId.value_or("");
        transaction.begin = exchange.request->begin;
        transaction.first = exchange.id;
        m_timeline.transactions.push_back(std::move(transaction));
        found = m_open.emplace(producer.id, m_timeline.transactions.size() - 1).first;
    }
    Transaction& transaction = m_timeline.transactions[found->second];
    transaction.producer = producer;
    transaction.end = std::max(transaction.end, exchange.request->begin);
    transaction.last = exchange.id;
    return &transaction;
}

void TransactionCollector::close(Transaction& transaction, TransactionEnd result, Timestamp time, std::string why) {
    transaction.result = result;
    transaction.why = std::move(why);
    transaction.end = std::max(transaction.begin, time);
    transaction.last = m_facts->exchange->id;
    m_open.erase(transaction.producer.id);
}

void TransactionCollector::closeOpen(std::int64_t producerId, TransactionEnd result, std::string why) {
    const auto found = m_open.find(producerId);
    if (found == m_open.end()) return;
    const Exchange& exchange = *m_facts->exchange;
    close(m_timeline.transactions[found->second], result,
          exchange.response ? exchange.response->end : exchange.request->end, std::move(why));
}

bool TransactionCollector::failed(const Producer& producer, const std::string& transactionalId, std::int64_t error) {
    if (error == 0) return false;
    if (TransactionEvent* event = tell(TransactionEventKind::Failed, producer, transactionalId)) {
        event->api = m_facts->api ? m_facts->api->name : std::string();
        event->error = static_cast<std::int16_t>(error);
    }
    const bool fenced = error == producerFenced || error == invalidProducerEpoch;
    if (!fenced) return true;
    // Only the transaction of that very producer: the one that fenced it may have one of its own open.
    const auto found = m_open.find(producer.id);
    if (found != m_open.end() && m_timeline.transactions[found->second].producer.epoch <= producer.epoch)
        closeOpen(producer.id, TransactionEnd::Fenced, std::string(tookOver));
    return true;
}

void TransactionCollector::init() {
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    if (!response) return;
    const std::string id = request["transactionalId"].text();
    const Producer producer = producerIn(response), before = producerIn(request);
    if (failed(producer.id >= 0 ? producer : before, id, response["errorCode"].number(0))) return;
    if (!id.empty()) {
        // Whatever was open under this transactional id is aborted by it. A producer that begins anew after an error
        // says which one it was (KIP-360); who does not is another one, and the one before it is fenced.
        const bool anew = before.id >= 0;
        for (const auto& [producerId, known] : m_ids)
            if (known == id)
                closeOpen(producerId, anew ? TransactionEnd::Aborted : TransactionEnd::Fenced,
                          std::string(anew ? "the producer began anew" : tookOver));
        m_ids[producer.id] = id;
    }
    if (TransactionTimeline::Writer* writer = this->writer(producer)) writer->transactionalId = id;
    tell(TransactionEventKind::Init, producer, id);
}

void TransactionCollector::addPartitions() {
    const FieldView request = m_bodies.request();
    for (const FieldView transaction : request["transactions"].entries()) {
        if (transaction["verifyOnly"].number(0)) continue; // a broker asks, nothing is added
        addPartitionsOf(transaction, "", m_bodies.response());
    }
    if (!request["transactions"]) addPartitionsOf(request, "v3AndBelow", m_bodies.response());
}

void TransactionCollector::addPartitionsOf(const FieldView& request, std::string_view prefix, const FieldView& answer) {
    const auto field = [&](std::string_view name) {
        std::string full(prefix);
        full += name;
        if (prefix.empty()) full.front() = static_cast<char>(full.front() + ('a' - 'A'));
        return request[full];
    };
    const std::string id = field("TransactionalId").text();
    const Producer producer{field("ProducerId").number(-1),
                            static_cast<std::int16_t>(field("ProducerEpoch").number(-1))};
    m_ids[producer.id] = id;
    if (!answer || failed(producer, id, firstError())) return;
    std::vector<std::string> partitions;
    Transaction* transaction = open(producer, id);
    for (const FieldView topic : field("Topics").entries())
        for (const FieldView partition : topic["partitions"].entries()) {
            partitions.push_back(partitionText(topic["name"].text(), partition.int32(-1)));
            if (transaction) transaction->partitions.emplace(topic["name"].text(), partition.int32(-1));
        }
    tell(TransactionEventKind::AddPartitions, producer, id, std::move(partitions));
}

void TransactionCollector::addOffsets() {
    const FieldView request = m_bodies.request();
    const std::string id = request["transactionalId"].text();
    const Producer producer = producerIn(request);
    m_ids[producer.id] = id;
    if (!m_bodies.response() || failed(producer, id, firstError())) return;
    const std::string group = request["groupId"].text();
    if (Transaction* transaction = open(producer, id)) transaction->groups.insert(group);
    if (TransactionEvent* event = tell(TransactionEventKind::AddOffsets, producer, id)) event->group = group;
}

void TransactionCollector::commitOffsets() {
    const FieldView request = m_bodies.request();
    const std::string id = request["transactionalId"].text();
    const Producer producer = producerIn(request);
    m_ids[producer.id] = id;
    if (!m_bodies.response() || failed(producer, id, firstError())) return;
    const std::string group = request["groupId"].text();
    if (Transaction* transaction = open(producer, id)) transaction->groups.insert(group);
    std::vector<std::string> offsets;
    for (const FieldView topic : request["topics"].entries())
        for (const FieldView partition : topic["partitions"].entries())
            offsets.push_back(fmt::format("{}@{}",
                                          partitionText(topicName(topic["name"].text(), topic["topicId"].uuid()),
                                                        partition["partitionIndex"].int32(-1)),
                                          partition["committedOffset"].number(-1)));
    if (TransactionEvent* event = tell(TransactionEventKind::CommitOffsets, producer, id, std::move(offsets)))
        event->group = group;
}

void TransactionCollector::endTransaction() {
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const std::string id = request["transactionalId"].text();
    const Producer producer = producerIn(request);
    m_ids[producer.id] = id;
    if (!response || failed(producer, id, response["errorCode"].number(0))) return;
    const bool committed = request["committed"].number(0) != 0;
    const TransactionEnd result = committed ? TransactionEnd::Committed : TransactionEnd::Aborted;
    if (!endedByMarkers(producer, result)) {
        open(producer, id); // also when all that was done in it came before the capture, or nothing was
        closeOpen(producer.id, result, {});
    }
    TransactionEvent* event =
        tell(committed ? TransactionEventKind::Commit : TransactionEventKind::Abort, producer, id);
    // From version 5 on every transaction has an epoch of its own, and sometimes a new producer id.
    const Producer next = producerIn(response);
    if (next.id < 0) return;
    m_ids[next.id] = id;
    if (event && next != producer) event->next = next;
}

// The coordinator may have written the markers before its answer to EndTxn was seen: then that was no end of its own.
bool TransactionCollector::endedByMarkers(const Producer& producer, TransactionEnd result) {
    auto& all = m_timeline.transactions;
    const auto last =
        std::find_if(all.rbegin(), all.rend(), [&](const Transaction& one) { return one.producer.id == producer.id; });
    if (m_open.contains(producer.id) || last == all.rend() || last->why != byCoordinator || last->result != result)
        return false;
    last->why.clear();
    last->end = std::max(last->end, m_facts->exchange->response->end);
    last->last = m_facts->exchange->id;
    return true;
}

void TransactionCollector::writeMarkers() {
    for (const FieldView entry : m_bodies.request()["markers"].entries()) {
        const Producer producer = producerIn(entry);
        const bool committed = entry["transactionResult"].number(0) != 0;
        std::vector<std::string> partitions;
        for (const FieldView topic : entry["topics"].entries())
            for (const FieldView partition : topic["partitionIndexes"].entries())
                partitions.push_back(partitionText(topic["name"].text(), partition.int32(-1)));
        closeOpen(producer.id, committed ? TransactionEnd::Committed : TransactionEnd::Aborted,
                  std::string(byCoordinator));
        if (TransactionEvent* event =
                tell(TransactionEventKind::WriteMarkers, producer, idOf(producer.id), std::move(partitions)))
            event->committed = committed;
    }
}

void TransactionCollector::produce() {
    if (m_facts->request.recordBytes == 0) return;
    const ByteChain& bytes = m_facts->exchange->request->bytes;
    const std::int64_t error = firstError();
    for (const RecordSetPlace& set : recordSetsOf(bytes, m_bodies.message(Direction::Request), Direction::Request)) {
        m_records.open(bytes, set.begin, set.end);
        while (m_records.nextBatch()) {
            const Batch& batch = m_records.batch();
            if (batch.producerId < 0) continue;
            Batches one{topicName(set.topic, set.topicId),
                        set.partition.value_or(-1),
                        {batch.producerId, batch.producerEpoch},
                        1,
                        static_cast<std::uint64_t>(std::max(batch.recordCount, 0)),
                        batch.sizeInBytes()};
            checkSequence(one, batch.baseSequence, batch.recordCount);
            const std::string& id = idOf(batch.producerId);
            if (error != 0) {
                failed(one.producer, id, error);
                continue;
            }
            if (!batch.isTransactional) continue;
            if (Transaction* transaction = open(one.producer, id)) {
                transaction->partitions.emplace(one.topic, one.partition);
                transaction->batches += one.batches;
                transaction->records += one.records;
                transaction->bytes += one.bytes;
            }
            if (TransactionEvent* event =
                    tell(TransactionEventKind::Produce, one.producer, id, {partitionText(one.topic, one.partition)}))
                event->records += one.records;
        }
    }
}

TransactionTimeline::Writer* TransactionCollector::writer(const Producer& producer) {
    auto found = m_timeline.producers.find(producer);
    if (found == m_timeline.producers.end()) {
        if (m_timeline.producers.size() >= maxProducers) {
            ++m_timeline.leftOut;
            return nullptr;
        }
        found = m_timeline.producers.try_emplace(producer).first;
        const Exchange& exchange = *m_facts->exchange;
        found->second.transactionalId = idOf(producer.id);
        found->second.clientId = exchange.header->clientId.value_or("");
        if (exchange.peer && !exchange.peer->softwareName.empty())
            found->second.software = fmt::format("{} {}", exchange.peer->softwareName, exchange.peer->softwareVersion);
    }
    return &found->second;
}

void TransactionCollector::checkSequence(const Batches& batch, std::int32_t baseSequence, std::int32_t count) {
    TransactionTimeline::Writer* writer = this->writer(batch.producer);
    if (!writer) return;
    const std::pair key(batch.topic, batch.partition);
    auto found = writer->partitions.find(key);
    if (found == writer->partitions.end()) {
        if (m_partitions >= maxPartitions) {
            ++m_timeline.leftOut;
            return;
        }
        ++m_partitions;
        found = writer->partitions.try_emplace(key).first;
    }
    SequenceState& state = found->second;
    state.batches += batch.batches;
    state.records += batch.records;
    if (baseSequence < 0 || count < 0) return;
    // Half of the ring is behind, half ahead.
    const std::int64_t distance = std::int64_t{baseSequence} - state.next;
    const std::int64_t half = std::int64_t{1} << 30;
    const std::int64_t ahead = distance > half    ? distance - 2 * half
                               : distance < -half ? distance + 2 * half
                                                  : distance;
    if (state.next >= 0 && ahead < 0) {
        ++state.duplicates;
        if (!state.firstDuplicate) state.firstDuplicate = m_facts->exchange->id;
        return;
    }
    if (state.next >= 0 && ahead > 0) {
        ++state.gaps;
        if (!state.firstGap) state.firstGap = m_facts->exchange->id;
    }
    state.next = sequenceAfter(baseSequence, count);
}

void TransactionCollector::fetch() {
    const ByteChain& bytes = m_facts->exchange->response->bytes;
    for (const RecordSetPlace& set : recordSetsOf(bytes, m_bodies.message(Direction::Response), Direction::Response)) {
        m_records.open(bytes, set.begin, set.end);
        while (m_records.nextBatch())
            if (m_records.batch().isControl && m_records.batch().producerId >= 0)
                marker(topicName(set.topic, set.topicId), set.partition.value_or(-1));
    }
}

// Each marker once, however many consumers and followers fetch it.
void TransactionCollector::marker(const std::string& topic, std::int32_t partition) {
    const Batch batch = m_records.batch();
    const std::int64_t offset = batch.baseOffset.value_or(-1);
    if (m_markers.size() >= maxMarkers || !m_markers.emplace(topic, partition, offset).second) return;
    if (!m_records.nextRecord() || !m_records.record().key || m_records.record().key->size() < 4) return;
    const bool committed = (*m_records.record().key)[3] == 1; // version, then 0 ABORT or 1 COMMIT
    const Producer producer{batch.producerId, batch.producerEpoch};
    if (TransactionEvent* event =
            tell(TransactionEventKind::Marker, producer, idOf(producer.id), {partitionText(topic, partition)})) {
        event->time = m_facts->exchange->response->end;
        event->committed = committed;
        event->offset = offset;
    }
}

TransactionTimeline TransactionCollector::timeline() const {
    TransactionTimeline result = m_timeline;
    std::ranges::stable_sort(result.transactions, {}, &Transaction::begin);
    std::ranges::stable_sort(result.events, {}, &TransactionEvent::time);
    return result;
}

} // namespace brokerscope
