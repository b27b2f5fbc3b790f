// SPDX-License-Identifier: Apache-2.0
#include "capture/types/connection_facts.h"

#include "capture/tcp_reassembler.h"
#include "tests/support/conversation.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

namespace brokerscope::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::uint8_t kAck = Segment::kAck, kRst = Segment::kRst;

class Facts : public testing::Test {
  protected:
    void add(const Segment& segment) { reassembler.add(segment); }
    void handshake() {
        add(talk.syn());
        add(talk.synAck());
        add(talk.clientAck());
    }
    // As its sender would send it again: another IP identification.
    Segment retransmission(Segment segment) {
        segment.ipId = static_cast<std::uint16_t>(segment.ipId + 1000);
        return talk.again(segment);
    }
    const ConnectionFacts& facts() const { return *reassembler.facts(ConnectionId{1}); }
    const StreamFacts& client() const { return facts().from(Side::First); }
    const StreamFacts& broker() const { return facts().from(Side::Second); }

    StreamRecorder recorder;
    TcpReassembler reassembler{recorder};
    Conversation talk;
};

TEST_F(Facts, packetsBytesAndTimesAreCountedEachWay) {
    const Timestamp start = talk.now;
    handshake();
    add(talk.client("ask"));
    add(talk.broker("the answer"));
    const Timestamp end = talk.now;
    add(talk.clientAck());
    EXPECT_EQ(client().packets, 4u);
    EXPECT_EQ(client().bytes, 3u);
    EXPECT_EQ(broker().packets, 2u);
    EXPECT_EQ(broker().bytes, 10u);
    EXPECT_EQ(facts().firstTime, start);
    EXPECT_EQ(facts().lastTime, end);
}

TEST_F(Facts, theHandshakeGivesTheRoundTrip) {
    add(talk.syn());
    talk.wait(milliseconds{20} - microseconds{10});
    add(talk.synAck());
    talk.wait(milliseconds{3} - microseconds{10});
    add(talk.clientAck());
    talk.wait(milliseconds{500});
    add(talk.client("ask"));
    EXPECT_EQ(facts().synToSynAck, milliseconds{20});
    EXPECT_EQ(facts().synAckToAck, milliseconds{3});
    EXPECT_EQ(facts().roundTrip(), milliseconds{23});
}

TEST_F(Facts, aRepeatedSynDoesNotMakeTheRoundTripLonger) {
    const Segment syn = talk.syn();
    add(syn);
    talk.wait(milliseconds{1000});
    add(retransmission(syn));
    talk.wait(milliseconds{2} - microseconds{10});
    add(talk.synAck());
    EXPECT_EQ(facts().synToSynAck, milliseconds{2});
}

TEST_F(Facts, aHandshakeOfTwoClocksThatDisagreeGivesNoRoundTrip) {
    add(talk.syn());
    talk.wait(-milliseconds{5});
    add(talk.synAck());
    add(talk.clientAck());
    EXPECT_EQ(facts().synToSynAck, std::nullopt);
    EXPECT_EQ(facts().roundTrip(), std::nullopt);
}

TEST_F(Facts, withoutTheHandshakeThereIsNoRoundTrip) {
    add(talk.client("ask"));
    add(talk.broker("answer"));
    EXPECT_EQ(facts().roundTrip(), std::nullopt);
}

TEST_F(Facts, retransmissionsAreCountedAndDuplicatesAreNotAmongThem) {
    handshake();
    const Segment ask = talk.client("ask");
    add(ask);
    add(talk.again(ask)); // by a mirror port
    EXPECT_EQ(client().duplicatePackets, 1u);
    EXPECT_EQ(client().retransmittedSegments, 0u);
    add(retransmission(ask));
    EXPECT_EQ(client().duplicatePackets, 1u);
    EXPECT_EQ(client().retransmittedSegments, 1u);
    EXPECT_EQ(client().retransmittedBytes, 3u);
}

TEST_F(Facts, theSendersClockTellsRetransmissionsFromDuplicatesWhereIpDoesNot) {
    handshake();
    Segment ask = talk.client("ask");
    ask.ipId = 0; // IPv6
    ask.sentClock = 100;
    add(ask);
    add(talk.again(ask));
    EXPECT_EQ(client().duplicatePackets, 1u);
    ask.sentClock = 300;
    add(talk.again(ask));
    EXPECT_EQ(client().retransmittedSegments, 1u);
}

TEST_F(Facts, aSegmentThatIsPartlyNewCountsItsOldBytesOnly) {
    handshake();
    add(talk.client("abc"));
    Segment more = talk.client("bcde");
    more.seq -= 2;
    add(more);
    EXPECT_EQ(client().retransmittedSegments, 0u);
    EXPECT_EQ(client().retransmittedBytes, 2u);
    EXPECT_EQ(recorder.at(0).first(), "abcde");
}

TEST_F(Facts, keepAlivesAreNoRetransmissions) {
    handshake();
    add(talk.client("ask"));
    Segment probe = talk.client("Z", kAck);
    probe.seq -= 1;
    add(probe);
    add(retransmission(probe));
    EXPECT_EQ(client().retransmittedSegments, 0u);
}

TEST_F(Facts, segmentsOutOfOrderAreCounted) {
    handshake();
    const Segment one = talk.client("one"), two = talk.client("two"), three = talk.client("three");
    add(three);
    add(one);
    add(two);
    EXPECT_EQ(client().outOfOrderSegments, 2u);
    EXPECT_EQ(client().retransmittedSegments, 0u);
}

TEST_F(Facts, zeroWindowsAndResetsAreCounted) {
    handshake();
    Segment full = talk.brokerAck();
    full.window = 0;
    add(full);
    Segment reset = talk.broker("", kRst | kAck);
    reset.window = 0;
    add(reset);
    EXPECT_EQ(broker().zeroWindows, 1u);
    EXPECT_EQ(broker().resets, 1u);
    EXPECT_EQ(client().zeroWindows, 0u);
}

TEST_F(Facts, lostBytesAreCounted) {
    handshake();
    talk.client("lost");
    add(talk.client("next"));
    add(talk.brokerAck());
    talk.wait(milliseconds{400});
    add(talk.brokerAck());
    EXPECT_EQ(client().lostBytes, 4u);
    EXPECT_EQ(broker().lostBytes, 0u);
}

TEST_F(Facts, theSynTellsSegmentSizeAndWindowScale) {
    Segment syn = talk.syn();
    syn.mss = 1460;
    syn.windowScale = 7;
    add(syn);
    EXPECT_EQ(client().maximumSegmentSize, 1460);
    EXPECT_EQ(client().windowScale, 7);
    EXPECT_EQ(broker().maximumSegmentSize, 0);
    EXPECT_EQ(broker().windowScale, -1);
}

} // namespace
} // namespace brokerscope::test
