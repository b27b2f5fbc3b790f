// SPDX-License-Identifier: Apache-2.0
// How connections end, and how the same ports begin anew.
#include "tests/support/reassembly_fixture.h"

namespace brokerscope::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint8_t kAck = Segment::kAck, kFin = Segment::kFin, kRst = Segment::kRst;

class ConnectionEnds : public Reassembly {};

TEST_F(ConnectionEnds, aNewSynOnTheSamePortsIsANewConnection) {
    handshake();
    add(talk.client("one"));
    talk.wait(seconds{2});
    talk.clientNext = 1002; // inside of what the first one used
    talk.brokerNext = 5001;
    handshake();
    add(talk.client("two"));
    reassembler.finish();
    EXPECT_EQ(recorder.story(), "open1 1>one 1>replaced 1<replaced close1 open2 2>two 2>ended 2<ended close2");
}

TEST_F(ConnectionEnds, portsAreUsedAgainAfterAnOrderlyEnd) {
    for (int i = 0; i < 3; ++i) {
        handshake();
        add(talk.client("ask"));
        add(talk.client("", kFin | kAck));
        add(talk.broker("", kFin | kAck));
        add(talk.clientAck());
        talk.clientNext += 100'000;
        talk.brokerNext += 200'000;
    }
    reassembler.finish();
    ASSERT_EQ(recorder.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(recorder.at(i).first(), "ask");
        EXPECT_EQ(recorder.at(i).streams[0].end, StreamEnd::Fin);
    }
}

TEST_F(ConnectionEnds, lateCopiesOfAConnectionThatIsOverOpenNone) {
    const Segment syn = talk.syn();
    add(syn);
    add(talk.synAck());
    add(talk.clientAck());
    const Segment ask = talk.client("ask");
    add(ask);
    add(talk.client("", kFin | kAck));
    add(talk.broker("", kFin | kAck));
    add(talk.clientAck());
    talk.wait(seconds{90});
    add(talk.again(syn));
    add(talk.again(ask));
    reassembler.finish();
    EXPECT_EQ(recorder.size(), 1u);
}

TEST_F(ConnectionEnds, portsUsedAgainWithoutAnyHandshakeAreSeenByBothDirectionsElsewhere) {
    handshake();
    add(talk.client("one"));
    add(talk.broker("two"));
    talk.clientNext += 0x30000000;
    talk.brokerNext += 0x50000000;
    add(talk.client("three"));
    add(talk.broker("four"));
    reassembler.finish();
    ASSERT_EQ(recorder.size(), 2u);
    EXPECT_EQ(recorder.at(0).streams[0].end, StreamEnd::Replaced);
    EXPECT_EQ(recorder.at(1).first(), "three");
    EXPECT_EQ(recorder.at(1).second(), "four");
    EXPECT_FALSE(recorder.at(1).connection.handshakeSeen);
}

TEST_F(ConnectionEnds, aSingleSegmentFromNowhereDoesNothing) {
    handshake();
    add(talk.client("one "));
    Segment stray = talk.client("stray");
    talk.clientNext -= 5;
    stray.seq += 0x40000000;
    add(stray);
    add(talk.client("two"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one two");
}

TEST_F(ConnectionEnds, aResetEndsItsSideAndLeavesTheOtherToWhatIsUnderWay) {
    handshake();
    add(talk.client("ask"));
    add(talk.client("", kRst | kAck));
    add(talk.broker("under way"));
    reassembler.finish();
    EXPECT_EQ(recorder.story(), "open1 1>ask 1>reset 1<under way 1<reset close1");
}

TEST_F(ConnectionEnds, aResetFarAwayDoesNothing) {
    handshake();
    add(talk.client("one "));
    Segment wild = talk.client("", kRst);
    wild.seq += 0x12345678;
    add(wild);
    add(talk.client("two"));
    add(talk.broker("answer"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one two");
    EXPECT_EQ(only().streams[0].end, StreamEnd::CaptureEnded);
    EXPECT_EQ(only().second(), "answer");
}

TEST_F(ConnectionEnds, dataBehindAResetIsANewConnection) {
    handshake();
    add(talk.client("one"));
    add(talk.client("", kRst));
    add(talk.client("two"));
    add(talk.broker("answer"));
    reassembler.finish();
    ASSERT_EQ(recorder.size(), 2u);
    EXPECT_EQ(recorder.at(0).streams[0].end, StreamEnd::Reset);
    EXPECT_EQ(recorder.at(1).first(), "two");
    EXPECT_EQ(recorder.at(1).second(), "answer");
}

TEST_F(ConnectionEnds, aResetALittleAheadEndsNothingWhenTheStreamGoesOn) {
    handshake();
    add(talk.client("one "));
    Segment ahead = talk.client("", kRst);
    ahead.seq += 2;
    add(ahead);
    add(talk.client("two "));
    talk.wait(seconds{1});
    add(talk.client("three"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one two three");
}

TEST_F(ConnectionEnds, dataCapturedBehindItsOwnResetIsTaken) {
    handshake();
    const Segment data = talk.client("last words"), reset = talk.client("", kRst);
    add(reset);
    add(data);
    EXPECT_EQ(only().first(), "last words");
    EXPECT_EQ(only().streams[0].end, StreamEnd::Reset);
}

TEST_F(ConnectionEnds, theTextInAResetIsNoData) {
    handshake();
    add(talk.client("ask"));
    add(talk.broker("go away", kRst | kAck));
    reassembler.finish();
    EXPECT_EQ(recorder.story(), "open1 1>ask 1<reset 1>reset close1");
}

TEST_F(ConnectionEnds, aRefusedConnectionIsResetByTheOtherSide) {
    add(talk.syn());
    Segment refused = talk.broker("", kRst | kAck);
    refused.seq = 0;
    add(refused);
    reassembler.finish();
    EXPECT_EQ(recorder.story(), "open1 1<reset 1>reset close1");
}

TEST_F(ConnectionEnds, aSynThatIsRefusedAndThenAcceptedIsTwoConnections) {
    const Segment syn = talk.syn();
    add(syn);
    Segment refused = talk.broker("", kRst | kAck);
    refused.seq = 0;
    add(refused);
    talk.wait(milliseconds{500});
    add(talk.again(syn));
    add(talk.synAck());
    add(talk.clientAck());
    add(talk.client("ask"));
    reassembler.finish();
    ASSERT_EQ(recorder.size(), 2u);
    EXPECT_EQ(recorder.at(1).first(), "ask");
    EXPECT_TRUE(recorder.at(1).connection.handshakeSeen);
}

TEST_F(ConnectionEnds, aFinThatComesBeforeTheLastDataWaitsForIt) {
    handshake();
    const Segment data = talk.client("last words"), fin = talk.client("", kFin | kAck);
    add(fin);
    EXPECT_FALSE(only().streams[0].end);
    add(data);
    EXPECT_EQ(recorder.story(), "open1 1>last words 1>fin");
}

TEST_F(ConnectionEnds, afterAResetOfTheOtherSideNoHoleWaitsForARetransmission) {
    handshake();
    talk.client("lost");
    add(talk.client("next"));
    Segment reset = talk.broker("", kRst | kAck);
    add(reset);
    EXPECT_EQ(only().first(), "");
    talk.wait(milliseconds{400});
    add(talk.again(reset));
    EXPECT_EQ(only().first(), "????next");
}

TEST_F(ConnectionEnds, aResetBehindAFinThatWaitsEndsTheWaiting) {
    handshake();
    talk.client("lost");
    add(talk.client("", kFin | kAck));
    add(talk.client("", kRst | kAck));
    talk.wait(milliseconds{400});
    add(talk.broker("", kRst | kAck));
    EXPECT_EQ(only().first(), "????");
    EXPECT_EQ(only().streams[0].end, StreamEnd::Fin);
}

TEST_F(ConnectionEnds, aFinBehindLostBytesEndsTheStreamWithAHole) {
    handshake();
    talk.client("lost");
    add(talk.client("", kFin | kAck));
    add(talk.brokerAck());
    talk.wait(seconds{1});
    add(talk.brokerAck());
    EXPECT_EQ(recorder.story(), "open1 1>???? 1>fin");
}

TEST_F(ConnectionEnds, acknowledgedBytesAtTheEndOfTheCaptureAreAHole) {
    handshake();
    add(talk.client("one "));
    talk.client("lost");
    add(talk.brokerAck());
    reassembler.finish();
    EXPECT_EQ(only().first(), "one ????");
}

TEST_F(ConnectionEnds, aFinThatWasNotCapturedIsNoByte) {
    handshake();
    add(talk.client("one"));
    talk.client("", kFin | kAck);
    add(talk.broker("", kFin | kAck));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one");
}

TEST_F(ConnectionEnds, whatComesLateAfterTheEndIsSwallowed) {
    handshake();
    const Segment ask = talk.client("ask");
    add(ask);
    add(talk.client("", kFin | kAck));
    const Segment fin = talk.broker("", kFin | kAck);
    add(fin);
    add(talk.again(ask));
    add(talk.again(fin));
    add(talk.clientAck());
    talk.wait(seconds{6});
    Conversation another(40001);
    another.now = talk.now;
    add(another.syn());
    EXPECT_TRUE(recorder.at(0).closed);
    EXPECT_EQ(recorder.size(), 2u);
    EXPECT_EQ(reassembler.connections(), 1u);
}

} // namespace
} // namespace brokerscope::test
