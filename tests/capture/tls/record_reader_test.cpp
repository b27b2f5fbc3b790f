// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/record_reader.h"

#include <gmock/gmock.h>

#include <list>
#include <random>
#include <string>
#include <vector>

namespace brokerscope {
namespace {

using testing::ElementsAre;

struct Seen {
    std::uint8_t type;
    std::string payload; // '?' for missing bytes
    std::uint64_t skipped, skippedHere;
    std::uint64_t packet;

    bool operator==(const Seen&) const = default;
};

class RecordReaderTest : public testing::Test, public TlsRecordSink {
  protected:
    void record(Side, const TlsRecord& record) override {
        std::string payload(record.payload.begin(), record.payload.end());
        for (const MissingRange& range : record.missing)
            payload.replace(range.offset, range.length, range.length, '?');
        seen.push_back({record.type, payload, record.skipped, record.skippedHere, record.packet.value});
        lastPayload = record.payload.data();
        lastHole = record.hole;
    }

    static std::string wire(std::uint8_t type, const std::string& payload) {
        const auto size = static_cast<char>(payload.size());
        return std::string{static_cast<char>(type), 3, 3, static_cast<char>(payload.size() >> 8), size} + payload;
    }

    void feed(const std::string& bytes) {
        Slice slice;
        slice.data = reinterpret_cast<const std::uint8_t*>(kept.emplace_back(bytes).data());
        slice.length = static_cast<std::uint32_t>(bytes.size());
        slice.packet = PacketNumber{++packet};
        reader.feed(slice);
    }

    void lose(std::size_t size, Hole hole = Hole::Lost) {
        Slice slice;
        slice.length = static_cast<std::uint32_t>(size);
        slice.hole = hole;
        slice.packet = PacketNumber{++packet};
        reader.feed(slice);
    }

    std::vector<Seen> seen;
    const std::uint8_t* lastPayload = nullptr;
    Hole lastHole = Hole::None;
    std::list<std::string> kept;
    std::uint64_t packet = 0;
    TlsRecordReader reader{Side::First, *this};
};

TEST_F(RecordReaderTest, ARecordInOneSliceIsHandedOutWhereItLies) {
    feed(wire(22, "hello"));
    EXPECT_THAT(seen, ElementsAre(Seen{22, "hello", 0, 0, 1}));
    EXPECT_EQ(lastPayload, reinterpret_cast<const std::uint8_t*>(kept.front().data()) + 5);
}

TEST_F(RecordReaderTest, SeveralRecordsInOneSliceAndOneOverSeveralSlicesAreFound) {
    const std::string three = wire(22, "one") + wire(20, "2") + wire(23, std::string(300, 'x'));
    feed(three.substr(0, 20));
    feed(three.substr(20, 100));
    feed(three.substr(120));
    EXPECT_THAT(
        seen, ElementsAre(Seen{22, "one", 0, 0, 1}, Seen{20, "2", 0, 0, 1}, Seen{23, std::string(300, 'x'), 0, 0, 3}));
}

TEST_F(RecordReaderTest, AnySegmentationGivesTheSameRecords) {
    std::string stream;
    std::vector<std::pair<int, std::string>> expected;
    std::mt19937 random(7);
    for (int i = 0; i < 40; ++i) {
        expected.emplace_back(20 + i % 4, std::string(1 + random() % 400, static_cast<char>('a' + i % 26)));
        stream += wire(static_cast<std::uint8_t>(expected.back().first), expected.back().second);
    }
    for (int round = 0; round < 50; ++round) {
        seen.clear();
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t size = 1 + random() % (round < 10 ? 3 : 700);
            feed(stream.substr(at, size));
            at += size;
        }
        ASSERT_EQ(seen.size(), expected.size());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            EXPECT_EQ(seen[i].type, expected[i].first);
            EXPECT_EQ(seen[i].payload, expected[i].second);
            EXPECT_EQ(seen[i].skipped, 0U);
        }
    }
}

TEST_F(RecordReaderTest, MissingBytesInsideARecordLeaveItsSize) {
    const std::string record = wire(23, "0123456789");
    feed(record.substr(0, 7));
    lose(3, Hole::Cut);
    feed(record.substr(10, 1));
    lose(2);
    feed(record.substr(13) + wire(21, "ab"));
    EXPECT_THAT(seen, ElementsAre(Seen{23, "01???5??89", 0, 0, 5}, Seen{21, "ab", 0, 0, 5}));
    EXPECT_EQ(lastHole, Hole::None);
}

TEST_F(RecordReaderTest, AHoleThatEndsWithItsRecordKeepsTheBorder) {
    feed(wire(23, "0123456789").substr(0, 8));
    lose(7);
    EXPECT_THAT(seen, ElementsAre(Seen{23, "012???????", 0, 0, 2}));
    EXPECT_EQ(lastHole, Hole::Lost);
    feed(wire(23, "next"));
    EXPECT_EQ(seen.back(), (Seen{23, "next", 0, 0, 3}));
}

TEST_F(RecordReaderTest, AfterALostBorderARecordThatStartsASegmentIsFound) {
    feed(wire(23, "0123456789").substr(0, 8));
    lose(100); // the rest of the record and 93 bytes behind it
    feed(wire(23, "found") + wire(23, "and next"));
    EXPECT_THAT(
        seen, ElementsAre(Seen{23, "012???????", 0, 0, 2}, Seen{23, "found", 93, 0, 3}, Seen{23, "and next", 0, 0, 3}));
}

TEST_F(RecordReaderTest, AfterALostBorderARecordThatEndsWithItsSegmentIsFound) {
    lose(1000);
    feed("tail of some record" + wire(23, "found"));
    EXPECT_THAT(seen, ElementsAre(Seen{23, "found", 1019, 19, 2}));
}

TEST_F(RecordReaderTest, AfterALostBorderARecordBeforeAnotherHeaderIsFound) {
    lose(1000);
    feed("tail" + wire(23, "found") + wire(23, std::string(500, 'x')).substr(0, 50));
    EXPECT_THAT(seen, ElementsAre(Seen{23, "found", 1004, 4, 2}));
    feed(wire(23, std::string(500, 'x')).substr(50));
    EXPECT_EQ(seen.back(), (Seen{23, std::string(500, 'x'), 0, 0, 3}));
}

TEST_F(RecordReaderTest, ARecordOverSeveralSegmentsIsFoundWhenItsEndIsTheEndOfOne) {
    lose(10);
    const std::string record = wire(23, std::string(3000, 'x'));
    feed("tail" + record.substr(0, 1000));
    feed(record.substr(1000, 1000));
    EXPECT_TRUE(seen.empty());
    feed(record.substr(2000));
    EXPECT_THAT(seen, ElementsAre(Seen{23, std::string(3000, 'x'), 14, 4, 4}));
}

TEST_F(RecordReaderTest, AHeaderSplitOverTwoSegmentsIsFoundInTheSearch) {
    lose(10);
    const std::string record = wire(23, std::string(100, 'x'));
    feed("tail" + record.substr(0, 3));
    feed(record.substr(3));
    EXPECT_THAT(seen, ElementsAre(Seen{23, std::string(100, 'x'), 14, 4, 3}));
}

TEST_F(RecordReaderTest, BytesThatOnlyLookLikeAHeaderAreNotTakenForOne) {
    lose(10);
    feed("..." + wire(23, "short").substr(0, 8) + "no header behind this, and more of it");
    EXPECT_TRUE(seen.empty());
    feed(wire(23, "found"));
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].payload, "found");
}

TEST_F(RecordReaderTest, TwoHolesInARowCountTogether) {
    lose(10);
    feed("between");
    lose(20);
    feed(wire(23, "found"));
    EXPECT_THAT(seen, ElementsAre(Seen{23, "found", 37, 7, 4}));
}

TEST_F(RecordReaderTest, GarbageBetweenRecordsIsSteppedOver) {
    feed(wire(23, "one") + "some garbage" + wire(23, "two"));
    EXPECT_THAT(seen, ElementsAre(Seen{23, "one", 0, 0, 1}, Seen{23, "two", 12, 12, 1}));
}

TEST_F(RecordReaderTest, AStreamThatBeginsInsideARecordIsPickedUpAtTheNext) {
    reader.beginInside();
    feed("the rest of a record" + wire(23, "one"));
    feed(wire(23, "two"));
    EXPECT_THAT(seen, ElementsAre(Seen{23, "one", 20, 20, 1}, Seen{23, "two", 0, 0, 2}));
}

TEST_F(RecordReaderTest, EveryByteIsInARecordOrCounted) {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        seen.clear();
        TlsRecordReader fresh(Side::First, *this);
        std::swap(reader, fresh);
        std::string stream;
        while (stream.size() < 4000)
            stream += random() % 4 == 0 ? std::string(random() % 50, '\x17') : wire(23, std::string(random() % 600, 3));
        stream += wire(23, "end");
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t size = std::min<std::size_t>(1 + random() % 300, stream.size() - at);
            if (random() % 10 == 0)
                lose(size);
            else
                feed(stream.substr(at, size));
            at += size;
        }
        std::uint64_t counted = 0;
        for (const Seen& one : seen) {
            counted += 5 + one.payload.size() + one.skipped;
            EXPECT_LE(one.skippedHere, one.skipped);
        }
        EXPECT_LE(counted, stream.size());
    }
}

TEST_F(RecordReaderTest, ManyFalseStartsInOneHugeSegmentAreGoneThrough) {
    std::string stream;
    while (stream.size() < 200'000)
        stream += wire(23, "x") + wire(23, "y") + "!";
    feed(stream);
    EXPECT_GT(seen.size(), 20'000U);
}

} // namespace
} // namespace brokerscope
