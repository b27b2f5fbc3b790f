// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/file_fixture.h"

#include <gmock/gmock.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;

class PcapReaderTest : public CaptureFileTest {};

TEST_F(PcapReaderTest, readsEveryMagicInBothByteOrders) {
    struct {
        PcapVariant variant;
        std::int64_t nanoseconds;
        unsigned digits;
    } const cases[] = {
        {{.magic = 0xa1b2c3d4}, 1'700'000'000'000'123'000, 6},
        {{.magic = 0xa1b23c4d}, 1'700'000'000'000'000'123, 9},
        {{.magic = 0xa1b2cd34, .recordExtra = 8}, 1'700'000'000'000'123'000, 6},
        {{.magic = 0xa1b2cd34, .recordExtra = 12}, 1'700'000'000'000'123'000, 6},
        {{.magic = 0xa1b2c3d4, .recordExtra = 8}, 1'700'000'000'000'123'000, 6},
        {{.magic = 0xa1b2c3d4, .recordExtra = 4}, 1'700'000'000'000'123'000, 6},
        {{.magic = 0x1c0001ab, .headerExtra = 4}, 1'700'000'000'000'123'000, 6},
        {{.magic = 0x1c0001ac, .headerExtra = 4}, 1'700'000'000'000'000'123, 9},
    };
    for (const auto& c : cases) {
        for (const bool bigEndian : {false, true}) {
            SCOPED_TRACE(testing::Message() << std::hex << c.variant.magic << " +" << c.variant.recordExtra
                                            << (bigEndian ? " big endian" : " little endian"));
            PcapVariant variant = c.variant;
            variant.bigEndian = bigEndian;
            PcapText text(variant);
            text.packet(1'700'000'000, 123, "first")
                .record(1'700'000'001, 0, 6, 900, "second")
                .packet(1'700'000'002, 5, "");
            const auto source = open({write("a.pcap", text.bytes())});
            const auto packets = readAll(*source);
            ASSERT_EQ(packets.size(), 3U);
            EXPECT_EQ(packets[0].number.value, 1U);
            EXPECT_EQ(packets[0].time, at(c.nanoseconds));
            EXPECT_EQ(packets[0].timeDigits, c.digits);
            EXPECT_EQ(packets[0].linkType, 1U);
            EXPECT_EQ(textOf(packets[0]), "first");
            EXPECT_EQ(textOf(packets[1]), "second");
            EXPECT_EQ(packets[1].originalLength, 900U);
            EXPECT_EQ(packets[2].bytes.size(), 0U);
            EXPECT_TRUE(source->info().damage.empty());
            EXPECT_EQ(source->info().packets, 3U);
            EXPECT_EQ(source->info().cutPackets, 1U);
            EXPECT_EQ(source->info().capturedBytes, 11U);
            EXPECT_EQ(source->info().originalBytes, 905U);
        }
    }
}

TEST_F(PcapReaderTest, takesTheLinkTypeWithoutTheBitsAboveIt) {
    const auto source = open({write("a.pcap", PcapText({.linkType = 0xf4000071}).packet(1, 2, "x").bytes())});
    EXPECT_EQ(readAll(*source).at(0).linkType, 0x71U);
    EXPECT_EQ(source->info().interfaces.at(0).linkType, 0x71U);
}

TEST_F(PcapReaderTest, acceptsSnapLengthsThatAreNotKept) {
    for (const std::uint32_t snapLength : {0U, 3U, 0xffffffffU}) {
        const auto source =
            open({write("a.pcap", PcapText({.snapLength = snapLength}).packet(1, 2, "longer").bytes())});
        EXPECT_EQ(textOf(readAll(*source).at(0)), "longer");
        EXPECT_EQ(source->info().interfaces.at(0).snapLength, snapLength);
        EXPECT_EQ(source->info().cutPackets, 0U);
    }
}

TEST_F(PcapReaderTest, neverTakesAPacketForShorterThanWhatWasCaptured) {
    const auto source = open({write("a.pcap", PcapText().record(1, 2, 4, 0, "four").bytes())});
    const Packet packet = readAll(*source).at(0);
    EXPECT_EQ(textOf(packet), "four");
    EXPECT_EQ(packet.originalLength, 4U);
}

TEST_F(PcapReaderTest, readsOldFilesWhoseLengthsChangedPlaces) {
    const auto source =
        open({write("a.pcap", PcapText({.minor = 2}).record(1, 2, 100, 4, "four").packet(2, 0, "b").bytes())});
    const auto packets = readAll(*source);
    ASSERT_EQ(packets.size(), 2U);
    EXPECT_EQ(textOf(packets[0]), "four");
    EXPECT_EQ(packets[0].originalLength, 100U);
}

TEST_F(PcapReaderTest, stopsAtARecordHeaderThatMakesNoSense) {
    const std::string whole = PcapText().packet(1, 2, "good").bytes();
    const auto source =
        open({write("a.pcap", PcapText().packet(1, 2, "good").record(3, 4, 0xdeadbeef, 5, "bad").bytes())});
    EXPECT_EQ(readAll(*source).size(), 1U);
    ASSERT_EQ(source->info().damage.size(), 1U);
    const Error& damage = source->info().damage.front();
    EXPECT_EQ(damage.where, path("a.pcap"));
    EXPECT_EQ(damage.offset, whole.size());
    EXPECT_EQ(damage.what,
              "the header of packet 2 is damaged, it claims 3735928559 captured bytes; the last 19 bytes of "
              "the file cannot be read");
    Packet packet;
    EXPECT_FALSE(source->next(packet));
    EXPECT_EQ(source->info().damage.size(), 1U) << "damage is told once, however often the end is asked for";
}

TEST_F(PcapReaderTest, takesAZeroedTailForDamageNotForPackets) {
    const std::string whole = PcapText().packet(1, 2, "good").bytes();
    const auto source = open({write("a.pcap", whole + std::string(4096, '\0'))});
    EXPECT_EQ(readAll(*source).size(), 1U);
    ASSERT_EQ(source->info().damage.size(), 1U);
    EXPECT_EQ(source->info().damage[0].offset, whole.size());
    EXPECT_THAT(source->info().damage[0].what, HasSubstr("zeros stand where packet 2 should begin"));
}

TEST_F(PcapReaderTest, givesAllPacketsBeforeTheByteWhereTheFileIsCut) {
    const std::string whole = contentOf(sample("capture.pcap"));
    std::vector<std::size_t> ends; // of the packets
    {
        const auto source = open({sample("capture.pcap")});
        const std::uint8_t* start = nullptr;
        for (const Packet& packet : readAll(*source)) {
            if (!start) start = packet.bytes.data() - 40;
            ends.push_back(static_cast<std::size_t>(packet.bytes.data() + packet.bytes.size() - start));
        }
    }
    ASSERT_EQ(ends.size(), 140U);
    ASSERT_EQ(ends.back(), whole.size());
    for (std::size_t length = 0; length <= 2000; ++length) {
        SCOPED_TRACE(length);
        const std::string file = write("cut.pcap", whole.substr(0, length));
        if (length == 0) {
            EXPECT_EQ(openError(file), file + " is empty");
            continue;
        }
        if (length < 4) {
            EXPECT_THAT(openError(file), HasSubstr(file + " is too short for a capture file"));
            continue;
        }
        if (length < 24) {
            EXPECT_EQ(openError(file),
                      file + " ends inside its first header: " + std::to_string(length) + " of 24 bytes are there");
            continue;
        }
        const auto source = open({file});
        const auto expected = std::upper_bound(ends.begin(), ends.end(), length) - ends.begin();
        EXPECT_EQ(readAll(*source).size(), static_cast<std::size_t>(expected));
        const bool whereAPacketEnds = length == 24 || std::find(ends.begin(), ends.end(), length) != ends.end();
        ASSERT_EQ(source->info().damage.empty(), whereAPacketEnds);
        if (whereAPacketEnds) continue;
        EXPECT_EQ(source->info().damage[0].offset, length);
        EXPECT_THAT(source->info().damage[0].what,
                    HasSubstr("the file ends inside packet " + std::to_string(expected + 1)));
    }
}

TEST_F(PcapReaderTest, readsTheSmallCaptures) {
    for (const auto& [name, packets, digits, linkType] :
         std::vector<std::tuple<std::string, std::size_t, unsigned, unsigned>>{{"capture.pcap", 140, 6, 1},
                                                                               {"capture-bigendian.pcap", 140, 6, 1},
                                                                               {"capture-nano.pcap", 140, 9, 1},
                                                                               {"capture-vlan.pcap", 140, 6, 1},
                                                                               {"capture-qinq.pcap", 140, 6, 1},
                                                                               {"capture-sll.pcap", 140, 6, 113},
                                                                               {"capture-sll2.pcap", 140, 6, 276},
                                                                               {"capture-cutoff.pcap", 90, 6, 1}}) {
        SCOPED_TRACE(name);
        const auto source = open({sample(name)});
        const auto all = readAll(*source);
        EXPECT_EQ(all.size(), packets);
        EXPECT_EQ(all.at(0).timeDigits, digits);
        EXPECT_EQ(all.at(0).linkType, linkType);
        EXPECT_EQ(source->info().damage.size(), name == "capture-cutoff.pcap" ? 1U : 0U);
    }
}

} // namespace
} // namespace brokerscope
