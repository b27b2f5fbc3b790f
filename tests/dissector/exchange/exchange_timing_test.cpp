// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange_timing.h"

#include <gtest/gtest.h>

#include <utility>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

Timestamp at(int ms) {
    return Timestamp(std::chrono::milliseconds(ms));
}

// An exchange with these times in milliseconds; no answer when `answer` is empty.
Exchange exchangeAt(int requestBegin, int requestEnd, std::optional<std::pair<int, int>> answer = std::nullopt) {
    Exchange exchange;
    exchange.request.emplace();
    exchange.request->begin = at(requestBegin);
    exchange.request->end = at(requestEnd);
    if (!answer) return exchange;
    exchange.response.emplace();
    exchange.response->begin = at(answer->first);
    exchange.response->end = at(answer->second);
    return exchange;
}

ExchangeTiming finished(TimingTracker& tracker, Exchange exchange) {
    tracker.finish(exchange);
    return exchange.timing;
}

TEST(TimingTracker, givesTheClientTheTimeBetweenAnAnswerAndTheNextRequest) {
    TimingTracker tracker;
    EXPECT_EQ(finished(tracker, exchangeAt(0, 1, {{5, 6}})).think, std::nullopt);
    const ExchangeTiming second = finished(tracker, exchangeAt(10, 10, {{12, 12}}));
    EXPECT_EQ(second.think, 4ms);
    EXPECT_EQ(second.blocked, 0ms);
    EXPECT_EQ(second.inFlight, 1u);
}

TEST(TimingTracker, saysHowLongAnAnswerWasHeldUpByTheOneBefore) {
    TimingTracker tracker;
    finished(tracker, exchangeAt(0, 1, {{50, 60}}));
    const ExchangeTiming behind = finished(tracker, exchangeAt(10, 20, {{62, 63}}));
    EXPECT_EQ(behind.think, std::nullopt);
    EXPECT_EQ(behind.blocked, 40ms);
    EXPECT_EQ(behind.inFlight, 2u);
    const ExchangeTiming third = finished(tracker, exchangeAt(55, 56, {{63, 64}}));
    EXPECT_EQ(third.inFlight, 3u);
    EXPECT_EQ(third.blocked, 7ms);
    EXPECT_EQ(finished(tracker, exchangeAt(64, 64, {{70, 70}})).inFlight, 1u);
}

TEST(TimingTracker, takesARequestThatWantsNoAnswerForSomethingTheClientDid) {
    TimingTracker tracker;
    finished(tracker, exchangeAt(0, 1, {{2, 3}}));
    EXPECT_EQ(finished(tracker, exchangeAt(5, 7)).think, 2ms);
    EXPECT_EQ(finished(tracker, exchangeAt(10, 10, {{11, 11}})).think, 3ms);
}

TEST(TimingTracker, isNotConfusedByAnOrphanAnswer) {
    TimingTracker tracker;
    Exchange orphan = exchangeAt(0, 0, {{3, 4}});
    orphan.request.reset();
    EXPECT_EQ(finished(tracker, orphan), ExchangeTiming{});
    EXPECT_EQ(finished(tracker, exchangeAt(6, 6, {{8, 8}})).think, 2ms);
}

TEST(TimingTracker, saysNothingOfWaitingWhereClocksDiffer) {
    TimingTracker tracker;
    finished(tracker, exchangeAt(0, 1, {{50, 60}}));
    EXPECT_EQ(finished(tracker, exchangeAt(20, 21, {{19, 19}})).blocked, 0ms);
}

TEST(TimingTracker, countsSegmentsSentAgainFromTheFirstToTheLastByte) {
    TimingTracker tracker;
    for (const int time : {5, 12, 9, 20, 31}) // packets may be captured in another order than their times
        tracker.sentAgain(at(time));
    EXPECT_EQ(finished(tracker, exchangeAt(6, 7, {{19, 20}})).sentAgain, 3u);
    EXPECT_EQ(finished(tracker, exchangeAt(21, 21, {{30, 30}})).sentAgain, 0u);
    Exchange unanswered = exchangeAt(10, 10);
    unanswered.status = ExchangeStatus::Unanswered;
    EXPECT_EQ(finished(tracker, unanswered).sentAgain, 3u) << "it might have been answered until the end";
    Exchange acksZero = exchangeAt(10, 13);
    acksZero.status = ExchangeStatus::NoResponseExpected;
    EXPECT_EQ(finished(tracker, acksZero).sentAgain, 1u);
}

TEST(TimingTracker, keepsTheLatestOfMoreSegmentsThanItCanHold) {
    TimingTracker tracker;
    const int count = static_cast<int>(TimingTracker::mostSentAgain) + 10;
    for (int i = 0; i < count; ++i)
        tracker.sentAgain(at(i));
    EXPECT_EQ(finished(tracker, exchangeAt(0, 0, {{count, count}})).sentAgain, TimingTracker::mostSentAgain);
}

TEST(TimingTracker, tellsTheRoundTripAsItIsKnownAtTheEnd) {
    TimingTracker tracker;
    EXPECT_EQ(finished(tracker, exchangeAt(0, 0, {{1, 1}})).roundTrip, std::nullopt);
    tracker.roundTripSeen(7ms);
    EXPECT_EQ(finished(tracker, exchangeAt(2, 2, {{3, 3}})).roundTrip, 7ms);
}

} // namespace
} // namespace brokerscope
