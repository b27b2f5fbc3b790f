// SPDX-License-Identifier: Apache-2.0
#include "cli/metrics/exchange_metrics.h"

#include "tests/cli/http_get.h"
#include "tests/dissector/analysis/findings/story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using testing::Not;

// An exchange without bytes, which is enough to be counted.
Exchange exchangeOf(const std::string& clientId) {
    Exchange exchange;
    exchange.status = ExchangeStatus::Paired;
    exchange.client = Story::endpoint(1, 40000);
    exchange.broker = Story::endpoint(11, 9092);
    exchange.header = RequestHeader{12, 4, 1, clientId};
    return exchange;
}

void add(ExchangeMetrics& metrics, const Exchange& exchange) {
    ExchangeFactsReader reader(Protocol::builtin());
    metrics.add(reader.read(exchange));
}

TEST(ExchangeMetrics, countsInPrometheusText) {
    ExchangeMetrics metrics(Protocol::builtin());
    add(metrics, exchangeOf("c1"));
    add(metrics, exchangeOf("c1"));
    metrics.addLost(10);
    metrics.addForeign("");
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr("# TYPE brokerscope_exchanges_total counter"));
    EXPECT_THAT(text,
                HasSubstr(R"(brokerscope_exchanges_total{api="Heartbeat",broker="10.0.0.11:9092",status="paired"} 2)"));
    EXPECT_THAT(text, HasSubstr(R"(brokerscope_client_exchanges_total{client_id="c1"} 2)"));
    EXPECT_THAT(text, HasSubstr("brokerscope_lost_bytes_total 10"));
    EXPECT_THAT(text, HasSubstr(R"(brokerscope_foreign_connections_total{protocol="unknown"} 1)"));
}

TEST(ExchangeMetrics, boundsTheValuesOfALabel) {
    ExchangeMetrics metrics(Protocol::builtin());
    for (std::size_t i = 0; i < 2 * ExchangeMetrics::mostValues; ++i)
        add(metrics, exchangeOf("client-" + std::to_string(i)));
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr(R"({client_id="client-49"} 1)"));
    EXPECT_THAT(text, Not(HasSubstr(R"({client_id="client-50"})")));
    EXPECT_THAT(text, HasSubstr(R"({client_id="other"} 50)"));
}

TEST(ExchangeMetrics, servesWhatItCountedUpToNow) {
    ExchangeMetrics metrics(Protocol::builtin());
    const std::uint16_t port = freePort();
    ASSERT_EQ(metrics.listen("127.0.0.1:" + std::to_string(port)), std::nullopt);
    EXPECT_THAT(httpGet(port, "/metrics"), HasSubstr("200 OK"));
    add(metrics, exchangeOf("c1"));
    EXPECT_THAT(httpGet(port, "/metrics"), HasSubstr(R"(brokerscope_client_exchanges_total{client_id="c1"} 1)"));
    add(metrics, exchangeOf("c1"));
    EXPECT_THAT(httpGet(port, "/metrics"), HasSubstr(R"(brokerscope_client_exchanges_total{client_id="c1"} 2)"));
}

TEST(ExchangeMetrics, saysWhenItCannotListenOrWrite) {
    ExchangeMetrics metrics(Protocol::builtin());
    EXPECT_THAT(metrics.listen("no-address").value_or(""), HasSubstr("cannot listen on no-address"));
    EXPECT_THAT(metrics.writeTo("/no/such/folder/metrics.prom").value_or(""), HasSubstr("cannot be written"));
}

} // namespace
} // namespace brokerscope
