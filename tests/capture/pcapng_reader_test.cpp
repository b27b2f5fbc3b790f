// SPDX-License-Identifier: Apache-2.0
#include "capture/files/pcapng_reader.h"

#include "tests/capture/file_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PcapngReaderTest : public CaptureFileTest {
  protected:
    // The one damage of a file with these bytes, after as many packets as expected.
    Error damageOf(const std::string& bytes, std::size_t packets) {
        const auto source = open({write("damaged.pcapng", bytes)});
        EXPECT_EQ(readAll(*source).size(), packets);
        EXPECT_EQ(source->info().damage.size(), 1U);
        return source->info().damage.empty() ? Error{} : source->info().damage.front();
    }
};

TEST_F(PcapngReaderTest, readsEveryKindOfPacketBlockInBothByteOrders) {
    for (const bool bigEndian : {false, true}) {
        PcapngText text(bigEndian);
        text.interface(113).interface(1, text.option(9, "\x09"), 5);
        text.packet(0, 1'700'000'000'000'001, "odd", {}, 77).obsoletePacket(1, 1'700'000'000'000'000'002, "older");
        text.simplePacket(3, "one");
        const auto source = open({write("a.pcapng", text.bytes)});
        const auto packets = readAll(*source);
        ASSERT_EQ(packets.size(), 3U);
        EXPECT_EQ(packets[0].time, at(1'700'000'000'000'001'000));
        EXPECT_EQ(packets[0].timeDigits, 6);
        EXPECT_EQ(packets[0].linkType, 113);
        EXPECT_EQ(packets[0].originalLength, 77U);
        EXPECT_EQ(textOf(packets[0]), "odd");
        EXPECT_EQ(packets[1].time, at(1'700'000'000'000'000'002));
        EXPECT_EQ(packets[1].timeDigits, 9);
        EXPECT_EQ(packets[1].interface, 1U);
        EXPECT_EQ(packets[1].linkType, 1);
        EXPECT_EQ(textOf(packets[1]), "older");
        EXPECT_EQ(packets[2].interface, 0U);
        EXPECT_EQ(packets[2].time, packets[1].time) << "a simple packet has the time of the packet before";
        EXPECT_EQ(textOf(packets[2]), "one");
        EXPECT_EQ(packets[2].number.value, 3U);
        EXPECT_EQ(source->info().untimedPackets, 1U);
        EXPECT_EQ(source->info().cutPackets, 1U);
        EXPECT_THAT(source->info().damage, IsEmpty());
    }
}

TEST_F(PcapngReaderTest, cutsSimplePacketsByTheSnapLengthOfTheFirstInterface) {
    PcapngText text;
    text.interface(1, {}, 6).simplePacket(1000, "sixsix").simplePacket(2, "ab");
    const auto source = open({write("a.pcapng", text.bytes)});
    const auto packets = readAll(*source);
    ASSERT_EQ(packets.size(), 2U);
    EXPECT_EQ(textOf(packets[0]), "sixsix");
    EXPECT_EQ(packets[0].originalLength, 1000U);
    EXPECT_EQ(textOf(packets[1]), "ab");
}

TEST_F(PcapngReaderTest, countsInterfacesOverSectionsOfDifferentByteOrder) {
    PcapngText text;
    text.interface(1).packet(0, 1, "a");
    text.section(true).interface(101).interface(113).packet(1, 2, "b").packet(0, 3, "c");
    text.section(false).interface(12).packet(0, 4, "d");
    const auto source = open({write("a.pcapng", text.bytes)});
    std::vector<std::pair<unsigned, unsigned>> seen;
    for (const Packet& packet : readAll(*source))
        seen.emplace_back(packet.interface, packet.linkType);
    EXPECT_THAT(seen, ElementsAre(std::pair(0U, 1U), std::pair(2U, 113U), std::pair(1U, 101U), std::pair(3U, 12U)));
    EXPECT_EQ(source->info().interfaces.size(), 4U);
}

TEST_F(PcapngReaderTest, keepsWhatTheCaptureSaysOfItself) {
    PcapngText text;
    text.bytes.clear();
    text.section(false, text.option(2, "a machine") + text.option(3, "an OS") + text.option(4, "a program") +
                            text.option(1, "about the file") + text.option(0, ""));
    text.interface(1, text.option(2, "eth0") + text.option(3, "the first") + text.option(11, std::string("\0tcp", 4)) +
                          text.option(1, "about eth0") + text.option(0x8bad, "unknown"));
    text.block(0x0bad, "someone else's..").block(4, std::string(4, '\0')).block(0x80000001, "local");
    text.secrets(0x544c534b, "CLIENT_RANDOM 00 11\n");
    text.secrets(0x57474b4c, "of WireGuard, not TLS");
    text.packet(0, 1, "p", text.option(1, "look") + text.option(1, "twice") + text.option(0, ""));
    text.packet(0, 2, "q");
    text.secrets(0x544c534b, "CLIENT_RANDOM 22 33");
    text.packet(0, 3, "r");
    text.statistics(0, text.option(4, text.numbers().u64(1000).bytes) + text.option(5, text.numbers().u64(7).bytes) +
                           text.option(7, text.numbers().u64(8).bytes) + text.option(8, text.numbers().u64(985).bytes));
    const auto source = open({write("a.pcapng", text.bytes)});
    const CaptureInfo& info = source->info();
    EXPECT_EQ(info.hardware, "a machine");
    EXPECT_EQ(info.operatingSystem, "an OS");
    EXPECT_EQ(info.application, "a program");

    Packet packet;
    ASSERT_TRUE(source->next(packet));
    EXPECT_THAT(source->packetComments(), ElementsAre("look", "twice"));
    EXPECT_EQ(info.keyLog, "CLIENT_RANDOM 00 11\n") << "secrets are there as soon as they are passed";
    ASSERT_TRUE(source->next(packet));
    EXPECT_THAT(source->packetComments(), IsEmpty());
    ASSERT_TRUE(source->next(packet));
    EXPECT_FALSE(source->next(packet));

    EXPECT_EQ(info.keyLog, "CLIENT_RANDOM 00 11\nCLIENT_RANDOM 22 33\n");
    EXPECT_THAT(info.comments, ElementsAre("about the file", "about eth0"));
    EXPECT_EQ(info.commentedPackets, 1U);
    ASSERT_EQ(info.interfaces.size(), 1U);
    EXPECT_EQ(info.interfaces[0].name, "eth0");
    EXPECT_EQ(info.interfaces[0].description, "the first");
    EXPECT_EQ(info.interfaces[0].filter, "tcp");
    EXPECT_EQ(info.interfaces[0].file, path("a.pcapng"));
    EXPECT_EQ(info.interfaces[0].counts.received, 1000U);
    EXPECT_EQ(info.interfaces[0].counts.droppedByInterface, 7U);
    EXPECT_EQ(info.interfaces[0].counts.droppedBySystem, 8U);
    EXPECT_EQ(info.interfaces[0].counts.delivered, 985U);
    EXPECT_EQ(info.interfaces[0].counts.accepted, std::nullopt);
}

TEST_F(PcapngReaderTest, appliesResolutionAndOffsetOfEachInterface) {
    PcapngText text;
    text.interface(1, text.option(9, "\x03") + text.option(14, text.numbers().u64(-3600).bytes));
    text.interface(1, text.option(9, std::string(1, '\x94')) + text.option(14, text.numbers().u64(1000).bytes));
    text.packet(0, 3'601'250, "a").packet(1, 3 << 19, "b");
    const auto packets = readAll(*open({write("a.pcapng", text.bytes)}));
    ASSERT_EQ(packets.size(), 2U);
    EXPECT_EQ(packets[0].time, at(1'250'000'000));
    EXPECT_EQ(packets[0].timeDigits, 6);
    EXPECT_EQ(packets[1].time, at(1'001'500'000'000));
    EXPECT_EQ(packets[1].timeDigits, 9);
}

TEST_F(PcapngReaderTest, deliversPacketsWhoseOptionsAreBroken) {
    PcapngText text;
    text.interface(1, text.numbers().u16(2).u16(60000).bytes);
    text.packet(0, 1, "a", text.numbers().u16(1).u16(400).text("abcd").bytes);
    text.packet(0, 2, "b", text.option(1, "fine"));
    const auto source = open({write("a.pcapng", text.bytes)});
    EXPECT_EQ(readAll(*source).size(), 2U);
    EXPECT_EQ(source->info().commentedPackets, 1U);
    EXPECT_THAT(source->info().damage, IsEmpty());
}

TEST_F(PcapngReaderTest, acceptsLengthsThatLeaveThePaddingOut) {
    PcapngText text;
    text.interface(1);
    text.bytes += FileBytes().u32(3).u32(19).u32(3).text("abc?").u32(19).bytes;
    text.bytes += FileBytes().u32(0x0bad).u32(15).text("abc?").u32(16).bytes;
    text.simplePacket(4, "last");
    const auto source = open({write("a.pcapng", text.bytes)});
    const auto packets = readAll(*source);
    ASSERT_EQ(packets.size(), 2U);
    EXPECT_EQ(textOf(packets[0]), "abc");
    EXPECT_EQ(textOf(packets[1]), "last");
}

TEST_F(PcapngReaderTest, saysWhatIsWrongWithABlockAndWhere) {
    PcapngText good;
    good.interface(1).packet(0, 1, "good");
    const std::size_t size = good.bytes.size();
    const auto block = [](std::uint32_t type, std::uint32_t length, std::uint32_t lengthAgain,
                          const std::string& body) {
        return FileBytes().u32(type).u32(length).text(body).u32(lengthAgain).bytes;
    };
    const std::string zeros(40, '\0');
    struct {
        std::string bytes;
        const char* complaint;
    } const cases[] = {
        {block(6, 8, 8, zeros), "its length is less than a block can have"},
        {block(6, 0xfffffff0, 0, zeros), "its length is more than 128 MiB"},
        {block(6, 52, 56, zeros), "its length is not the same at its start and its end"},
        {PcapngText().bytes.substr(0, 8) + zeros, "the mark of its byte order is none"},
        {block(0x0a0d0d0a, 28, 28, FileBytes().u32(0x1a2b3c4d).u16(7).u16(0).u64(0).bytes), "not known"},
        {block(6, 28, 28, std::string(16, '\0')), "it is too short for a packet"},
        {block(3, 12, 12, ""), "it is too short for a packet"},
        {block(1, 12, 12, ""), "it is too short for an interface"},
        {block(6, 52, 52, FileBytes().u32(3).text(std::string(36, '\0')).bytes), "it names an interface"},
        {block(6, 52, 52, FileBytes().u32(0).u64(0).u32(21).u32(21).text(zeros.substr(20)).bytes),
         "it claims more captured bytes than it has"},
        {block(3, 16, 16, FileBytes().u32(1).bytes), "it claims more captured bytes than it has"},
    };
    for (const auto& c : cases) {
        const Error damage = damageOf(good.bytes + c.bytes, 1);
        EXPECT_THAT(damage.what, HasSubstr("the block behind packet 1 is damaged, "));
        EXPECT_THAT(damage.what, HasSubstr(c.complaint));
        EXPECT_THAT(damage.what,
                    HasSubstr("; the last " + std::to_string(c.bytes.size()) + " bytes of the file cannot"));
        EXPECT_EQ(damage.offset, size);
        EXPECT_EQ(damage.where, path("damaged.pcapng"));
    }
    EXPECT_THAT(damageOf(PcapngText().simplePacket(1, "x").bytes, 0).what,
                HasSubstr("a block before the first packet is damaged, it comes before any interface"));
}

TEST_F(PcapngReaderTest, givesAllPacketsBeforeTheByteWhereTheFileIsCut) {
    PcapngText text;
    std::vector<std::size_t> ends{text.bytes.size()}, packetEnds;
    const auto note = [&](bool packet) {
        ends.push_back(text.bytes.size());
        if (packet) packetEnds.push_back(text.bytes.size());
    };
    text.interface(1, text.option(2, "eth0"));
    note(false);
    for (int i = 0; i < 12; ++i) {
        text.packet(0, static_cast<std::uint64_t>(i), std::string(static_cast<std::size_t>(i) * 7, 'x'),
                    text.option(1, "c"));
        note(true);
        text.simplePacket(3, "abc");
        note(true);
        text.statistics(0, text.option(4, "12345678"));
        note(false);
    }
    ASSERT_GT(text.bytes.size(), 1500U);
    for (std::size_t length = 4; length < text.bytes.size(); ++length) {
        SCOPED_TRACE(length);
        const std::string file = write("cut.pcapng", text.bytes.substr(0, length));
        if (length < 28) {
            EXPECT_EQ(openError(file),
                      file + " ends inside its first header: " + std::to_string(length) + " of 28 bytes are there");
            continue;
        }
        const auto source = open({file});
        const auto expected = std::upper_bound(packetEnds.begin(), packetEnds.end(), length) - packetEnds.begin();
        EXPECT_EQ(readAll(*source).size(), static_cast<std::size_t>(expected));
        const bool whereABlockEnds = std::find(ends.begin(), ends.end(), length) != ends.end();
        ASSERT_EQ(source->info().damage.empty(), whereABlockEnds);
        if (whereABlockEnds) continue;
        EXPECT_EQ(source->info().damage[0].offset, length);
        EXPECT_THAT(source->info().damage[0].what, HasSubstr("the file ends inside "));
    }
}

TEST_F(PcapngReaderTest, boundsWhatAHostileFileMakesItKeep) {
    PcapngText text;
    for (std::size_t i = 0; i <= PcapngReader::mostInterfaces; ++i)
        text.interface(1);
    const auto many = open({write("a.pcapng", text.bytes)});
    EXPECT_THAT(readAll(*many), IsEmpty());
    EXPECT_EQ(many->info().interfaces.size(), PcapngReader::mostInterfaces);
    ASSERT_EQ(many->info().damage.size(), 1U);
    EXPECT_THAT(many->info().damage[0].what, HasSubstr("there are more than 65536 interfaces"));

    PcapngText talkative;
    talkative.interface(1);
    std::string comments;
    for (int i = 0; i < 200; ++i)
        comments += talkative.option(1, std::string(60000, 'c'));
    talkative.section(false, comments).interface(1).packet(0, 1, "p", comments);
    const auto source = open({write("b.pcapng", talkative.bytes)});
    Packet packet;
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(source->packetComments().size(), PcapngReader::mostPacketComments);
    std::size_t kept = 0;
    for (const std::string& comment : source->info().comments)
        kept += comment.size();
    EXPECT_LE(kept, PcapngReader::mostTextBytes);
    EXPECT_GT(kept, PcapngReader::mostTextBytes / 2);
}

TEST_F(PcapngReaderTest, refusesAFileWhoseFirstHeaderIsBroken) {
    const std::string noMark = write("a.pcapng", patched(PcapngText().bytes, 8, "????"));
    EXPECT_EQ(openError(noMark),
              noMark + " starts like pcapng, but its first header is damaged: the mark of its byte order is none");
    const std::string version = write("b.pcapng", patched(PcapngText().bytes, 12, "\x05"));
    EXPECT_THAT(openError(version), HasSubstr("it is of a version of pcapng that is not known"));
    const std::string minor = write("d.pcapng", patched(PcapngText().bytes, 14, "\x01"));
    EXPECT_THAT(openError(minor), HasSubstr("it is of a version of pcapng that is not known"));
    EXPECT_EQ(openError(write("e.pcapng", patched(PcapngText().bytes, 14, "\x02"))), "it was opened");
    const std::string length = write("c.pcapng", patched(PcapngText().bytes, 4, "\xff\xff\xff\xff"));
    EXPECT_THAT(openError(length), HasSubstr("its length is more than 128 MiB"));
}

TEST_F(PcapngReaderTest, readsTheSmallCaptures) {
    const auto three = open({sample("capture-three-interfaces.pcapng")});
    EXPECT_EQ(readAll(*three).size(), 140U);
    EXPECT_EQ(three->info().interfaces.size(), 3U);
    EXPECT_THAT(three->info().application, HasSubstr("Dumpcap"));
    EXPECT_FALSE(three->info().interfaces[2].name.empty());
    EXPECT_TRUE(three->info().interfaces[2].counts.received.has_value());
    EXPECT_THAT(three->info().damage, IsEmpty());

    const auto duplicates = open({sample("capture-duplicates.pcapng")});
    EXPECT_EQ(readAll(*duplicates).size(), 280U);
    EXPECT_THAT(duplicates->info().damage, IsEmpty());
}

} // namespace
} // namespace brokerscope
