// SPDX-License-Identifier: Apache-2.0
// What people are told about files that cannot be read.
#include "tests/capture/file_fixture.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/stat.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;

class OpenInputTest : public CaptureFileTest {};

TEST_F(OpenInputTest, saysWithWhatAFileStartsThatIsNoCapture) {
    const std::string file = write("notes.txt", "hello");
    EXPECT_EQ(openError(file), file + " is not a capture file: it starts with 68 65 6c 6c. Brokerscope reads pcap and "
                                      "pcapng, also .gz and .zst");
    const std::string named = write("lies.pcap", "hello, I am a text");
    EXPECT_THAT(openError(named), HasSubstr(named + " is not a capture file"));
}

TEST_F(OpenInputTest, tellsWhatToDoWithFormatsThatPeopleMayTry) {
    const std::string snoop = write("a.pcap", std::string("snoop\0\0\0\0\0\0\2", 12));
    EXPECT_EQ(openError(snoop), snoop + " is not a capture file that Brokerscope reads: it is a snoop file, convert it "
                                        "with editcap -F pcapng");
    EXPECT_THAT(openError(write("b", "\xfd"
                                     "7zXZ....")),
                HasSubstr("xz -d"));
    EXPECT_THAT(openError(write("c", "BZh91AY")), HasSubstr("bzip2 -d"));
    EXPECT_THAT(openError(write("d", "\x04\x22\x4d\x18....")), HasSubstr("lz4 -d"));
    EXPECT_THAT(openError(write("e", "PK\x03\x04")), HasSubstr("unpack it"));
}

TEST_F(OpenInputTest, saysThatAFileIsEmptyOrTooShort) {
    const std::string empty = write("x.pcap", "");
    EXPECT_EQ(openError(empty), empty + " is empty");
    const std::string one = write("y.pcap", "\xd4");
    EXPECT_EQ(openError(one), one + " is too short for a capture file: it has only 1 byte");
}

TEST_F(OpenInputTest, saysThatAPathIsADirectoryOrMissing) {
    EXPECT_EQ(openError(m_folder), m_folder.string() + " is a directory; give the capture files in it");
    EXPECT_EQ(openError(path("none.pcap")), path("none.pcap") + " does not exist");
    EXPECT_THAT(openError(write("file", "x") + "/below"), HasSubstr("Not a directory"));
}

TEST_F(OpenInputTest, saysThatAFileMayNotBeRead) {
    const std::string file = write("secret.pcap", PcapText().bytes());
    ASSERT_EQ(chmod(file.c_str(), 0), 0);
    // The administrator may read everything; somebody else is asked.
    const bool administrator = geteuid() == 0;
    ASSERT_EQ(seteuid(administrator ? 65534 : geteuid()), 0);
    const std::string error = openError(file);
    ASSERT_EQ(seteuid(administrator ? 0 : geteuid()), 0);
    EXPECT_EQ(error, file + " may not be read by you: permission denied");
}

TEST_F(OpenInputTest, wantsAtLeastOneFile) {
    const auto opened = openCapture({});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().what, "no capture file is given");
}

TEST_F(OpenInputTest, mapsStandardInputWhenThatIsAFileAndReadsOnWhereItStands) {
    const std::string capture = PcapText().packet(1, 2, "packet").bytes();
    const int whole = ::open(write("a.pcap", capture).c_str(), O_RDONLY);
    const int further = ::open(write("b.pcap", "a script read this line\n" + capture).c_str(), O_RDONLY);
    lseek(further, 24, SEEK_SET);
    for (const int descriptor : {whole, further}) {
        OpenOptions options;
        options.standardInput = descriptor;
        const auto source = open({"-"}, options);
        close(descriptor);
        const auto packets = readAll(*source);
        ASSERT_EQ(packets.size(), 1U);
        EXPECT_EQ(textOf(packets[0]), "packet");
        EXPECT_EQ(source->progress().bytesRead, capture.size());
        EXPECT_EQ(source->progress().bytesTotal.has_value(), descriptor == whole);
    }
}

TEST_F(OpenInputTest, stopsWhereAFileThatShrinksEnds) {
    const std::string record(100'000, 'r');
    PcapText text;
    for (int i = 0; i < 200; ++i)
        text.packet(1, 2, record);
    const std::string file = write("a.pcap", text.bytes());
    const auto source = open({file});
    Packet packet;
    ASSERT_TRUE(source->next(packet));
    ASSERT_EQ(truncate(file.c_str(), 12'000'000), 0);
    EXPECT_EQ(readAll(*source).size(), 12'000'000 / 100'016 - 1U);
    ASSERT_EQ(source->info().damage.size(), 1U);
    EXPECT_EQ(toString(source->info().damage[0]),
              file + ": the file shrank from 20003224 to 12000000 bytes while it was read; this is inside packet 120, "
                     "nothing from there on can be read (at byte 12000000)");
}

} // namespace
} // namespace brokerscope
