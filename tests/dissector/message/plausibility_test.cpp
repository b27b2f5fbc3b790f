// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/plausibility.h"

#include "dissector/schema/protocol.h"
#include "tests/support/message_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace brokerscope {
namespace {

const Plan& heartbeatAnswer() {
    return *Protocol::builtin().plan(12, 1, Direction::Response);
}

TEST(Plausibility, aMessageEndsExactlyWhereItsLayoutEnds) {
    MessageBytes answer;
    answer.i32(0).i16(27);
    EXPECT_TRUE(consumesExactly(heartbeatAnswer(), answer.chain(), 0, 6));
    EXPECT_TRUE(isPlausible(heartbeatAnswer(), answer.chain(), 0, 6));
    EXPECT_FALSE(consumesExactly(heartbeatAnswer(), answer.chain(), 0, 5));
    EXPECT_FALSE(consumesExactly(heartbeatAnswer(), answer.chain(), 0, 7)) << "cut: nobody can tell";
    EXPECT_FALSE(consumesExactly(heartbeatAnswer(), answer.chain(), 1, 0));
    MessageBytes longer;
    longer.i32(0).i16(27).i8(0);
    EXPECT_FALSE(consumesExactly(heartbeatAnswer(), longer.chain(), 0, 7));
}

TEST(Plausibility, valuesThatMakeNoSenseSpeakAgainstALayoutThatFits) {
    for (const auto& [throttle, error] : {std::pair{-5, 0}, std::pair{2'000'000'000, 0}, std::pair{0, 20'000}}) {
        MessageBytes answer;
        answer.i32(throttle).i16(error);
        EXPECT_TRUE(consumesExactly(heartbeatAnswer(), answer.chain(), 0, 6));
        EXPECT_FALSE(isPlausible(heartbeatAnswer(), answer.chain(), 0, 6)) << throttle << " " << error;
    }
    MessageBytes newer;
    newer.i32(0).i16(151); // an error code of a release to come
    EXPECT_TRUE(isPlausible(heartbeatAnswer(), newer.chain(), 0, 6));
}

TEST(Plausibility, booleansAndTextsAreLookedAt) {
    const Plan& metadata = *Protocol::builtin().plan(3, 4, Direction::Request);
    MessageBytes good, flag, text;
    good.i32(1).string("orders").i8(1);
    flag.i32(1).string("orders").i8(7);
    text.i32(1).string("\xff\xfe").i8(1);
    EXPECT_TRUE(isPlausible(metadata, good.chain(), 0, good.size()));
    EXPECT_FALSE(isPlausible(metadata, flag.chain(), 0, flag.size()));
    EXPECT_FALSE(isPlausible(metadata, text.chain(), 0, text.size()));
}

TEST(Plausibility, missingBytesOfKnownLengthAreNoReason) {
    const Plan& produce = *Protocol::builtin().plan(0, 3, Direction::Request);
    MessageBytes request;
    request.i16(-1).i16(1).i32(1).i32(1).string("t").i32(1).i32(0).i32(6).raw("abcdef");
    const ByteChain chain = withHole(request.bytes(), request.size() - 4, 2, Hole::Lost);
    EXPECT_TRUE(isPlausible(produce, chain, 0, request.size()));
}

TEST(Plausibility, theLayoutOfAPreviewIsTakenOnlyWhenTheOneProperDoesNotFit) {
    const Plan& plan = *Protocol::builtin().nestedPlan("RemoveTopicRecord", 0);
    MessageBytes preview, today; // Kafka 2.8 had no tag buffer
    preview.i64(1).i64(2);
    today.i64(1).i64(2).uvarint(0);
    EXPECT_EQ(layoutThatFits(plan, preview.chain(), 0, 16).seenIn, "2.8");
    EXPECT_EQ(layoutThatFits(plan, today.chain(), 0, 17).seenIn, "");
    EXPECT_EQ(layoutThatFits(plan, today.chain(), 0, 5).seenIn, "") << "neither fits";
}

TEST(Plausibility, randomBytesHardlyEverPass) {
    std::mt19937 random(7);
    int passed = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::uint8_t> bytes(20 + random() % 100);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        const ByteChain chain = ByteChain::of(bytes);
        const Api& api = *Protocol::builtin().apis()[random() % Protocol::builtin().apis().size()];
        const Plan& plan = *Protocol::builtin().plan(api.key, api.versions.last, Direction::Response);
        passed += isPlausible(plan, chain, 0, chain.size());
    }
    EXPECT_LT(passed, 5);
}

} // namespace
} // namespace brokerscope
