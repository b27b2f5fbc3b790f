// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/exchange_index.h"

#include <algorithm>
#include <string>

namespace brokerscope {

namespace {

template<std::size_t N>
using Packed = std::array<std::uint8_t, N>;

// The low N bytes; what does not fit becomes the largest that does.
template<std::size_t N>
void pack(std::uint64_t value, Packed<N>& out) {
    value = std::min(value, (std::uint64_t{1} << 8 * N) - 1);
    for (std::uint8_t& byte : out) {
        byte = static_cast<std::uint8_t>(value);
        value >>= 8;
    }
}

template<std::size_t N>
void pack(Duration time, Packed<N>& out) {
    pack(static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0)), out);
}

std::size_t mix(std::size_t hash, std::uint64_t value) {
    return hash ^ (value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2));
}

bool anyDamage(const std::vector<Problem>& problems) {
    return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return row(p.kind).damage; });
}

bool has(const std::vector<Problem>& problems, ProblemKind kind) {
    return std::any_of(problems.begin(), problems.end(), [kind](const Problem& p) { return p.kind == kind; });
}

bool lostBytes(const std::optional<Frame>& frame) {
    return frame && frame->bytes.hasHoles();
}

std::string keyOf(const std::array<std::uint8_t, 16>& id) {
    return {reinterpret_cast<const char*>(id.data()), id.size()};
}

} // namespace

std::size_t hashOf(const Subject& subject) {
    std::size_t hash = mix(subject.topicCount, subject.partitionCount);
    hash = mix(hash, static_cast<std::uint64_t>(subject.group) << 32 | subject.transactionalId);
    hash = mix(hash, static_cast<std::uint16_t>(subject.acks));
    for (Subject::Topic topic : subject.topics)
        hash = mix(hash, topic);
    return hash;
}

std::size_t hashOf(const Outcome& outcome) {
    std::size_t hash = static_cast<std::uint32_t>(outcome.throttleMs);
    for (const Outcome::Code& error : outcome.errors)
        hash = mix(hash, static_cast<std::uint64_t>(static_cast<std::uint16_t>(error.code)) << 32 | error.count);
    return hash;
}

// ---- reading a row

const Subject& ExchangeRow::subject() const {
    return m_index->m_subjects[m_stored->subject.load(std::memory_order_acquire)];
}

const Outcome& ExchangeRow::outcome() const {
    return m_index->m_outcomes[ended() ? m_stored->outcome : 0];
}

// ---- the index

ExchangeIndex::ExchangeIndex(Duration slowAbove)
    : m_slowAbove(slowAbove), m_chunks(std::make_unique<std::atomic<Stored*>[]>(maxRows / chunkRows + 1)) {
    static_assert(sizeof(Stored) == 72);
    m_connections.push(std::make_unique<ConnectionSlot>());
}

ExchangeIndex::~ExchangeIndex() {
    for (std::size_t i = 0; i < m_chunkCount; ++i)
        delete[] m_chunks[i].load(std::memory_order_relaxed);
}

ExchangeIndex::Stored* ExchangeIndex::slot(const Exchange& exchange) {
    if (exchange.id.value == 0 || exchange.id.value > maxRows) {
        m_leftOut.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
    const auto at = static_cast<std::uint32_t>(exchange.id.value - 1);
    while (m_chunkCount <= at >> chunkBits)
        m_chunks[m_chunkCount++].store(new Stored[chunkRows], std::memory_order_release);
    return &m_chunks[at >> chunkBits].load(std::memory_order_relaxed)[at & (chunkRows - 1)];
}

std::uint32_t ExchangeIndex::writeRequest(Stored& stored, const Exchange& exchange, const Skim& request) {
    writeConnection(exchange);
    std::uint32_t flags = ExchangeRow::Known;
    const Timestamp start = exchange.start();
    stored.time = start.time_since_epoch().count();
    stored.connection = static_cast<std::uint32_t>(exchange.connection.value);
    stored.correlationId = exchange.correlationId;
    if (exchange.header) {
        flags |= ExchangeRow::HasHeader;
        stored.apiKey = exchange.header->apiKey;
        stored.apiVersion = exchange.header->apiVersion;
        if (exchange.header->clientId) {
            flags |= ExchangeRow::HasClientId;
            stored.clientId = m_strings.intern(*exchange.header->clientId);
        }
    }
    const Frame& first = exchange.request ? *exchange.request : *exchange.response;
    if (first.bytes.pieces().front().slice.timeDigits == 9) flags |= ExchangeRow::NineDigits;
    if (exchange.request) {
        flags |= ExchangeRow::HasRequest | (exchange.request->complete ? ExchangeRow::RequestWhole : 0U);
        stored.requestBytes = exchange.request->bytes.size();
        StoredMessage message;
        message.frame = exchange.request;
        pack(m_extents.write(message, start), stored.requestExtents);
    }
    stored.subject.store(m_subjects.intern(subjectOf(request, false)), std::memory_order_release);
    return flags | troubles(request);
}

std::uint32_t ExchangeIndex::troubles(const Skim& skim) {
    return (anyDamage(skim.problems) ? ExchangeRow::Damaged : 0U) |
           (has(skim.problems, ProblemKind::AssumedVersion) ? ExchangeRow::AssumedVersion : 0U);
}

bool ExchangeIndex::needsRequest(const Exchange& exchange) const {
    if (exchange.id.value > size() || !row(static_cast<std::uint32_t>(exchange.id.value - 1)).known()) return true;
    const std::optional<Latency> parts = latency(exchange);
    return parts && parts->wait >= std::chrono::milliseconds{5}; // it may tell why the broker waited
}

void ExchangeIndex::requestSeen(const Exchange& exchange, const Skim& request) {
    Stored* stored = slot(exchange);
    if (!stored) return;
    stored->flags.store(writeRequest(*stored, exchange, request), std::memory_order_release);
    const auto needed = static_cast<std::uint32_t>(exchange.id.value);
    if (needed > m_size.load(std::memory_order_relaxed)) m_size.store(needed, std::memory_order_release);
    m_known.fetch_add(1, std::memory_order_relaxed);
}

void ExchangeIndex::ended(const Exchange& exchange, const Skim& request, const Skim& response) {
    Stored* stored = slot(exchange);
    if (!stored) return;
    std::uint32_t flags = stored->flags.load(std::memory_order_relaxed);
    if (!(flags & ExchangeRow::Known)) {
        requestSeen(exchange, request);
        flags = stored->flags.load(std::memory_order_relaxed);
    } else if (exchange.header && !(flags & ExchangeRow::HasHeader)) { // an api that was worked out late
        stored->apiKey = exchange.header->apiKey;
        stored->apiVersion = exchange.header->apiVersion;
        flags |= ExchangeRow::HasHeader;
    }

    StoredMessage message;
    message.frame = exchange.response;
    if (exchange.header && exchange.responseVersion != exchange.header->apiVersion)
        message.layoutVersion = exchange.responseVersion;
    message.confidence = exchange.confidence;
    message.problems = exchange.problems;
    message.timing = exchange.timing;
    pack(m_extents.write(message, exchange.start()), stored->responseExtents);
    if (exchange.response) {
        flags |= ExchangeRow::HasResponse | (exchange.response->complete ? ExchangeRow::ResponseWhole : 0U);
        stored->responseBytes = exchange.response->bytes.size();
        stored->subject.store(mergedSubject(stored->subject.load(std::memory_order_relaxed), response),
                              std::memory_order_release);
    }
    if (const std::optional<Latency> parts = latency(exchange)) {
        const WaitByDesign byDesign = waitByDesign(exchange, *parts, request, response);
        flags |= ExchangeRow::HasLatency | static_cast<std::uint32_t>(byDesign.reason) << ExchangeRow::waitReasonShift;
        pack(parts->total, stored->latency);
        pack(parts->wait, stored->wait);
        pack(byDesign.duration, stored->waitByDesign);
    }
    stored->outcome = outcomeOf(response);
    if (!m_outcomes[stored->outcome].errors.empty()) flags |= ExchangeRow::HasErrors;
    if (anyDamage(exchange.problems) || lostBytes(exchange.request) || lostBytes(exchange.response))
        flags |= ExchangeRow::Damaged;
    flags |= troubles(response) | ExchangeRow::Ended;
    flags |= static_cast<std::uint32_t>(exchange.status) << ExchangeRow::statusShift;
    flags |= static_cast<std::uint32_t>(exchange.reason) << ExchangeRow::reasonShift;
    stored->flags.store(flags, std::memory_order_release);
    writeConnection(exchange);
    count({*this, stored, flags, exchange.id});
}

void ExchangeIndex::count(const ExchangeRow& row) {
    if (row.hasErrors()) m_errors.fetch_add(1, std::memory_order_relaxed);
    if (row.status() == ExchangeStatus::Unanswered) m_unanswered.fetch_add(1, std::memory_order_relaxed);
    if (row.damaged()) m_damaged.fetch_add(1, std::memory_order_relaxed);
    if (row.slow(m_slowAbove)) m_slow.fetch_add(1, std::memory_order_relaxed);
}

ExchangeIndex::Counts ExchangeIndex::counts() const {
    return {m_known.load(std::memory_order_relaxed), m_errors.load(std::memory_order_relaxed),
            m_unanswered.load(std::memory_order_relaxed), m_damaged.load(std::memory_order_relaxed),
            m_slow.load(std::memory_order_relaxed)};
}

// ---- connections, topics, subjects

void ExchangeIndex::writeConnection(const Exchange& exchange) {
    const auto id = static_cast<std::uint32_t>(exchange.connection.value);
    while (m_connections.size() <= id)
        m_connections.push(std::make_unique<ConnectionSlot>());
    ConnectionSlot& slot = *m_connections[id];
    if (!slot.facts.id) {
        slot.facts.id = exchange.connection;
        slot.facts.tcp = exchange.tcpConnection;
        slot.facts.client = exchange.client;
        slot.facts.broker = exchange.broker;
        slot.facts.clientText = m_strings.intern(toString(exchange.client));
        slot.facts.brokerText = m_strings.intern(toString(exchange.broker));
        slot.facts.clientAddress = m_strings.intern(toString(exchange.client.address));
    }
    if (!exchange.peer || exchange.peer->softwareName.empty()) return;
    if (text(slot.softwareName.load(std::memory_order_relaxed)) == exchange.peer->softwareName) return;
    slot.softwareVersion.store(m_strings.intern(exchange.peer->softwareVersion), std::memory_order_release);
    slot.softwareName.store(m_strings.intern(exchange.peer->softwareName), std::memory_order_release);
}

std::pair<StringId, StringId> ExchangeIndex::software(std::uint32_t connection) const {
    const ConnectionSlot& slot = *m_connections[connection];
    const StringId name = slot.softwareName.load(std::memory_order_acquire);
    return {name, slot.softwareVersion.load(std::memory_order_acquire)};
}

Subject::Topic ExchangeIndex::topicOf(const std::array<std::uint8_t, 16>& id) {
    const std::string key = keyOf(id);
    auto known = m_topicIdIndex.find(key);
    if (known == m_topicIdIndex.end())
        known = m_topicIdIndex.emplace(key, m_topicIds.push({id, std::make_unique<std::atomic<StringId>>(StringId{0})}))
                    .first;
    return byId | known->second;
}

void ExchangeIndex::nameTopics(const std::function<std::string_view(const std::array<std::uint8_t, 16>&)>& nameOf) {
    for (std::uint32_t i = 0; i < m_topicIds.size(); ++i) {
        const TopicId& topic = m_topicIds[i];
        if (topic.name->load(std::memory_order_relaxed) != 0) continue;
        const std::string_view name = nameOf(topic.id);
        if (!name.empty()) topic.name->store(m_strings.intern(name), std::memory_order_release);
    }
}

std::string_view ExchangeIndex::topicName(Subject::Topic topic) const {
    if (!(topic & byId)) return text(topic);
    return text(m_topicIds[topic & ~byId].name->load(std::memory_order_acquire));
}

std::optional<std::array<std::uint8_t, 16>> ExchangeIndex::topicId(Subject::Topic topic) const {
    if (!(topic & byId)) return std::nullopt;
    return m_topicIds[topic & ~byId].id;
}

std::string ExchangeIndex::topicName(const std::array<std::uint8_t, 16>& id) const {
    for (std::uint32_t i = 0; i < m_topicIds.size(); ++i)
        if (m_topicIds[i].id == id) return std::string(topicName(byId | i));
    return {};
}

Subject ExchangeIndex::subjectOf(const Skim& skim, bool ofResponse) {
    Subject subject;
    for (const std::string& topic : skim.topics)
        subject.topics.push_back(m_strings.intern(topic));
    if (skim.topics.empty()) // messages that carry both repeat themselves
        for (const auto& id : skim.topicIds)
            subject.topics.push_back(topicOf(id));
    subject.topicCount = skim.topicCount;
    subject.topicsOfResponse = ofResponse && !subject.topics.empty();
    subject.partitionCount = skim.partitionCount;
    subject.group = m_strings.intern(skim.group);
    subject.transactionalId = m_strings.intern(skim.transactionalId);
    if (skim.acks) subject.acks = *skim.acks;
    return subject;
}

std::uint32_t ExchangeIndex::mergedSubject(std::uint32_t before, const Skim& response) {
    Subject answer = subjectOf(response, true);
    const Subject& asked = m_subjects[before];
    if (!asked.topics.empty()) {
        std::vector<Subject::Topic> topics = asked.topics;
        for (Subject::Topic topic : answer.topics)
            if (std::find(topics.begin(), topics.end(), topic) == topics.end()) topics.push_back(topic);
        answer.topics = std::move(topics);
        answer.topicCount = std::max<std::uint32_t>(asked.topicCount, static_cast<std::uint32_t>(answer.topics.size()));
        answer.topicsOfResponse = false;
        answer.partitionCount = std::max(asked.partitionCount, answer.partitionCount);
    }
    if (asked.group) answer.group = asked.group;
    if (asked.transactionalId) answer.transactionalId = asked.transactionalId;
    answer.acks = asked.acks;
    return m_subjects.intern(std::move(answer));
}

std::uint32_t ExchangeIndex::outcomeOf(const Skim& response) {
    Outcome outcome;
    outcome.throttleMs = response.throttleMs.value_or(0);
    for (const ErrorAt& error : response.errors) {
        auto same = std::find_if(outcome.errors.begin(), outcome.errors.end(),
                                 [&](const Outcome::Code& code) { return code.code == error.code; });
        if (same == outcome.errors.end())
            outcome.errors.push_back({error.code, 1});
        else
            ++same->count;
    }
    return m_outcomes.intern(std::move(outcome));
}

// ---- back to the whole exchange

Exchange ExchangeIndex::exchange(std::uint32_t at) const {
    const ExchangeRow view = row(at);
    Exchange exchange;
    exchange.id = view.id();
    if (!view.known()) return exchange;
    const IndexedConnection& on = connection(view.connection());
    exchange.connection = on.id;
    exchange.tcpConnection = on.tcp;
    exchange.client = on.client;
    exchange.broker = on.broker;
    exchange.status = view.status();
    exchange.reason = view.reason();
    exchange.correlationId = view.correlationId();
    if (view.hasHeader()) {
        RequestHeader& header = exchange.header.emplace();
        header.apiKey = view.apiKey();
        header.apiVersion = view.apiVersion();
        header.correlationId = view.correlationId();
        if (view.hasClientId()) header.clientId = text(view.clientId());
        exchange.responseVersion = view.apiVersion();
    }
    exchange.request = m_extents.read(ExchangeRow::unpacked(view.m_stored->requestExtents), view.time()).frame;
    if (!view.ended()) return exchange;
    StoredMessage answer = m_extents.read(ExchangeRow::unpacked(view.m_stored->responseExtents), view.time());
    exchange.response = std::move(answer.frame);
    if (answer.layoutVersion >= 0) exchange.responseVersion = answer.layoutVersion;
    exchange.confidence = answer.confidence;
    exchange.problems = std::move(answer.problems);
    exchange.timing = answer.timing;
    return exchange;
}

std::size_t ExchangeIndex::memoryBytes() const {
    return m_chunkCount * chunkRows * sizeof(Stored) + m_extents.memoryBytes() + m_strings.memoryBytes() +
           m_subjects.size() * sizeof(Subject) + m_outcomes.size() * sizeof(Outcome);
}

} // namespace brokerscope
