// SPDX-License-Identifier: Apache-2.0
#include "capture/tcp_reassembler.h"

#include "tests/support/conversation.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <vector>

namespace brokerscope::test {
namespace {

using std::chrono::seconds;

constexpr std::uint8_t kAck = Segment::kAck, kFin = Segment::kFin;

TEST(ReassemblyBounds, tooManyWaitingSlicesOfAStreamLoseItsHole) {
    StreamRecorder recorder;
    ReassemblyLimits limits;
    limits.waitingSlicesPerStream = 10;
    TcpReassembler reassembler(recorder, limits);
    Conversation talk;
    reassembler.add(talk.syn());
    reassembler.add(talk.synAck());
    talk.client("lost");
    for (int i = 0; i < 11; ++i) {
        EXPECT_EQ(recorder.at(0).first(), "");
        EXPECT_LE(reassembler.waitingSlices(), 10u);
        reassembler.add(talk.client("x"));
    }
    EXPECT_EQ(recorder.at(0).first(), "????xxxxxxxxxxx");
}

TEST(ReassemblyBounds, tooManyWaitingSlicesOfAllLoseTheHoleOfTheOneAtWork) {
    StreamRecorder recorder;
    ReassemblyLimits limits;
    limits.waitingSlices = 10;
    TcpReassembler reassembler(recorder, limits);
    std::vector<Conversation> talks;
    for (std::uint16_t port = 1000; port < 1011; ++port)
        talks.emplace_back(port);
    for (Conversation& talk : talks) {
        reassembler.add(talk.syn());
        reassembler.add(talk.synAck());
        talk.client("lost");
        reassembler.add(talk.client("x"));
        EXPECT_LE(reassembler.waitingSlices(), 10u);
    }
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_EQ(recorder.at(i).first(), "");
    EXPECT_EQ(recorder.at(10).first(), "????x");
}

TEST(ReassemblyBounds, theConnectionSilentForLongestIsForgotten) {
    StreamRecorder recorder;
    ReassemblyLimits limits;
    limits.connections = 3;
    TcpReassembler reassembler(recorder, limits);
    std::vector<Conversation> talks;
    for (std::uint16_t port = 1000; port < 1004; ++port)
        talks.emplace_back(port);
    for (std::size_t i = 0; i < 3; ++i) {
        talks[i].wait(seconds{i});
        reassembler.add(talks[i].syn());
    }
    talks[0].wait(seconds{10});
    reassembler.add(talks[0].again(talks[0].clientAck()));
    talks[3].wait(seconds{11});
    reassembler.add(talks[3].syn());
    EXPECT_EQ(reassembler.connections(), 3u);
    EXPECT_TRUE(recorder.at(1).closed);
    EXPECT_EQ(recorder.at(1).streams[0].end, StreamEnd::Forgotten);
    EXPECT_FALSE(recorder.at(0).closed);
    EXPECT_FALSE(recorder.at(2).closed);
}

TEST(ReassemblyBounds, connectionsThatAreOverAreForgottenFirst) {
    StreamRecorder recorder;
    ReassemblyLimits limits;
    limits.connections = 2;
    TcpReassembler reassembler(recorder, limits);
    Conversation old(1000), over(1001), next(1002);
    reassembler.add(old.syn());
    over.wait(seconds{1});
    reassembler.add(over.syn());
    reassembler.add(over.synAck());
    reassembler.add(over.client("", kFin | kAck));
    reassembler.add(over.broker("", kFin | kAck));
    next.wait(seconds{2});
    reassembler.add(next.syn());
    EXPECT_FALSE(recorder.at(0).closed);
    EXPECT_TRUE(recorder.at(1).closed);
}

TEST(ReassemblyBounds, seventyThousandConnectionsAtOnceAreFollowed) {
    StreamRecorder recorder;
    TcpReassembler reassembler(recorder);
    Conversation talk;
    std::vector<Segment> segments{talk.syn(), talk.client("ab"), talk.client("cd")};
    for (const Segment& segment : segments)
        for (std::uint32_t i = 0; i < 70'000; ++i) {
            Segment s = segment;
            s.source.port = static_cast<std::uint16_t>(i);
            s.source.address.bytes[2] = static_cast<std::uint8_t>(i >> 16);
            reassembler.add(s);
        }
    EXPECT_EQ(reassembler.connections(), 70'000u);
    EXPECT_EQ(recorder.size(), 70'000u);
    EXPECT_EQ(recorder.at(69'999).first(), "abcd");
    reassembler.finish();
    EXPECT_EQ(reassembler.connections(), 0u);
}

} // namespace
} // namespace brokerscope::test
