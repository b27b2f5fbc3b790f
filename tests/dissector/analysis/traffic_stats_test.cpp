// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/traffic_stats.h"

#include "tests/support/capture_reading.h"

#include <gtest/gtest.h>

#include <map>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

Stats statsOf(const std::string& sample, StatsSettings settings) {
    ExchangeFactsReader facts(Protocol::builtin());
    StatsCollector collector(Protocol::builtin(), std::move(settings));
    std::optional<Timestamp> start;
    test::EachExchange sink([&](const Exchange& exchange) {
        if (!start) start = exchange.start();
        collector.add(facts.read(exchange), *start);
    });
    test::readCapture("samples/" + sample, sink);
    return collector.stats();
}

const StatsRow& rowOf(const Stats& stats, const std::vector<std::string>& texts) {
    static const StatsRow none;
    const auto found = stats.rows.find({Timestamp{}, texts});
    if (found != stats.rows.end()) return found->second;
    ADD_FAILURE() << "no row " << testing::PrintToString(texts);
    return none;
}

TEST(TrafficStats, hasARowForEachApi) {
    const Stats stats = statsOf("produce-acks.pcap", {{StatsKey::Api}, {}, false, false});
    EXPECT_EQ(stats.total.exchanges, 60u);
    EXPECT_EQ(rowOf(stats, {"Produce"}).exchanges, 37u);
    EXPECT_EQ(rowOf(stats, {"Produce"}).latency.count(), 28u); // 9 with acks=0 have no answer
    EXPECT_EQ(rowOf(stats, {"InitProducerId"}).withErrors, 1u);
    EXPECT_EQ(rowOf(stats, {"Produce"}).records.batches, 0u) << "nobody asked";
    EXPECT_FALSE(stats.countedTwice);
}

TEST(TrafficStats, rowsAddUpToTheTotalWhereNothingCountsTwice) {
    for (const StatsKey key : {StatsKey::Api, StatsKey::Version, StatsKey::ClientId, StatsKey::Software,
                               StatsKey::Address, StatsKey::Broker, StatsKey::Connection, StatsKey::Group}) {
        const Stats stats = statsOf("rebalance-classic.pcap.zst", {{key}, {}, false, false});
        std::uint64_t exchanges = 0, bytes = 0, timed = 0;
        for (const auto& [texts, row] : stats.rows) {
            exchanges += row.exchanges;
            bytes += row.requestBytes + row.responseBytes;
            timed += row.latency.count() + row.waitedByDesign;
        }
        EXPECT_EQ(exchanges, stats.total.exchanges);
        EXPECT_EQ(bytes, stats.total.requestBytes + stats.total.responseBytes);
        EXPECT_EQ(timed, stats.total.latency.count() + stats.total.waitedByDesign);
    }
}

TEST(TrafficStats, countsRecordsByTopicAndPartition) {
    // Three batches of 50 records for each of five partitions, each with a codec of its own.
    const Stats stats = statsOf("codecs.pcap", {{StatsKey::Api, StatsKey::Topic, StatsKey::Partition}, {}, true, true});
    for (const std::string partition : {"0", "1", "2", "3", "4"}) {
        const RecordCounts& sent = rowOf(stats, {"Produce", "events-codec", partition}).records;
        EXPECT_EQ(sent.batches, 3u) << partition;
        EXPECT_EQ(sent.records, 150u) << partition;
        if (partition == "0")
            EXPECT_EQ(sent.openedBytes, sent.bytes);
        else
            EXPECT_GT(sent.openedBytes, 2 * sent.bytes) << partition;
        const RecordCounts& fetched = rowOf(stats, {"Fetch", "events-codec", partition}).records;
        EXPECT_EQ(fetched.records, sent.records) << partition;
        EXPECT_EQ(fetched.openedBytes, sent.openedBytes) << partition;
    }
}

TEST(TrafficStats, resolvesTopicIdsAlsoWhenTheNameComesLater) {
    const Stats stats = statsOf("first-steps.pcap", {{StatsKey::Topic}, {}, false, false});
    for (const auto& [key, row] : stats.rows)
        EXPECT_LT(key.texts[0].size(), 22u) << key.texts[0];
}

TEST(TrafficStats, countsAnExchangeInTheRowOfEachOfItsErrors) {
    const Stats stats = statsOf("errors.pcap.zst", {{StatsKey::Error}, {}, false, false});
    std::uint64_t failed = 0;
    for (const auto& [key, row] : stats.rows)
        if (!key.texts[0].empty()) failed += row.exchanges;
    EXPECT_GE(failed, stats.total.withErrors);
    EXPECT_EQ(rowOf(stats, {""}).exchanges, stats.total.exchanges - stats.total.withErrors);
}

TEST(TrafficStats, cutsTimeIntoStretches) {
    const Stats stats = statsOf("long-poll.pcap", {{}, 1s, false, false});
    std::uint64_t exchanges = 0;
    std::optional<Timestamp> first;
    for (const auto& [key, row] : stats.rows) {
        if (!first) first = key.time;
        EXPECT_EQ((key.time - *first) % 1s, 0s);
        EXPECT_LE(row.parts.count, row.exchanges);
        exchanges += row.exchanges;
    }
    EXPECT_EQ(exchanges, stats.total.exchanges);
    EXPECT_GT(stats.rows.size(), 3u);
}

TEST(TrafficStats, partsOfTheTimeAddUpToTheWhole) {
    Duration total{}, parts{};
    ExchangeFactsReader reader(Protocol::builtin());
    TimeParts sums;
    test::EachExchange sink([&](const Exchange& exchange) {
        const ExchangeFacts& facts = reader.read(exchange);
        sums.add(facts);
        if (facts.times) total += facts.times->total;
    });
    test::readCapture("samples/lossy.pcap.zst", sink);
    parts = sums.requestTransfer + sums.blocked + sums.byDesign + sums.broker + sums.responseTransfer;
    EXPECT_EQ(parts, total);
    EXPECT_GT(sums.blocked, 0s) << "requests are pipelined there";
}

TEST(TrafficStats, countsSegmentsThatWereSentAgain) {
    const Stats stats = statsOf("lossy.pcap.zst", {{StatsKey::Api}, {}, false, false});
    EXPECT_GT(stats.total.parts.sentAgain, 0u);
    EXPECT_GT(stats.total.mostInFlight, 1u);
    EXPECT_GT(stats.total.parts.roundTripCount, 0u);
}

TEST(TrafficStats, tellsTheThrottleTime) {
    const Stats stats = statsOf("throttle.pcap.zst", {{StatsKey::Api}, {}, false, false});
    EXPECT_GT(stats.total.throttled, 0u);
    EXPECT_GT(stats.total.throttleTime, 100ms);
}

} // namespace
} // namespace brokerscope
