// SPDX-License-Identifier: Apache-2.0
// Several files as one capture.
#include "tests/capture/file_fixture.h"

#include <gmock/gmock.h>

#include <sstream>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FileCaptureTest : public CaptureFileTest {
  protected:
    static std::vector<std::string> textsOf(PacketSource& source) {
        std::vector<std::string> texts;
        std::uint64_t number = 0;
        for (const Packet& packet : readAll(source)) {
            EXPECT_EQ(packet.number.value, ++number);
            texts.emplace_back(textOf(packet));
        }
        return texts;
    }
};

TEST_F(FileCaptureTest, mergesFilesInTheOrderOfTimeAndKeepsEqualTimesInTheOrderOfTheFiles) {
    const std::string a = write("a", PcapText().packet(1, 0, "a1").packet(3, 0, "a3").packet(3, 0, "a3+").bytes());
    const std::string b =
        write("b", PcapText({.magic = 0xa1b23c4d, .bigEndian = true}).packet(2, 0, "b2").packet(3, 0, "b3").bytes());
    PcapngText ng;
    ng.interface(113).packet(0, 500'000, "c0").packet(0, 9'000'000, "c9");
    const std::string c = write("c", ng.bytes);
    const auto source = open({a, b, c});
    EXPECT_THAT(textsOf(*source), ElementsAre("c0", "a1", "b2", "a3", "a3+", "b3", "c9"));
    const auto other = open({b, c, a});
    EXPECT_THAT(textsOf(*other), ElementsAre("c0", "a1", "b2", "b3", "a3", "a3+", "c9"));
    EXPECT_EQ(source->info().packets, 7U);
    EXPECT_EQ(source->info().interfaces.size(), 3U);
    EXPECT_EQ(source->info().interfaces[1].file, b);
    const auto size = [&](const std::string& file) { return std::filesystem::file_size(file); };
    EXPECT_EQ(source->progress().bytesTotal, size(a) + size(b) + size(c));
    EXPECT_EQ(source->progress().bytesRead, size(a) + size(b) + size(c));
}

TEST_F(FileCaptureTest, keepsTheOrderInsideAFileWhereItsTimesGoBack) {
    const std::string a = write("a", PcapText().packet(5, 0, "a5").packet(1, 0, "a1").packet(6, 0, "a6").bytes());
    const std::string b = write("b", PcapText().packet(2, 0, "b2").packet(7, 0, "b7").bytes());
    EXPECT_THAT(textsOf(*open({a, b})), ElementsAre("b2", "a5", "a1", "a6", "b7"));
}

TEST_F(FileCaptureTest, givesEachPacketTheInterfaceAndTheCommentsOfItsFile) {
    PcapngText first, second;
    first.interface(1).packet(0, 1, "a", first.option(1, "about a")).packet(0, 3, "c");
    second.interface(12).packet(0, 2, "b").packet(0, 4, "d", second.option(1, "about d"));
    const auto source = open({write("a", first.bytes), write("b", second.bytes)});
    std::vector<std::string> seen;
    for (Packet packet; source->next(packet);) {
        std::ostringstream line;
        line << textOf(packet) << packet.interface << ":" << packet.linkType;
        for (const std::string_view comment : source->packetComments())
            line << " " << comment;
        seen.push_back(line.str());
    }
    EXPECT_THAT(seen, ElementsAre("a0:1 about a", "b1:12", "c0:1", "d1:12 about d"));
    EXPECT_EQ(source->info().commentedPackets, 2U);
}

TEST_F(FileCaptureTest, readsOnWhereOneOfTheFilesIsDamaged) {
    const std::string whole = PcapText().packet(1, 0, "a1").packet(9, 0, "a9").bytes();
    const std::string a = write("a", whole.substr(0, whole.size() - 1));
    const std::string b = write("b", PcapText().packet(2, 0, "b2").packet(3, 0, "b3").bytes());
    const auto source = open({a, b});
    EXPECT_THAT(textsOf(*source), ElementsAre("a1", "b2", "b3"));
    ASSERT_EQ(source->info().damage.size(), 1U);
    EXPECT_EQ(source->info().damage[0].where, a);
    EXPECT_EQ(source->info().damage[0].offset, whole.size() - 1);
}

TEST_F(FileCaptureTest, refusesWhenOneOfTheFilesIsNoCapture) {
    const std::string paths[] = {write("a", PcapText().bytes()), write("b", "a text")};
    const auto opened = openCapture(paths);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().what, HasSubstr(paths[1] + " is not a capture file"));
}

TEST_F(FileCaptureTest, mergesACaptureThatWasSplitIntoTheSameAgain) {
    const std::string whole = contentOf(sample("capture.pcap"));
    const auto expected = readAll(*open({sample("capture.pcap")}));
    std::string parts[3] = {whole.substr(0, 24), whole.substr(0, 24), whole.substr(0, 24)};
    for (std::size_t i = 0, position = 24; i < expected.size(); ++i) {
        const std::size_t size = 16 + expected[i].originalLength;
        parts[i * 7 % 3] += whole.substr(position, size);
        position += size;
    }
    const auto merged = open({write("a", parts[0]), write("b", parts[1]), write("c", parts[2])});
    const auto source = open({sample("capture.pcap")});
    for (Packet packet, other; source->next(packet);) {
        ASSERT_TRUE(merged->next(other));
        EXPECT_EQ(other.number, packet.number);
        EXPECT_EQ(other.time, packet.time);
        EXPECT_EQ(textOf(other), textOf(packet));
    }
}

} // namespace
} // namespace brokerscope
