// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

Frame frame(std::initializer_list<Duration> times) {
    static const std::uint8_t byte = 0;
    Frame result;
    for (const Duration time : times) {
        Slice slice;
        slice.data = &byte;
        slice.length = 1;
        slice.packet = PacketNumber{1};
        slice.time = Timestamp(time);
        result.append(slice);
    }
    return result;
}

TEST(Latency, isTheSumOfItsParts) {
    Exchange exchange;
    exchange.request = frame({1ms, 4ms});
    exchange.response = frame({10ms, 11ms});
    const auto parts = latency(exchange);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->total, 10ms);
    EXPECT_EQ(parts->requestTransfer, 3ms);
    EXPECT_EQ(parts->wait, 6ms);
    EXPECT_EQ(parts->responseTransfer, 1ms);
}

TEST(Latency, anAnswerBeforeTheRequestsEndLeavesNoWait) {
    Exchange exchange;
    exchange.request = frame({1ms, 20ms});
    exchange.response = frame({10ms, 11ms});
    const auto parts = latency(exchange);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->total, parts->requestTransfer + parts->wait + parts->responseTransfer);
    EXPECT_EQ(parts->wait, 0ms);
}

TEST(Latency, aRetransmittedByteCountsWhenItCame) {
    Exchange exchange;
    exchange.request = frame({5ms, 3ms}); // the first byte came again, later
    exchange.response = frame({9ms});
    EXPECT_EQ(latency(exchange)->total, 6ms);
}

TEST(Latency, isNeverNegative) {
    Exchange exchange;
    exchange.request = frame({5ms});
    exchange.response = frame({4ms});
    EXPECT_FALSE(latency(exchange));
}

} // namespace
} // namespace brokerscope
