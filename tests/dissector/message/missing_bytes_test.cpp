// SPDX-License-Identifier: Apache-2.0
// What the decoder says of bytes that are not there: each reason has its own words.
#include "dissector/message/decoder.h"
#include "dissector/schema/protocol.h"

#include <gtest/gtest.h>

#include <array>

namespace brokerscope {
namespace {

// A Heartbeat v1 response of which only length and correlation id are here.
Problem firstProblem(Hole hole, PacketNumber packet) {
    static const std::array<std::uint8_t, 8> begin{0, 0, 0, 10, 0, 0, 0, 7};
    ByteChain bytes = ByteChain::of(begin);
    Slice rest;
    rest.hole = hole;
    rest.length = 6;
    rest.packet = packet;
    bytes.append(rest);
    DecodedMessage message;
    decodeMessage(Protocol::builtin(), bytes, {Direction::Response, 12, 1, true, false}, message);
    return message.problems.empty() ? Problem{} : message.problems.front();
}

TEST(MissingBytes, aSnapLengthIsNamed) {
    const Problem problem = firstProblem(Hole::Cut, PacketNumber{5});
    EXPECT_EQ(problem.kind, ProblemKind::Truncated);
    EXPECT_EQ(problem.text, "6 bytes were cut by the snap length");
}

TEST(MissingBytes, aStreamThatEndedIsNoSnapLength) {
    const Problem problem = firstProblem(Hole::Cut, {});
    EXPECT_EQ(problem.kind, ProblemKind::Truncated);
    EXPECT_EQ(problem.text, "the stream ended 6 bytes before the message's end");
}

TEST(MissingBytes, aLossIsAGap) {
    const Problem problem = firstProblem(Hole::Lost, PacketNumber{5});
    EXPECT_EQ(problem.kind, ProblemKind::Gap);
    EXPECT_EQ(problem.text, "6 bytes were lost on the way");
}

} // namespace
} // namespace brokerscope
