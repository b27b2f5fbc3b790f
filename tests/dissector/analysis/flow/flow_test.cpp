// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/flow/flow.h"

#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "dissector/exchange/exchange_assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using Kind = FlowEvent::Kind;

Flow flowOf(const std::string& sample) {
    struct Sink : ExchangeSink {
        FlowCollector flow{Protocol::builtin()};
        TopicNames names{Protocol::builtin()};
        ExchangeFactsReader facts{Protocol::builtin()};
        void exchangeEnded(Exchange&& exchange) override {
            names.learn(exchange);
            flow.add(facts.read(exchange), names);
        }
    } sink;
    const std::vector<std::string> paths = {BROKERSCOPE_SOURCE_DIR "/samples/" + sample};
    auto source = openCapture(paths);
    EXPECT_TRUE(source);
    if (!source) return {};
    ExchangeAssembler assembler(Protocol::builtin(), sink);
    StreamReader reader(**source, assembler);
    reader.readAll();
    assembler.finish();
    return sink.flow.finish();
}

TEST(Flow, hasARequestAndAnAnswerForEveryExchangeInTheOrderOfTime) {
    const Flow flow = flowOf("first-steps.pcap");
    EXPECT_THAT(flow.events, SizeIs(66));
    for (std::size_t i = 1; i < flow.events.size(); ++i)
        EXPECT_LE(flow.events[i - 1].time, flow.events[i].time);
    for (const FlowEvent& event : flow.events) {
        const bool asked = event.kind == Kind::Request;
        EXPECT_NE(flow.lanes[event.from].broker, asked);
        EXPECT_EQ(flow.lanes[event.to].broker, asked);
    }
}

TEST(Flow, namesClientsBeforeBrokers) {
    const Flow flow = flowOf("first-steps.pcap");
    EXPECT_EQ(flow.lanes.front().tag, "C1");
    EXPECT_THAT(flow.lanes.front().name, HasSubstr("(10.77.0.2)"));
    EXPECT_EQ(flow.lanes.back().tag, "B3");
    EXPECT_TRUE(std::ranges::is_sorted(flow.lanes, {}, &FlowLane::broker));
}

TEST(Flow, tellsHowATransactionGoesOn) {
    const Flow flow = flowOf("transactions.pcap");
    const auto has = [&](Kind kind, std::string_view text) {
        return std::ranges::any_of(flow.events, [&](const FlowEvent& event) {
            return event.kind == kind && event.text.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(has(Kind::Request, " commit epoch "));
    EXPECT_TRUE(has(Kind::Request, " abort epoch "));
    EXPECT_TRUE(has(Kind::Answer, "producer id "));
    EXPECT_TRUE(has(Kind::ErrorAnswer, "PRODUCER_FENCED"));
}

TEST(Flow, saysWhichRequestsHaveNoAnswer) {
    const Flow flow = flowOf("produce-acks.pcap");
    EXPECT_TRUE(std::ranges::any_of(flow.events, [](const FlowEvent& event) {
        return event.kind == Kind::RequestWithoutAnswer && event.text.ends_with("(acks=0)");
    }));
}

} // namespace
} // namespace brokerscope
