// SPDX-License-Identifier: Apache-2.0
// How streams are put together from segments in any order.
#include "tests/support/reassembly_fixture.h"

namespace brokerscope::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint8_t kAck = Segment::kAck, kFin = Segment::kFin;

TEST_F(Reassembly, aWholeConversationIsToldInItsOrder) {
    handshake();
    add(talk.client("ask"));
    add(talk.broker("answer"));
    add(talk.client("", kFin | kAck));
    add(talk.broker("", kFin | kAck));
    add(talk.clientAck());
    reassembler.finish();
    EXPECT_EQ(recorder.story(), "open1 1>ask 1<answer 1>fin 1<fin close1");
    EXPECT_TRUE(only().connection.handshakeSeen);
    EXPECT_EQ(toString(only().connection.first), "10.0.0.1:40000");
    EXPECT_EQ(toString(only().connection.second), "10.0.0.2:9092");
}

TEST_F(Reassembly, theOpenersFirstAcknowledgementTellsWhereTheOtherStreamBegins) {
    add(talk.syn());
    talk.synAck();
    add(talk.client("ask"));
    talk.broker("lost "); // neither this nor the answer to the SYN is in the capture
    add(talk.broker("answer"));
    add(talk.clientAck());
    reassembler.finish();
    EXPECT_EQ(only().second(), "?????answer");
}

TEST_F(Reassembly, segmentsOutOfOrderArePutInOrder) {
    handshake();
    const Segment one = talk.client("one "), two = talk.client("two "), three = talk.client("three");
    add(three);
    add(one);
    EXPECT_EQ(only().first(), "one ");
    add(two);
    EXPECT_EQ(only().first(), "one two three");
    EXPECT_EQ(reassembler.waitingSlices(), 0u);
}

TEST_F(Reassembly, slicesNameTheirPacketAndTime) {
    handshake();
    const Segment one = talk.client("one "), two = talk.client("two ");
    add(two);
    add(one);
    const std::vector<Slice>& slices = only().from(Side::First).slices;
    ASSERT_EQ(slices.size(), 2u);
    EXPECT_EQ(slices[0].packet, one.packet);
    EXPECT_EQ(slices[1].packet, two.packet);
    EXPECT_EQ(slices[1].time, two.time);
}

TEST_F(Reassembly, sequenceNumbersWrapInOrderAndOutOfOrder) {
    talk.clientNext = 0xffffffffu - 5;
    talk.brokerNext = 0xffffffffu;
    handshake();
    const Segment one = talk.client("abcd"), two = talk.client("efgh"), three = talk.client("ijkl");
    add(one);
    add(three);
    add(two);
    add(talk.broker("answer"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "abcdefghijkl");
    EXPECT_EQ(only().second(), "answer");
}

TEST_F(Reassembly, theFirstCopyOfAByteWins) {
    handshake();
    Segment first = talk.client("abcdef");
    Segment overlapping = talk.client("xxxGHI"), last = talk.client("JKL");
    overlapping.seq -= 3; // "def" again, as "xxx"
    last.seq -= 3;
    add(first);
    add(overlapping);
    add(last);
    EXPECT_EQ(only().first(), "abcdefGHIJKL");
}

TEST_F(Reassembly, theFirstCopyWinsAmongWaitingSegmentsToo) {
    handshake();
    const Segment head = talk.client("0");
    Segment b = talk.client("bb"), all = talk.client("xxxxxx");
    b.seq = head.seq + 3;
    all.seq = head.seq + 1;
    add(b);   // bytes 3 and 4
    add(all); // bytes 1 to 6: what is around b is new
    add(head);
    EXPECT_EQ(only().first(), "0xxbbxx");
}

TEST_F(Reassembly, retransmissionsAndDuplicatesChangeNothing) {
    for (const Segment& s : {talk.syn(), talk.synAck(), talk.clientAck(), talk.client("ask"), talk.broker("answer"),
                             talk.client("", kFin | kAck), talk.broker("", kFin | kAck), talk.clientAck()}) {
        add(s);
        add(talk.again(s));
    }
    reassembler.finish();
    EXPECT_EQ(recorder.story(), "open1 1>ask 1<answer 1>fin 1<fin close1");
    EXPECT_EQ(recorder.size(), 1u);
}

TEST_F(Reassembly, aWholeConnectionRepeatedWithSkewedClocksIsStillOne) {
    std::vector<Segment> all{talk.syn(), talk.synAck(), talk.clientAck()};
    for (int i = 0; i < 50; ++i) {
        all.push_back(talk.client("ask "));
        all.push_back(talk.broker("answer "));
    }
    all.push_back(talk.client("", kFin | kAck));
    all.push_back(talk.broker("", kFin | kAck));
    all.push_back(talk.clientAck());
    for (const Segment& s : all)
        add(s);
    for (Segment s : all) {
        s.time -= milliseconds{3};
        add(s);
    }
    reassembler.finish();
    EXPECT_EQ(only().first().size(), 200u);
    EXPECT_EQ(only().second().size(), 350u);
}

TEST_F(Reassembly, anAcknowledgedHoleIsLostAfterTheGrace) {
    handshake();
    add(talk.client("one "));
    talk.client("lost");
    const Segment reveals = talk.client("three");
    add(reveals);
    add(talk.brokerAck());
    EXPECT_EQ(only().first(), "one ");
    talk.wait(milliseconds{301});
    add(talk.brokerAck());
    EXPECT_EQ(only().first(), "one ????three");
    const Slice& hole = only().from(Side::First).slices[1];
    EXPECT_EQ(hole.hole, Hole::Lost);
    EXPECT_EQ(hole.length, 4u);
    EXPECT_EQ(hole.packet, reveals.packet);
}

TEST_F(Reassembly, aHoleIsFilledWhenTheSegmentComesWithinTheGrace) {
    handshake();
    add(talk.client("one "));
    const Segment late = talk.client("two ");
    add(talk.client("three"));
    add(talk.brokerAck());
    talk.wait(milliseconds{200});
    add(talk.again(late));
    EXPECT_EQ(only().first(), "one two three");
}

TEST_F(Reassembly, aHoleThatNobodyAcknowledgedWaitsForItsRetransmission) {
    handshake();
    const Segment missing = talk.client("one ");
    add(talk.client("two"));
    for (int i = 0; i < 20; ++i) {
        talk.wait(seconds{1});
        Segment stillAsking = talk.brokerAck();
        stillAsking.ack = missing.seq;
        add(stillAsking);
    }
    EXPECT_EQ(only().first(), "");
    add(talk.again(missing));
    EXPECT_EQ(only().first(), "one two");
}

TEST_F(Reassembly, manyPacketsEndTheGraceAsTimeDoes) {
    handshake();
    talk.client("lost");
    for (int i = 0; i < 600; ++i) {
        Segment s = talk.client("x"), ack = talk.brokerAck();
        s.time = ack.time = talk.now = Timestamp{};
        add(s);
        add(ack);
    }
    EXPECT_EQ(only().first().substr(0, 6), "????xx");
    EXPECT_EQ(only().from(Side::First).lost(), 4u);
}

TEST_F(Reassembly, withoutTheOtherDirectionAHoleIsLostAfterAWhile) {
    add(talk.syn());
    talk.client("lost");
    add(talk.client("one "));
    talk.wait(seconds{1});
    add(talk.client("two "));
    EXPECT_EQ(only().first(), "");
    talk.wait(seconds{3});
    add(talk.client("three"));
    EXPECT_EQ(only().first(), "????one two three");
}

TEST_F(Reassembly, onlyTheAcknowledgedPartOfAHoleIsGivenUp) {
    handshake();
    talk.client("gone");
    const Segment late = talk.client("late");
    add(talk.client("here"));
    Segment ack = talk.brokerAck();
    ack.ack = late.seq;
    add(ack);
    talk.wait(seconds{1});
    add(talk.again(ack));
    EXPECT_EQ(only().first(), "????");
    add(talk.again(late));
    EXPECT_EQ(only().first(), "????latehere");
}

TEST_F(Reassembly, aSnapLengthCutIsAHoleOfItsOwnKind) {
    handshake();
    Segment cut = talk.client("0123456789");
    cut.payload = cut.payload.first(4);
    cut.cut = 6;
    add(cut);
    add(talk.client("next"));
    EXPECT_EQ(only().first(), "0123??????next");
    EXPECT_EQ(only().from(Side::First).cut(), 6u);
    EXPECT_EQ(only().from(Side::First).lost(), 0u);
    EXPECT_EQ(reassembler.facts(ConnectionId{1})->from(Side::First).cutBytes, 6u);
}

TEST_F(Reassembly, segmentsCutDownToTheirHeadersKeepTheirSize) {
    handshake();
    Segment cut = talk.client("0123456789");
    cut.payload = cut.payload.first(0);
    cut.cut = 10;
    add(cut);
    add(talk.client("next"));
    EXPECT_EQ(only().first(), "??????????next");
}

TEST_F(Reassembly, bytesWaitForThoseTheyAcknowledge) {
    handshake();
    const Segment ask = talk.client("ask"), answer = talk.broker("answer");
    add(answer);
    EXPECT_EQ(only().second(), "");
    add(ask);
    EXPECT_EQ(recorder.story(), "open1 1>ask 1<answer");
}

TEST_F(Reassembly, bytesWaitNoLongerThanTheGraceForThoseTheyAcknowledge) {
    handshake();
    talk.client("lost");
    add(talk.broker("answer"));
    talk.wait(milliseconds{301});
    add(talk.broker("more"));
    EXPECT_EQ(only().second(), "answermore");
    add(talk.client("next"));
    talk.wait(milliseconds{301});
    add(talk.brokerAck());
    EXPECT_EQ(only().first(), "????next");
}

TEST_F(Reassembly, bytesDoNotWaitForADirectionThatIsNotCaptured) {
    talk.syn();
    add(talk.synAck());
    for (int i = 0; i < 3; ++i) {
        talk.client("not captured");
        add(talk.broker("answer "));
    }
    EXPECT_EQ(only().second(), "answer answer answer ");
}

TEST_F(Reassembly, aCaptureThatStartsInTheMiddleStartsWithItsFirstByte) {
    add(talk.client("tail"));
    add(talk.broker("answer"));
    EXPECT_EQ(recorder.size(), 0u); // something earlier may still come
    talk.wait(seconds{1});
    add(talk.client("next"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "tailnext");
    EXPECT_EQ(only().second(), "answer");
    EXPECT_FALSE(only().connection.handshakeSeen);
    EXPECT_EQ(only().streams[0].lost(), 0u);
}

TEST_F(Reassembly, anEarlierSegmentShortlyAfterAStartInTheMiddleIsTaken) {
    const Segment one = talk.client("one "), two = talk.client("two ");
    add(two);
    add(one);
    add(talk.client("three"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one two three");
}

TEST_F(Reassembly, aRetransmissionFromBeforeTheStartIsDropped) {
    const Segment before = talk.client("before");
    add(talk.client("one "));
    talk.wait(seconds{1});
    add(talk.client("two"));
    add(talk.again(before));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one two");
}

TEST_F(Reassembly, dataCapturedBeforeItsSynBelongsToTheSameConnection) {
    const Segment syn = talk.syn(), synAck = talk.synAck(), ack = talk.clientAck(), ask = talk.client("ask");
    add(ask);
    add(syn);
    add(synAck);
    add(ack);
    reassembler.finish();
    EXPECT_EQ(only().first(), "ask");
    EXPECT_TRUE(only().connection.handshakeSeen);
}

TEST_F(Reassembly, theAnswerToASynIsEnoughToKnowBothStarts) {
    talk.syn();
    add(talk.synAck());
    const Segment lost = talk.client("lost");
    add(talk.client("next"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "????next");
    EXPECT_EQ(toString(only().connection.first), "10.0.0.1:40000");
    EXPECT_TRUE(only().connection.handshakeSeen);
    EXPECT_EQ(lost.length(), 4u);
}

TEST_F(Reassembly, theSenderOfTheSynIsFirstWhicheverComesFirst) {
    const Segment syn = talk.syn(), synAck = talk.synAck();
    add(synAck);
    add(syn);
    add(talk.client("ask"));
    EXPECT_EQ(only().first(), "ask");
    EXPECT_EQ(toString(only().connection.first), "10.0.0.1:40000");
}

TEST_F(Reassembly, keepAlivesWithAndWithoutAGarbageByteChangeNothing) {
    handshake();
    add(talk.client("ask"));
    add(talk.brokerAck());
    for (const char* garbage : {"", "Z"}) {
        Conversation other; // keeps its bytes to the end of this test's loop
        Segment probe = other.client(garbage, kAck);
        probe.seq = talk.clientNext - 1;
        probe.ack = talk.brokerNext;
        probe.packet = PacketNumber{90};
        add(probe);
        add(talk.brokerAck());
    }
    add(talk.client(" more"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "ask more");
    EXPECT_EQ(only().streams[0].lost(), 0u);
}

TEST_F(Reassembly, aGarbageByteFillsNoHole) {
    handshake();
    const Segment lost = talk.client("lost");
    add(talk.brokerAck());
    Segment probe = talk.client("Z", kAck);
    probe.seq = lost.seq + 3;
    talk.clientNext -= 1;
    add(probe);
    add(talk.client("next"));
    reassembler.finish();
    EXPECT_EQ(only().first(), "????next");
}

TEST_F(Reassembly, aProbeOfAClosedWindowIsData) {
    handshake();
    add(talk.client("ab"));
    Segment full = talk.brokerAck();
    full.window = 0;
    add(full);
    Segment probe = talk.client("c", kAck);
    add(probe);
    add(talk.again(full));
    Segment all = talk.client("cde");
    all.seq = probe.seq;
    add(all);
    EXPECT_EQ(only().first(), "abcde");
    EXPECT_EQ(reassembler.facts(ConnectionId{1})->from(Side::Second).zeroWindows, 2u);
}

TEST_F(Reassembly, aHoleOfMoreThanThePlausibleDistanceIsBelievedWhenItIsAcknowledged) {
    handshake();
    add(talk.client("one"));
    talk.clientNext += 20'000'000;
    add(talk.brokerAck());
    add(talk.brokerAck());
    add(talk.client("two"));
    talk.wait(seconds{1});
    add(talk.brokerAck());
    reassembler.finish();
    EXPECT_EQ(only().from(Side::First).lost(), 20'000'000u);
    EXPECT_EQ(only().from(Side::First).slices.back().length, 3u);
}

TEST_F(Reassembly, aSingleAcknowledgementOfWhatNobodySentIsNotBelieved) {
    handshake();
    add(talk.client("one"));
    Segment wild = talk.brokerAck();
    wild.ack += 0x20000000;
    add(wild);
    add(talk.again(wild));
    reassembler.finish();
    EXPECT_EQ(only().first(), "one");
}

TEST_F(Reassembly, connectionsAreKeptApart) {
    std::vector<Conversation> talks;
    for (std::uint16_t port = 1000; port < 1050; ++port)
        talks.emplace_back(port);
    for (Conversation& t : talks)
        handshake(t);
    for (int round = 0; round < 3; ++round)
        for (std::size_t i = 0; i < talks.size(); ++i)
            add(talks[i].client(std::to_string(i) + " "));
    reassembler.finish();
    ASSERT_EQ(recorder.size(), 50u);
    for (std::size_t i = 0; i < talks.size(); ++i) {
        const std::string word = std::to_string(i) + " ";
        EXPECT_EQ(recorder.at(i).first(), word + word + word);
    }
}

} // namespace
} // namespace brokerscope::test
