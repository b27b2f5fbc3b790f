// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/wait_reason.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

Exchange exchangeOf(std::int16_t key, std::int16_t version) {
    Exchange exchange;
    exchange.header.emplace();
    exchange.header->apiKey = key;
    exchange.header->apiVersion = version;
    return exchange;
}

Latency waited(Duration wait) {
    Latency latency;
    latency.wait = latency.total = wait;
    return latency;
}

TEST(WaitReason, aFetchWaitsForAtMostMaxWaitMs) {
    Skim request, response;
    request.maxWaitMs = 500;
    const WaitByDesign wait = waitByDesign(exchangeOf(1, 17), waited(502ms), request, response);
    EXPECT_EQ(wait.reason, WaitReason::LongPoll);
    EXPECT_EQ(wait.duration, 500ms);
    EXPECT_EQ(waitByDesign(exchangeOf(1, 17), waited(2ms), request, response).reason, WaitReason::None);
}

TEST(WaitReason, aFetchThatWantsNoBytesIsNotWaitedFor) {
    Skim request;
    request.maxWaitMs = 500;
    request.minBytes = 0;
    EXPECT_EQ(waitByDesign(exchangeOf(1, 17), waited(502ms), request, {}).reason, WaitReason::None);
    request.minBytes = 1;
    EXPECT_EQ(waitByDesign(exchangeOf(1, 17), waited(502ms), request, {}).reason, WaitReason::LongPoll);
}

TEST(WaitReason, aFetchOfTheMetadataLogWaitsWithoutMinBytes) {
    Skim byName, byId;
    byName.maxWaitMs = byId.maxWaitMs = 500;
    byName.minBytes = byId.minBytes = 0;
    byName.topics = {"__cluster_metadata"};
    byId.topicIds.emplace_back()[15] = 1;
    EXPECT_EQ(waitByDesign(exchangeOf(1, 12), waited(502ms), byName, {}).reason, WaitReason::LongPoll);
    EXPECT_EQ(waitByDesign(exchangeOf(1, 17), waited(502ms), byId, {}).reason, WaitReason::LongPoll);
}

TEST(WaitReason, joinAndSyncWaitForTheGroup) {
    EXPECT_EQ(name(waitByDesign(exchangeOf(11, 9), waited(3s), {}, {}).reason), "rebalance");
    EXPECT_EQ(name(waitByDesign(exchangeOf(12, 4), waited(3s), {}, {}).reason), "");
}

TEST(WaitReason, onlyOldVersionsHoldThrottledAnswersBack) {
    Skim response;
    response.throttleMs = 100;
    EXPECT_EQ(waitByDesign(exchangeOf(0, 5), waited(150ms), {}, response).duration, 100ms);
    EXPECT_EQ(waitByDesign(exchangeOf(0, 6), waited(150ms), {}, response).reason, WaitReason::None);
    EXPECT_TRUE(throttledAtTheClient(68, 0));
}

} // namespace
} // namespace brokerscope
