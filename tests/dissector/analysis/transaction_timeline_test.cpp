// SPDX-License-Identifier: Apache-2.0
// The stories of the shipped samples; tests/conformance/timelines.py holds many more against the brokers' logs.
#include "dissector/analysis/transaction_timeline.h"

#include "tests/support/capture_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

TransactionTimeline timelineOf(const std::string& sample) {
    ExchangeFactsReader facts(Protocol::builtin());
    TransactionCollector collector(Protocol::builtin());
    test::EachExchange sink([&](const Exchange& exchange) { collector.add(facts.read(exchange)); });
    test::readCapture("samples/" + sample, sink);
    return collector.timeline();
}

std::size_t count(const TransactionTimeline& timeline, TransactionEnd result) {
    return static_cast<std::size_t>(std::ranges::count(timeline.transactions, result, &Transaction::result));
}

TEST(TransactionTimeline, tellsHowEachTransactionEnded) {
    const TransactionTimeline timeline = timelineOf("transactions.pcap");
    EXPECT_EQ(count(timeline, TransactionEnd::Committed), 8u); // EndTxn with committed: exchanges 12, 20, 24, ...
    EXPECT_GE(count(timeline, TransactionEnd::Aborted), 3u);
    EXPECT_EQ(count(timeline, TransactionEnd::Fenced), 1u);
    for (const Transaction& one : timeline.transactions) {
        EXPECT_FALSE(one.transactionalId.empty());
        EXPECT_LE(one.begin, one.end);
        EXPECT_LE(one.first.value, one.last.value);
    }
}

TEST(TransactionTimeline, countsWhatWasWrittenInATransaction) {
    const TransactionTimeline timeline = timelineOf("transactions.pcap");
    std::uint64_t records = 0;
    bool moved = false;
    for (const Transaction& one : timeline.transactions) {
        records += one.records;
        EXPECT_EQ(one.records == 0, one.batches == 0);
        if (one.transactionalId == "tx-mover" && !one.groups.empty()) moved = true;
    }
    EXPECT_GT(records, 0u);
    EXPECT_TRUE(moved) << "tx-mover commits the offsets that it read in its transactions";
}

TEST(TransactionTimeline, findsNoGapWhereThereIsNone) {
    for (const char* sample : {"transactions.pcap", "produce-acks.pcap"}) {
        const TransactionTimeline timeline = timelineOf(sample);
        EXPECT_FALSE(timeline.producers.empty()) << sample;
        for (const auto& [producer, writer] : timeline.producers)
            for (const auto& [place, state] : writer.partitions)
                EXPECT_EQ(state.gaps, 0u) << sample << " producer " << producer.id << " " << place.first;
    }
}

TEST(TransactionTimeline, seesTheMarkersThatConsumersFetch) {
    const TransactionTimeline timeline = timelineOf("transactions.pcap");
    const auto markers = std::ranges::count(timeline.events, TransactionEventKind::Marker, &TransactionEvent::kind);
    EXPECT_GT(markers, 0);
    EXPECT_TRUE(std::ranges::is_sorted(timeline.events, {}, &TransactionEvent::time));
}

} // namespace
} // namespace brokerscope
