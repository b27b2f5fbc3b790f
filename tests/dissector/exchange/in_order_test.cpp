// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/in_order.h"

#include <gtest/gtest.h>

#include <string>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

struct Log {
    std::string text;
    InOrder<std::string> order{[this](std::string&& item) { text += item; }};
};

Timestamp at(Duration time) {
    return Timestamp(time);
}

TEST(InOrder, whatEndsEarlyWaitsForWhatBeganEarlier) {
    Log log;
    log.order.started(ExchangeId{1}, at(0s));
    log.order.started(ExchangeId{2}, at(1s));
    log.order.ended(ExchangeId{2}, "b");
    EXPECT_EQ(log.text, "");
    log.order.ended(ExchangeId{1}, "a");
    EXPECT_EQ(log.text, "ab");
}

TEST(InOrder, aLongOpenExchangeHoldsUpNoOthersAndComesWhenItEnds) {
    Log log;
    log.order.started(ExchangeId{1}, at(0s));
    log.order.started(ExchangeId{2}, at(29s));
    log.order.ended(ExchangeId{2}, "b");
    EXPECT_EQ(log.text, "");
    log.order.started(ExchangeId{3}, at(31s));
    EXPECT_EQ(log.text, "b");
    log.order.ended(ExchangeId{1}, "a");
    log.order.ended(ExchangeId{3}, "c");
    EXPECT_EQ(log.text, "bac");
}

TEST(InOrder, skippedNumbersHoldUpNothing) {
    Log log;
    for (std::uint64_t id = 1; id <= 3; ++id)
        log.order.started(ExchangeId{id}, at(0s));
    log.order.ended(ExchangeId{3}, "c");
    log.order.skipped(ExchangeId{2});
    log.order.skipped(ExchangeId{1});
    EXPECT_EQ(log.text, "c");
}

TEST(InOrder, finishHandsOutTheRestInOrder) {
    Log log;
    for (std::uint64_t id = 1; id <= 4; ++id)
        log.order.started(ExchangeId{id}, at(0s));
    log.order.ended(ExchangeId{4}, "d");
    log.order.ended(ExchangeId{2}, "b");
    log.order.finish();
    EXPECT_EQ(log.text, "bd");
}

} // namespace
} // namespace brokerscope
