// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/traffic_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brokerscope {
namespace {

constexpr std::size_t mostPartitions = 1000; // of one exchange
constexpr std::string_view byId = "\x01";    // in front of a topic id whose name may become known later

std::string idText(const TopicId& id) {
    return std::string(byId).append(reinterpret_cast<const char*>(id.data()), id.size());
}

std::string withName(const std::string& text, const TopicNames& names) {
    TopicId id{};
    if (!text.starts_with(byId) || text.size() != byId.size() + id.size()) return text;
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(byId.size()), id.size(), id.begin());
    return names.nameOrId(id);
}

} // namespace

void TimeParts::add(const ExchangeFacts& facts) {
    const ExchangeTiming& timing = facts.exchange->timing;
    sentAgain += timing.sentAgain;
    if (timing.think) {
        ++thinkCount;
        think += *timing.think;
    }
    if (timing.roundTrip) {
        ++roundTripCount;
        roundTrip += *timing.roundTrip;
    }
    if (!facts.times) return;
    ++count;
    requestTransfer += facts.times->requestTransfer;
    blocked += facts.blockedWait();
    byDesign += facts.designWait();
    broker += facts.brokerWait();
    responseTransfer += facts.times->responseTransfer;
}

void TimeParts::add(const TimeParts& other) {
    count += other.count;
    requestTransfer += other.requestTransfer;
    blocked += other.blocked;
    byDesign += other.byDesign;
    broker += other.broker;
    responseTransfer += other.responseTransfer;
    thinkCount += other.thinkCount;
    think += other.think;
    roundTripCount += other.roundTripCount;
    roundTrip += other.roundTrip;
    sentAgain += other.sentAgain;
}

void StatsRow::add(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    ++exchanges;
    if (!facts.response.errors.empty()) ++withErrors;
    if (exchange.status == ExchangeStatus::Unanswered) ++unanswered;
    if (exchange.request) {
        requestBytes += exchange.request->bytes.size();
        inFlight += exchange.timing.inFlight;
        mostInFlight = std::max(mostInFlight, exchange.timing.inFlight);
        ++requests;
    }
    if (exchange.response) responseBytes += exchange.response->bytes.size();
    if (const std::int32_t throttle = facts.response.throttleMs.value_or(0); throttle > 0) {
        ++throttled;
        throttleTime += std::chrono::milliseconds(throttle);
    }
    if (facts.waited.reason != WaitReason::None)
        ++waitedByDesign;
    else if (facts.times)
        latency.add(facts.times->total);
    parts.add(facts);
}

void StatsRow::add(const StatsRow& other) {
    exchanges += other.exchanges;
    withErrors += other.withErrors;
    unanswered += other.unanswered;
    waitedByDesign += other.waitedByDesign;
    requestBytes += other.requestBytes;
    responseBytes += other.responseBytes;
    requests += other.requests;
    inFlight += other.inFlight;
    mostInFlight = std::max(mostInFlight, other.mostInFlight);
    throttled += other.throttled;
    throttleTime += other.throttleTime;
    latency.add(other.latency);
    parts.add(other.parts);
    records += other.records;
}

StatsCollector::StatsCollector(const Protocol& protocol, StatsSettings settings)
    : m_protocol(protocol), m_settings(std::move(settings)), m_names(protocol), m_bodies(protocol),
      m_counter(m_settings.openRecords) {}

bool StatsCollector::isBy(StatsKey key) const {
    return std::ranges::find(m_settings.by, key) != m_settings.by.end();
}

void StatsCollector::add(const ExchangeFacts& facts, Timestamp start) {
    m_names.learn(*facts.exchange);
    m_total.add(facts);
    std::vector<Place> places = placesOf(facts);
    for (const Place& place : places)
        m_total.records += place.records;

    std::vector<std::string> errors(1);
    if (isBy(StatsKey::Error) && !facts.response.errors.empty()) {
        std::set<std::string> names;
        for (const ErrorAt& error : facts.response.errors) {
            const ErrorCode* known = m_protocol.error(error.code);
            names.insert(known ? known->name : fmt::format("{}", error.code));
        }
        errors.assign(names.begin(), names.end());
    }
    m_countedTwice = m_countedTwice || places.size() * errors.size() > 1;

    Stats::Key key;
    if (m_settings.interval) {
        const Duration since = facts.exchange->start() - start;
        key.time = start + *m_settings.interval * (since / *m_settings.interval);
    }
    for (const Place& place : places)
        for (const std::string& error : errors) {
            Stats::Key one = key;
            for (const StatsKey by : m_settings.by)
                one.texts.push_back(by == StatsKey::Topic       ? place.topic
                                    : by == StatsKey::Partition ? place.partition
                                    : by == StatsKey::Error     ? error
                                                                : text(by, facts));
            if (StatsRow* found = row(std::move(one))) {
                found->add(facts);
                found->records += place.records;
            }
        }
}

StatsRow* StatsCollector::row(Stats::Key&& key) {
    const auto found = m_rows.lower_bound(key);
    if (found != m_rows.end() && found->first == key) return &found->second;
    if (m_rows.size() >= maxRows) {
        ++m_leftOut;
        return nullptr;
    }
    return &m_rows.emplace_hint(found, std::move(key), StatsRow())->second;
}

// What the exchange is about as far as that makes rows: always at least one place.
std::vector<StatsCollector::Place> StatsCollector::placesOf(const ExchangeFacts& facts) {
    std::vector<Place> places;
    if (isBy(StatsKey::Partition)) {
        addPartitions(facts, places);
    } else if (isBy(StatsKey::Topic)) {
        for (const std::string& topic : facts.topical().topics)
            placeOf(places, topic, {});
        for (const TopicId& id : facts.topical().topicIds)
            placeOf(places, topicText({}, id), {});
    }
    if (m_settings.records) addRecords(facts, places);
    if (places.empty()) places.emplace_back();
    return places;
}

// A name that is not known yet is looked up when all was read.
std::string StatsCollector::topicText(const std::string& topic, const std::optional<TopicId>& id) const {
    if (!topic.empty() || !id) return topic;
    const std::string_view name = m_names.name(*id);
    return name.empty() ? idText(*id) : std::string(name);
}

StatsCollector::Place& StatsCollector::placeOf(std::vector<Place>& places, std::string topic, std::string partition) {
    const auto found = std::ranges::find_if(
        places, [&](const Place& place) { return place.topic == topic && place.partition == partition; });
    if (found != places.end()) return *found;
    places.push_back({std::move(topic), std::move(partition), {}});
    return places.back();
}

void StatsCollector::addPartitions(const ExchangeFacts& facts, std::vector<Place>& places) {
    const bool inRequest = facts.request.partitionCount != 0;
    if (!inRequest && facts.response.partitionCount == 0) return;
    m_bodies.assign(*facts.exchange);
    const auto& frame = inRequest ? facts.exchange->request : facts.exchange->response;
    const DecodedMessage& message = m_bodies.message(inRequest ? Direction::Request : Direction::Response);
    for (const PartitionPlace& place : partitionsOf(frame->bytes, message, mostPartitions))
        placeOf(places, topicText(place.topic, place.topicId), fmt::format("{}", place.partition));
}

// Fetch sessions leave out of the request what did not change, so the answer may bring places of its own.
void StatsCollector::addRecords(const ExchangeFacts& facts, std::vector<Place>& places) {
    const bool inRequest = facts.request.recordBytes != 0;
    if (!inRequest && facts.response.recordBytes == 0) return;
    m_bodies.assign(*facts.exchange);
    const Direction direction = inRequest ? Direction::Request : Direction::Response;
    const ByteChain& bytes = (inRequest ? facts.exchange->request : facts.exchange->response)->bytes;
    for (const RecordSetPlace& set : recordSetsOf(bytes, m_bodies.message(direction), direction)) {
        const bool byPartition = isBy(StatsKey::Partition);
        const bool byTopic = byPartition || isBy(StatsKey::Topic);
        Place& place = placeOf(places, byTopic ? topicText(set.topic, set.topicId) : std::string(),
                               byPartition ? fmt::format("{}", set.partition.value_or(-1)) : std::string());
        place.records += m_counter.count(bytes, set.begin, set.end);
    }
}

std::string StatsCollector::text(StatsKey key, const ExchangeFacts& facts) const {
    const Exchange& exchange = *facts.exchange;
    switch (key) {
    case StatsKey::Api:
        if (exchange.status == ExchangeStatus::SaslToken) return "SASL token";
        if (facts.api) return facts.api->name;
        return exchange.header ? fmt::format("key {}", exchange.header->apiKey) : std::string();
    case StatsKey::Version:
        return exchange.header ? fmt::format("{}", exchange.header->apiVersion) : std::string();
    case StatsKey::ClientId:
        return exchange.header ? exchange.header->clientId.value_or("") : std::string();
    case StatsKey::Software:
        if (!exchange.peer || exchange.peer->softwareName.empty()) return {};
        return fmt::format("{} {}", exchange.peer->softwareName, exchange.peer->softwareVersion);
    case StatsKey::Address:
        return toString(exchange.client.address);
    case StatsKey::Broker:
        return toString(exchange.broker);
    case StatsKey::Connection:
        return fmt::format("{}", exchange.connection.value);
    case StatsKey::Group:
        return facts.request.group;
    case StatsKey::Topic:
    case StatsKey::Partition:
    case StatsKey::Error:
        break; // of the places and errors of the exchange
    }
    return {};
}

Stats StatsCollector::stats() const {
    Stats result;
    result.total = m_total;
    result.countedTwice = m_countedTwice;
    result.leftOut = m_leftOut;
    for (const auto& [key, row] : m_rows) {
        Stats::Key named = key;
        for (std::size_t i = 0; i < m_settings.by.size(); ++i)
            if (m_settings.by[i] == StatsKey::Topic) named.texts[i] = withName(named.texts[i], m_names);
        result.rows[std::move(named)].add(row);
    }
    return result;
}

} // namespace brokerscope
