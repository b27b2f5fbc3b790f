// SPDX-License-Identifier: Apache-2.0
// The analysers that exchanges are fed to, over shipped samples.
#include "dissector/analysis/traffic_summary.h"

#include "dissector/analysis/record_sets.h"
#include "tests/support/capture_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::Key;
using testing::UnorderedElementsAre;

class Sink : public ExchangeSink {
  public:
    std::function<void(const Exchange&)> each = [](const Exchange&) {};
    std::function<void(const Connection&, std::string_view)> foreign = [](const Connection&, std::string_view) {};

    void exchangeEnded(Exchange&& exchange) override { each(exchange); }
    void foreignConnection(const Connection& connection, std::string_view protocol) override {
        foreign(connection, protocol);
    }
};

void readSample(const std::string& name, Sink& sink) {
    test::readCapture("samples/" + name, sink);
}

TrafficSummary summaryOf(const std::string& sample) {
    SummaryCollector collector(Protocol::builtin());
    Sink sink;
    Skim request, response;
    sink.each = [&](const Exchange& exchange) {
        request.clear();
        response.clear();
        if (exchange.header && exchange.request)
            skimMessage(Protocol::builtin(), exchange.request->bytes, exchange.requestContext(), request);
        if (exchange.header && exchange.response)
            skimMessage(Protocol::builtin(), exchange.response->bytes, exchange.responseContext(), response);
        collector.add(exchange, request, response);
    };
    sink.foreign = [&](const Connection& connection, std::string_view protocol) {
        collector.addForeign(connection, protocol);
    };
    readSample(sample, sink);
    return collector.summary();
}

std::uint64_t countOf(const TrafficSummary& summary, ExchangeStatus status) {
    return summary.byStatus[static_cast<std::size_t>(status)];
}

TEST(TrafficSummary, countsTheExchangesOfAShortStory) {
    const TrafficSummary summary = summaryOf("first-steps.pcap");
    EXPECT_EQ(summary.exchanges, 33u);
    EXPECT_EQ(countOf(summary, ExchangeStatus::Paired), 33u);
    EXPECT_EQ(summary.kafkaConnections, 7u);
    EXPECT_EQ(summary.withErrors, 1u);
    EXPECT_EQ(summary.damaged, 0u);
    EXPECT_EQ(summary.apis.at(0).exchanges, 10u);
    EXPECT_THAT(summary.apis.at(0).versions, ElementsAre(13));
    EXPECT_EQ(summary.apis.at(0).latency.count(), 10u);
    ASSERT_TRUE(summary.errors.contains(79));
    EXPECT_EQ(summary.errors.at(79).first.value, 22u);
    EXPECT_EQ(summary.brokers.size(), 3u);
}

TEST(TrafficSummary, leavesWaitingByDesignOutOfTheTimes) {
    const TrafficSummary summary = summaryOf("first-steps.pcap");
    const TrafficSummary::ApiRow& fetch = summary.apis.at(1);
    EXPECT_EQ(fetch.exchanges, 3u);
    EXPECT_EQ(fetch.waitedByDesign, 2u);
    EXPECT_EQ(fetch.latency.count(), 1u);
    EXPECT_LT(fetch.latency.most(), std::chrono::milliseconds(100));
}

TEST(TrafficSummary, putsAClientThatToldItsSoftwareOnSomeConnectionsTogether) {
    const TrafficSummary summary = summaryOf("sasl.pcap");
    std::size_t plain = 0;
    for (const auto& [key, client] : summary.clients)
        if (key.clientId == "sasl-plain") {
            ++plain;
            EXPECT_EQ(key.softwareName, "apache-kafka-java");
        }
    EXPECT_EQ(plain, 1u);
    EXPECT_EQ(countOf(summary, ExchangeStatus::SaslToken), 1u);
}

TEST(TrafficSummary, namesTopicsOfMessagesThatOnlyHaveTheirId) {
    const TrafficSummary summary = summaryOf("first-steps.pcap");
    EXPECT_THAT(summary.topics, ElementsAre(Key("mini")));
    EXPECT_EQ(summary.topics.at("mini").produces, 10u);
    EXPECT_GE(summary.topics.at("mini").fetches, 2u);
}

TEST(TrafficSummary, namesWhatIsNotKafka) {
    const TrafficSummary summary = summaryOf("tls13-with-secrets.pcapng");
    EXPECT_EQ(summary.exchanges, 0u);
    ASSERT_THAT(summary.foreign, ElementsAre(Key("TLS")));
    EXPECT_EQ(summary.foreign.at("TLS").connections, 15u);
    EXPECT_EQ(summary.foreign.at("TLS").servers.size(), 3u);
}

TEST(TopicNames, knowsTheMetadataLogFromTheStartAndNothingElse) {
    const TopicNames names(Protocol::builtin());
    TopicId id{};
    EXPECT_EQ(names.name(id), "");
    id[15] = 1;
    EXPECT_EQ(names.name(id), "__cluster_metadata");
    id[15] = 2;
    EXPECT_EQ(names.name(id), "");
    EXPECT_EQ(names.nameOrId(id), "AAAAAAAAAAAAAAAAAAAAAg");
}

TEST(RecordSets, tellTheTopicAndPartitionThatTheyBelongTo) {
    TopicNames names(Protocol::builtin());
    std::vector<std::string> places;
    Sink sink;
    sink.each = [&](const Exchange& exchange) {
        names.learn(exchange);
        if (exchange.id.value != 8 && exchange.id.value != 28) return;
        DecodedMessage message;
        const auto look = [&](const Frame& frame, const MessageContext& context) {
            decodeMessage(Protocol::builtin(), frame.bytes, context, message);
            for (const RecordSetPlace& place : recordSetsOf(frame.bytes, message, context.direction)) {
                EXPECT_GT(place.end, place.begin);
                EXPECT_LE(place.end, frame.bytes.size());
                places.push_back(place.path + " of " + (place.topicId ? names.nameOrId(*place.topicId) : place.topic) +
                                 " " + std::to_string(place.partition.value_or(-1)));
            }
        };
        look(*exchange.request, exchange.requestContext());
        look(*exchange.response, exchange.responseContext());
    };
    readSample("first-steps.pcap", sink);
    EXPECT_THAT(places, UnorderedElementsAre("request.topicData[0].partitionData[0].records of mini 0",
                                             "response.responses[0].partitions[0].records of mini 0"));
}

} // namespace
} // namespace brokerscope
