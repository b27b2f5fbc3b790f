// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/exchange_bodies.h"

#include "tests/support/capture_reading.h"

#include <gtest/gtest.h>

#include <map>

namespace brokerscope {
namespace {

// Calls visit for the exchanges of one api of a sample.
void eachOf(std::int16_t apiKey, const std::function<void(ExchangeBodies&)>& visit) {
    ExchangeBodies bodies(Protocol::builtin());
    int seen = 0;
    test::EachExchange sink([&](const Exchange& exchange) {
        if (!exchange.header || exchange.header->apiKey != apiKey) return;
        ++seen;
        bodies.assign(exchange);
        visit(bodies);
    });
    test::readCapture("samples/first-steps.pcap", sink);
    EXPECT_GT(seen, 0);
}

TEST(ExchangeBodies, areReadByKafkasNames) {
    std::map<std::int64_t, std::string> brokers;
    std::size_t partitions = 0;
    eachOf(3, [&](ExchangeBodies& bodies) {
        for (const FieldView broker : bodies.response()["brokers"].entries())
            brokers[broker["nodeId"].number(-1)] = broker["host"].text();
        for (const FieldView topic : bodies.response()["topics"].entries()) {
            EXPECT_TRUE(topic["topicId"].uuid());
            partitions = std::max(partitions, topic["partitions"].entries().size());
        }
    });
    EXPECT_EQ(brokers.size(), 3u);
    EXPECT_EQ(brokers[1], "10.77.0.11");
    EXPECT_GT(partitions, 0u);
}

TEST(ExchangeBodies, giveNothingForWhatIsNotThere) {
    eachOf(3, [&](ExchangeBodies& bodies) {
        const FieldView none = bodies.response()["noSuchField"]["below"];
        EXPECT_FALSE(none);
        EXPECT_TRUE(none.entries().empty());
        EXPECT_EQ(none.number(), std::nullopt);
        EXPECT_EQ(none.number(7), 7);
        EXPECT_EQ(none.text(), "");
        EXPECT_EQ(none.uuid(), std::nullopt);
        EXPECT_TRUE(none.content().empty());
        EXPECT_EQ(bodies.response()["brokers"].text(), "");
        EXPECT_TRUE(bodies.response()["throttleTimeMs"].entries().empty());
    });
}

TEST(ExchangeBodies, openBytesAsTheyAre) {
    eachOf(11, [](ExchangeBodies& bodies) {
        for (const FieldView protocol : bodies.request()["protocols"].entries())
            EXPECT_GT(protocol["metadata"].content().size(), 2u);
    });
}

} // namespace
} // namespace brokerscope
