// SPDX-License-Identifier: Apache-2.0
// Law: a filter gives the same answer for a row of the index as for the exchange that the row was made of.
#include "dissector/index/indexed_subject.h"

#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "capture/tls/tls_layer.h"
#include "dissector/exchange/exchange_assembler.h"
#include "dissector/index/index_builder.h"
#include "tests/gui/loaded.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

// Keeps the exchanges as they came, and indexes them.
class Both : public ExchangeSink {
  public:
    explicit Both(ExchangeIndex& index) : m_builder(index, Protocol::builtin()) {}

    void requestSeen(const Exchange& exchange) override { m_builder.requestSeen(exchange); }
    void exchangeEnded(Exchange&& exchange) override {
        exchanges.push_back(exchange);
        m_builder.exchangeEnded(std::move(exchange));
    }
    void finish() { m_builder.nameTopics(); }

    std::vector<Exchange> exchanges;

  private:
    IndexBuilder m_builder;
};

const char* const filters[] = {
    "api == Fetch",
    "api != Fetch",
    "api.key in {0, 3, 18}",
    "version < 4",
    "client.id",
    "client.id contains \"con\"",
    "correlation.id == 2",
    "topic",
    "topic == \"orders\"",
    "not topic",
    "topic matches \"^o\"",
    "group",
    "transactional.id",
    "error",
    "error == UNKNOWN_TOPIC_OR_PARTITION",
    "error.code in {3, 6, 29}",
    "retriable",
    "error and not retriable",
    "status == paired",
    "status == unanswered",
    "status != paired",
    "slow",
    "damaged",
    "latency > 10ms",
    "latency <= 1ms",
    "wait >= 100ms",
    "request.size > 100",
    "response.size > 1KiB",
    "response.size",
    "throttle",
    "conn == 2",
    "client == 10.77.0.0/24",
    "broker == 10.77.0.11:9092",
    "addr == 10.77.0.2",
    "port == 9093",
    "time > 1s",
    "time > \"2020-01-01\"",
    "packet == 55",
    "partition == 1",
    "offset > 10",
    "acks == 0",
    "acks",
    "topic.id",
    "request.maxWaitMs > 100",
    "response.throttleTimeMs == 0",
    "records > 1",
    "api == Produce and not (topic == orders or acks == 0) and latency < 1s",
};

TEST(IndexedSubject, answersEveryFilterAsTheExchangeItselfDoes) {
    for (const std::string& path : allSamples()) {
        std::vector<std::string> paths{path};
        auto source = openCapture(paths);
        ASSERT_TRUE(source);
        ExchangeIndex index;
        Both both(index);
        KeyLog keys;
        keys.followText((*source)->info().keyLog);
        ExchangeAssembler assembler(Protocol::builtin(), both);
        TlsLayer tls(assembler, keys, &assembler);
        StreamReader reader(**source, tls);
        reader.readAll();
        assembler.finish();
        both.finish();

        FilterSettings settings;
        settings.captureStart = index.row(0).time();
        settings.topicName = [&](const TopicId& id) { return index.topicName(id); };
        ExchangeSubject whole(Protocol::builtin(), settings);
        IndexedSubject indexed(index, Protocol::builtin(), settings);
        for (const char* text : filters) {
            auto compiled = Filter::compile(text, Protocol::builtin());
            ASSERT_TRUE(std::holds_alternative<Filter>(compiled)) << text;
            const Filter& filter = std::get<Filter>(compiled);
            for (const Exchange& exchange : both.exchanges) {
                whole.assign(exchange);
                ASSERT_TRUE(indexed.assign(static_cast<std::uint32_t>(exchange.id.value - 1)));
                EXPECT_EQ(filter.matches(indexed), filter.matches(whole))
                    << path << " " << exchange.id.value << " " << text;
            }
        }
    }
}

} // namespace
} // namespace brokerscope
