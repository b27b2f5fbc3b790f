// SPDX-License-Identifier: Apache-2.0
#include "capture/stream_reader.h"

#include "tests/support/memory_source.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

namespace brokerscope::test {
namespace {

constexpr std::uint8_t kSyn = Segment::kSyn, kAck = Segment::kAck;

Octets fromClient(std::uint32_t seq, const std::string& data, std::uint8_t flags = kAck) {
    return ipv4({}, tcp({.seq = seq, .ack = 6, .flags = flags}, octets(data)));
}

MemorySource conversation() {
    MemorySource source;
    source.add(ethernet(0x0800, fromClient(0, "", kSyn)));
    source.add(ethernet(0x0806, Octets(28)));
    source.add(ethernet(0x0800, fromClient(1, "one ")));
    source.add(fromClient(5, "two "), 101);
    source.add(Octets(40), 147);
    source.add(Octets(40), 147);
    source.add(Octets(3));
    source.add(ethernet(0x0800, fromClient(9, "three")));
    return source;
}

TEST(StreamReader, readsToTheEndAndClosesEverything) {
    MemorySource source = conversation();
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    EXPECT_TRUE(reader.readAll());
    EXPECT_EQ(recorder.story(), "open1 1>one  1>two  1>three 1>ended 1<ended close1");
    EXPECT_FALSE(reader.step(1));
}

TEST(StreamReader, countsWhatThePacketsWere) {
    MemorySource source = conversation();
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    const ReadReport& report = reader.report();
    EXPECT_EQ(report.packets, 8u);
    EXPECT_EQ(report.tcp, 4u);
    EXPECT_EQ(report.notTcp, 1u);
    EXPECT_EQ(report.malformed, 1u);
    ASSERT_EQ(report.unknownLinkTypes.size(), 1u);
    EXPECT_EQ(report.unknownLinkTypes[0].linkType, 147);
    EXPECT_EQ(report.unknownLinkTypes[0].packets, 2u);
    EXPECT_FALSE(report.unknownLinkTypes[0].name.empty());
}

TEST(StreamReader, theListOfUnknownLinkTypesIsBounded) {
    MemorySource source;
    for (std::uint16_t type = 20000; type < 20100; ++type)
        source.add(Octets(40), type);
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    EXPECT_EQ(reader.report().unknownLinkTypes.size(), 32u);
    EXPECT_EQ(reader.report().otherUnknownLinkTypes, 68u);
}

TEST(StreamReader, stepsOfAnySizeTellTheSameStory) {
    MemorySource whole = conversation();
    StreamRecorder expected;
    StreamReader(whole, expected).readAll();
    for (std::uint64_t size = 1; size < 10; ++size) {
        MemorySource source = conversation();
        StreamRecorder recorder;
        StreamReader reader(source, recorder);
        while (reader.step(size)) {
        }
        EXPECT_EQ(recorder.story(), expected.story());
    }
}

TEST(StreamReader, aStoppedReaderHandsOnWhatItHasRead) {
    MemorySource source = conversation();
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    EXPECT_TRUE(reader.step(3));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(reader.readAll(stop.get_token()));
    EXPECT_EQ(recorder.story(), "open1 1>one  1>ended 1<ended close1");
    EXPECT_EQ(reader.report().packets, 3u);
}

TEST(StreamReader, bytesThatWaitAreNotToBeReleased) {
    MemorySource source;
    source.add(ethernet(0x0800, fromClient(0, "", kSyn)));
    source.add(ethernet(0x0800, fromClient(1, "one ")));
    source.add(ethernet(0x0800, fromClient(9, "three")));
    source.add(ethernet(0x0800, ipv4({.id = 1, .fragment = 0x2000}, Octets(16))));
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.step(2);
    EXPECT_EQ(reader.lowestHeld(), nullptr);
    reader.step(1);
    const std::uint8_t* const waiting = reader.lowestHeld();
    ASSERT_NE(waiting, nullptr);
    EXPECT_EQ(std::string(waiting, waiting + 5), "three");
    reader.step(1);
    EXPECT_LE(reader.lowestHeld(), waiting);
    reader.finish();
    EXPECT_EQ(recorder.at(0).first(), "one ????three");
}

// What a layer such as TLS does: it takes the streams and hands others on.
class ShoutingLayer : public StreamSink {
  public:
    explicit ShoutingLayer(StreamSink& next) : m_next(next) {}
    void connectionOpened(const Connection& connection) override { m_next.connectionOpened(connection); }
    void bytes(ConnectionId connection, Side from, const Slice& slice) override {
        std::string& loud = m_kept.emplace_back(slice.data, slice.data + slice.length);
        for (char& c : loud)
            c = static_cast<char>(std::toupper(c));
        Slice out = slice;
        out.data = reinterpret_cast<const std::uint8_t*>(loud.data());
        m_next.bytes(connection, from, out);
    }
    void streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber packet, Timestamp time) override {
        m_next.streamEnded(connection, from, how, packet, time);
    }
    void connectionClosed(ConnectionId connection) override { m_next.connectionClosed(connection); }

  private:
    StreamSink& m_next;
    std::deque<std::string> m_kept;
};

TEST(StreamReader, aLayerThatChangesStreamsGoesInFrontOfTheLastSink) {
    MemorySource source = conversation();
    StreamRecorder recorder;
    ShoutingLayer layer(recorder);
    StreamReader reader(source, layer);
    reader.readAll();
    EXPECT_EQ(recorder.at(0).first(), "ONE TWO THREE");
}

TEST(StreamReader, factsCanBeTakenUntilTheConnectionIsClosed) {
    class Taker : public StreamRecorder {
      public:
        StreamReader* reader = nullptr;
        ConnectionFacts facts;
        void connectionClosed(ConnectionId id) override {
            facts = *reader->facts(id);
            StreamRecorder::connectionClosed(id);
        }
    };
    MemorySource source = conversation();
    Taker taker;
    StreamReader reader(source, taker);
    taker.reader = &reader;
    reader.readAll();
    EXPECT_EQ(taker.facts.from(Side::First).packets, 4u);
    EXPECT_EQ(taker.facts.from(Side::First).bytes, 13u);
    EXPECT_EQ(reader.facts(ConnectionId{1}), nullptr);
}

} // namespace
} // namespace brokerscope::test
