// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/filter_names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace brokerscope {

const std::vector<FilterNameRow>& filterNames() {
    using F = FilterField;
    using T = FilterType;
    using C = FilterCost;
    static const std::vector<FilterNameRow> rows = {
        {F::Api, "api", T::Api, C::Exchange, "api == Fetch", "the API by name or key"},
        {F::ApiKey, "api.key", T::Number, C::Exchange, "api.key in {0, 1}", "the API's number"},
        {F::Version, "version", T::Number, C::Exchange, "version < 4", "the API version of the request"},
        {F::ClientId, "client.id", T::Text, C::Exchange, "client.id contains \"billing\"",
         "the name a client gives itself"},
        {F::CorrelationId, "correlation.id", T::Number, C::Exchange, "correlation.id == 17",
         "the number that pairs request and response"},
        {F::Topic, "topic", T::Text, C::Skim, "topic == \"orders\"", "a topic named in request or response"},
        {F::TopicId, "topic.id", T::Text, C::Skim, "topic.id == YUudESIzRFVmd4iZqrvM3Q",
         "a topic id in request or response"},
        {F::Partition, "partition", T::Number, C::Body, "partition == 3", "a partition in request or response"},
        {F::Group, "group", T::Text, C::Skim, "group == billing", "the group id"},
        {F::Member, "member", T::Text, C::Body, "member contains \"consumer-1\"", "a member id"},
        {F::TransactionalId, "transactional.id", T::Text, C::Skim, "transactional.id == tx-1", "the transactional id"},
        {F::ProducerId, "producer.id", T::Number, C::Body, "producer.id == 4000", "a producer id"},
        {F::Error, "error", T::ErrorName, C::Skim, "error == NOT_LEADER_OR_FOLLOWER",
         "a non-zero error of the response, by name or code; alone: there is one"},
        {F::ErrorCode, "error.code", T::Number, C::Skim, "error.code in {3, 6}",
         "a non-zero error code of the response"},
        {F::Retriable, "retriable", T::Flag, C::Skim, "error and not retriable",
         "an error after which a client may try again"},
        {F::Status, "status", T::Text, C::Exchange, "status == unanswered",
         "paired, no-response-expected, unanswered, open, orphan-response, inferred, sasl-token"},
        {F::Slow, "slow", T::Flag, C::Skim, "slow",
         "latency less what the broker waited by design is over the limit (100 ms)"},
        {F::Damaged, "damaged", T::Flag, C::Skim, "damaged", "bytes are missing or contradict the layout"},
        {F::Latency, "latency", T::Duration, C::Exchange, "latency > 100ms",
         "first byte of the request to last byte of the response"},
        {F::Wait, "wait", T::Duration, C::Exchange, "wait >= 1s",
         "last byte of the request to first byte of the response"},
        {F::WaitReason, "wait.reason", T::Text, C::Skim, "wait.reason == long-poll",
         "why the broker waited by design: long-poll, rebalance, throttled"},
        {F::RequestTransfer, "request.transfer", T::Duration, C::Exchange, "request.transfer > 50ms",
         "first to last byte of the request"},
        {F::ResponseTransfer, "response.transfer", T::Duration, C::Exchange, "response.transfer > 50ms",
         "first to last byte of the response"},
        {F::Think, "think", T::Duration, C::Exchange, "think > 1s",
         "last byte of the answer before on this connection to first byte of the request"},
        {F::Blocked, "blocked", T::Duration, C::Exchange, "blocked > 10ms",
         "how long the answer was held up by the one before it on this connection"},
        {F::InFlight, "in.flight", T::Number, C::Exchange, "in.flight > 4",
         "requests under way on this connection when this one began, with it"},
        {F::SentAgain, "sent.again", T::Number, C::Exchange, "sent.again > 0",
         "TCP segments sent again while the exchange lasted; alone: there are some"},
        {F::RoundTrip, "round.trip", T::Duration, C::Exchange, "round.trip > 20ms",
         "what a packet takes to the other end and back, from TCP"},
        {F::RequestSize, "request.size", T::Size, C::Exchange, "request.size > 1MiB",
         "bytes of the request with its length"},
        {F::ResponseSize, "response.size", T::Size, C::Exchange, "response.size > 64KiB",
         "bytes of the response with its length"},
        {F::Throttle, "throttle", T::Duration, C::Skim, "throttle > 0", "ThrottleTimeMs of the response"},
        {F::Records, "records", T::Number, C::Records, "records > 1000",
         "how many records request and response carry; alone: there are some"},
        {F::RecordsKey, "records.key", T::Text, C::Records, "records.key == \"k1\"", "the key of a record, as text"},
        {F::RecordsValue, "records.value", T::Text, C::Records, "records.value contains \"sku\"",
         "the value of a record, as text"},
        {F::Conn, "conn", T::Number, C::Exchange, "conn == 3", "the connection's number"},
        {F::Client, "client", T::Endpoint, C::Exchange, "client == 10.77.0.2",
         "the client's address, with or without port, or a network"},
        {F::Broker, "broker", T::Endpoint, C::Exchange, "broker == 10.77.0.11:9092",
         "the broker's address, with or without port, or a network"},
        {F::Addr, "addr", T::Endpoint, C::Exchange, "addr == 10.77.0.0/24", "either address"},
        {F::Port, "port", T::Number, C::Exchange, "port == 9093", "either port"},
        {F::Time, "time", T::Time, C::Exchange, "time > 12.5s",
         "first byte of the request, since the capture's begin or as a date in quotes (UTC)"},
        {F::Packet, "packet", T::Number, C::Exchange, "packet == 55",
         "a packet that carries bytes of request or response"},
        {F::Offset, "offset", T::Number, C::Body, "offset == 1042", "an offset in request or response"},
        {F::Acks, "acks", T::Number, C::Skim, "acks == 0", "the acks of a Produce request"},
        {F::Software, "software", T::Text, C::Exchange, "software contains \"librdkafka\"",
         "name and version of the client software"},
        {F::RequestPath, "request.", T::Any, C::Body, "request.maxWaitMs > 500",
         "any field of the request by Kafka's names, without indices"},
        {F::ResponsePath, "response.", T::Any, C::Body, "response.topics.partitions.highWatermark > 1000",
         "any field of the response"},
    };
    return rows;
}

const FilterNameRow* filterName(std::string_view name) {
    const FilterNameRow* path = nullptr;
    for (const FilterNameRow& row : filterNames()) {
        if (row.name == name) return row.name.back() == '.' ? nullptr : &row;
        if (row.name.back() == '.' && name.size() > row.name.size() && name.starts_with(row.name)) path = &row;
    }
    return path;
}

namespace {

// Letters to add, drop, change or swap with their neighbour; blind to case.
std::size_t distance(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    };
    std::vector<std::size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same(a[i - 1], b[j - 1])});
            const bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
            if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        std::swap(beforeLast, last);
        std::swap(last, row);
    }
    return last.back();
}

} // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t most) {
    if (word.size() > 100) return {};
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const std::string& candidate : candidates) {
        const std::size_t steps = distance(word, candidate);
        const bool begins = word.size() >= 3 && candidate.starts_with(word);
        if (begins || steps <= std::max<std::size_t>(1, word.size() / 3))
            ranked.emplace_back(begins ? 1 : steps, candidate);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (const auto& [steps, name] : ranked)
        if (result.size() < most) result.push_back(name);
    return result;
}

} // namespace brokerscope
