// SPDX-License-Identifier: Apache-2.0
#include "capture/types/connection_facts.h"

#include "capture/tcp_reassembler.h"
#include "tests/support/conversation.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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

// One packet of the middle of a connection that begins with data of either side.
class FactsWithoutHandshake : public Facts {
  protected:
    // Both sides say something, and the graces for what might have come before are over.
    void begin() {
        add(talk.client("one"));
        add(talk.broker("one"));
        add(talk.clientAck());
        talk.wait(std::chrono::seconds{2});
        add(talk.clientAck());
    }
};

TEST_F(FactsWithoutHandshake, theQuickestAcknowledgementsGiveTheRoundTrip) {
    begin();
    for (const auto& [there, back] : {std::pair{40, 9}, std::pair{6, 3}, std::pair{20, 30}}) {
        add(talk.client("ask"));
        talk.wait(milliseconds{there} - microseconds{10});
        add(talk.broker("answer"));
        talk.wait(milliseconds{back} - microseconds{10});
        add(talk.clientAck());
        talk.wait(milliseconds{100});
    }
    EXPECT_EQ(client().leastToAck, milliseconds{6});
    EXPECT_EQ(broker().leastToAck, milliseconds{3});
    EXPECT_EQ(facts().roundTrip(), milliseconds{9});
}

TEST_F(FactsWithoutHandshake, oneSideAloneGivesNoRoundTrip) {
    begin();
    add(talk.client("ask"));
    add(talk.brokerAck());
    EXPECT_TRUE(client().leastToAck);
    EXPECT_EQ(facts().roundTrip(), std::nullopt);
}

TEST_F(FactsWithoutHandshake, whatWasSentAgainTellsNoTime) {
    begin();
    const Segment ask = talk.client("ask");
    add(ask);
    talk.wait(milliseconds{200});
    add(retransmission(ask));
    add(talk.brokerAck());
    EXPECT_EQ(client().leastToAck, std::nullopt);
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

TEST(FactsSink, hearsOfTheRoundTripAndOfWhatIsSentAgainWhenItHappens) {
    class Listener : public StreamRecorder {
      public:
        std::vector<Side> again;
        std::vector<Duration> roundTrips;
        void sentAgain(ConnectionId, Side from, Timestamp) override { again.push_back(from); }
        void roundTripSeen(ConnectionId, Duration time) override { roundTrips.push_back(time); }
    } listener;
    TcpReassembler reassembler{listener};
    Conversation talk;
    reassembler.add(talk.syn());
    reassembler.add(talk.synAck());
    reassembler.add(talk.clientAck());
    EXPECT_EQ(listener.roundTrips, std::vector<Duration>{microseconds{20}});
    Segment ask = talk.client("ask");
    reassembler.add(ask);
    EXPECT_TRUE(listener.again.empty());
    ask.ipId = 9999;
    reassembler.add(talk.again(ask));
    EXPECT_EQ(listener.again, std::vector{Side::First});
}

TEST(FactsSink, takesASegmentThatFillsAHoleForSentAgainWhenItCouldHaveBeenAskedFor) {
    class Listener : public StreamRecorder {
      public:
        std::vector<Timestamp> again;
        void sentAgain(ConnectionId, Side, Timestamp time) override { again.push_back(time); }
    } listener;
    TcpReassembler reassembler{listener};
    Conversation talk; // whose round trip is 20 us
    reassembler.add(talk.syn());
    reassembler.add(talk.synAck());
    reassembler.add(talk.clientAck());
    const auto behindAHole = [&](Duration later) {
        const Segment overtaken = talk.client("over");
        const Segment first = talk.client("taken");
        reassembler.add(first);
        talk.now = first.time + later;
        reassembler.add(talk.again(overtaken));
    };
    behindAHole(microseconds{19});
    EXPECT_TRUE(listener.again.empty());
    behindAHole(microseconds{20});
    EXPECT_EQ(listener.again.size(), 1u);
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
