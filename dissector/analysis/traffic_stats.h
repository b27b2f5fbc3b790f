// SPDX-License-Identifier: Apache-2.0
// Counts, sizes and times of exchanges, in rows by whatever is asked: api, topic, client, ..., and by stretches of
// time.
//
// What is not asked for is not read: bodies are decoded only for partitions and for records, record sets are opened
// only for the compression ratio.
// Latency is that of the exchanges in which the broker did not wait by design (long polls, rebalances, throttling).
// Several: an exchange with several topics, partitions or errors counts in the row of each.
// Memory:  at most maxRows rows with a histogram each (some 25 kB); what would need more is counted in leftOut.
// Threads: one.
#pragma once

#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/latency_histogram.h"
#include "dissector/analysis/record_counts.h"
#include "dissector/analysis/record_sets.h"
#include "dissector/analysis/topic_names.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace brokerscope {

enum class StatsKey : std::uint8_t {
    Api,
    Version,
    Topic,
    Partition,
    ClientId,
    Software,
    Address,
    Broker,
    Connection,
    Group,
    Error
};

// Sums over exchanges; the counts say over how many.
struct TimeParts {
    std::uint64_t count = 0;
    Duration requestTransfer{}, blocked{}, byDesign{}, broker{}, responseTransfer{};
    std::uint64_t thinkCount = 0, roundTripCount = 0;
    Duration think{}, roundTrip{};
    std::uint64_t sentAgain = 0;

    void add(const ExchangeFacts& facts);
    void add(const TimeParts& other);
};

struct StatsRow {
    std::uint64_t exchanges = 0, withErrors = 0, unanswered = 0, waitedByDesign = 0;
    std::uint64_t requestBytes = 0, responseBytes = 0;
    std::uint64_t requests = 0; // exchanges whose request was captured
    std::uint64_t inFlight = 0; // over these: how many were under way on the connection when each began, with it
    std::uint32_t mostInFlight = 0;
    std::uint64_t throttled = 0; // exchanges
    Duration throttleTime{};
    LatencyHistogram latency;
    TimeParts parts;
    RecordCounts records;

    void add(const ExchangeFacts& facts);
    void add(const StatsRow& other);
};

struct StatsSettings {
    std::vector<StatsKey> by;
    std::optional<Duration> interval;
    bool records = false;     // count batches and records
    bool openRecords = false; // and decompress them
};

struct Stats {
    struct Key {
        Timestamp time{};               // the beginning of the stretch; 0 without an interval
        std::vector<std::string> texts; // one for each of StatsSettings::by; empty: none
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, StatsRow> rows;
    StatsRow total;            // each exchange once
    bool countedTwice = false; // some exchanges are in several rows
    std::uint64_t leftOut = 0; // additions for which there was no row any more
};

class StatsCollector {
  public:
    static constexpr std::size_t maxRows = 10'000;

    StatsCollector(const Protocol& protocol, StatsSettings settings);

    // `start`: that of the capture, which intervals count from.
    void add(const ExchangeFacts& facts, Timestamp start);
    // Topic ids get the names that the capture has shown by now.
    Stats stats() const;

  private:
    struct Place {
        std::string topic;
        std::string partition; // empty: not by partition
        RecordCounts records;
    };

    bool isBy(StatsKey key) const;
    std::vector<Place> placesOf(const ExchangeFacts& facts);
    void addPartitions(const ExchangeFacts& facts, std::vector<Place>& places);
    void addRecords(const ExchangeFacts& facts, std::vector<Place>& places);
    std::string topicText(const std::string& topic, const std::optional<TopicId>& id) const;
    Place& placeOf(std::vector<Place>& places, std::string topic, std::string partition);
    std::string text(StatsKey key, const ExchangeFacts& facts) const;
    StatsRow* row(Stats::Key&& key);

    const Protocol& m_protocol;
    StatsSettings m_settings;
    TopicNames m_names;
    ExchangeBodies m_bodies;
    RecordCounter m_counter;
    std::map<Stats::Key, StatsRow> m_rows;
    StatsRow m_total;
    bool m_countedTwice = false;
    std::uint64_t m_leftOut = 0;
};

} // namespace brokerscope
