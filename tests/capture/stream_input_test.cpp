// SPDX-License-Identifier: Apache-2.0
// Compressed files, pipes and FIFOs.
#include "tests/capture/compressed.h"
#include "tests/capture/file_fixture.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <random>
#include <thread>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

class StreamInputTest : public CaptureFileTest {
  protected:
    // A capture of some megabytes that does not compress to nothing.
    static std::string bigCapture(int packets) {
        std::mt19937 random(7);
        PcapText text;
        for (int i = 0; i < packets; ++i) {
            std::string bytes(1000, '\0');
            for (char& c : bytes)
                c = static_cast<char>('a' + random() % 16);
            text.packet(static_cast<std::uint32_t>(i), 0, bytes);
        }
        return text.bytes();
    }
    static constexpr std::size_t bigRecord = 1016;
};

class Pipe {
  public:
    Pipe() { EXPECT_EQ(::pipe(m_ends), 0); }
    ~Pipe() {
        finish();
        close(m_ends[0]);
    }
    void write(std::string_view bytes) {
        EXPECT_EQ(::write(m_ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    // As much as there is room for, without waiting.
    std::size_t writeSome(std::string_view bytes) {
        fcntl(m_ends[1], F_SETFL, O_NONBLOCK);
        const ssize_t written = ::write(m_ends[1], bytes.data(), bytes.size());
        return written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    void finish() {
        if (m_ends[1] >= 0) close(m_ends[1]);
        m_ends[1] = -1;
    }
    OpenOptions asStandardInput() const {
        OpenOptions options;
        options.standardInput = m_ends[0];
        return options;
    }

  private:
    int m_ends[2] = {-1, -1};
};

TEST_F(StreamInputTest, readsCompressedCapturesWhateverTheirName) {
    for (const char* name : {"capture.pcap.gz", "capture.pcap.zst"}) {
        const auto plain = open({sample("capture.pcap")}), compressed = open({sample(name)});
        const auto expected = readAll(*plain), packets = readAll(*compressed);
        ASSERT_EQ(packets.size(), 140U);
        for (std::size_t i = 0; i < packets.size(); ++i) {
            EXPECT_EQ(textOf(packets[i]), textOf(expected[i]));
            EXPECT_EQ(packets[i].time, expected[i].time);
        }
        EXPECT_THAT(compressed->info().damage, IsEmpty());
        EXPECT_EQ(compressed->progress().bytesRead, std::filesystem::file_size(sample(name)));
        EXPECT_EQ(compressed->progress().bytesTotal, std::filesystem::file_size(sample(name)));
    }
    PcapngText text;
    text.interface(1).packet(0, 1, "p");
    EXPECT_EQ(readAll(*open({write("plain.pcap", gzipped(text.bytes))})).size(), 1U);
}

TEST_F(StreamInputTest, readsMembersAndFramesInARow) {
    const std::string capture = bigCapture(3000);
    const std::string parts[] = {capture.substr(0, 30), capture.substr(30, 1'000'000), capture.substr(1'000'030)};
    std::string gzip, zstd("\x50\x2a\x4d\x18\x04\0\0\0skip", 12);
    for (const std::string& part : parts) {
        gzip += gzipped(part) + gzipped("");
        zstd += zstandard(part) + zstandard("");
    }
    for (const std::string& file :
         {write("a.gz", gzip), write("b.gz", gzip + std::string(512, '\0')), write("c.zst", zstd)}) {
        const auto source = open({file});
        EXPECT_EQ(readAll(*source).size(), 3000U);
        EXPECT_THAT(source->info().damage, IsEmpty());
    }
}

TEST_F(StreamInputTest, decompressesFarMoreThanItsBuffersHold) {
    PcapText text;
    for (int i = 0; i < 500; ++i)
        text.packet(1, 2, std::string(20'000, 'z'));
    for (const std::string& file : {write("a.gz", gzipped(text.bytes())), write("a.zst", zstandard(text.bytes()))}) {
        const auto source = open({file});
        const auto packets = readAll(*source);
        ASSERT_EQ(packets.size(), 500U);
        EXPECT_EQ(textOf(packets[1]), std::string(20'000, 'z')) << "bytes stay where they are while the input grows";
        EXPECT_THAT(source->info().damage, IsEmpty());
    }
}

TEST_F(StreamInputTest, givesWhatComesBeforeTheByteWhereCompressedDataIsCut) {
    const std::string capture = bigCapture(3000);
    for (const auto& [name, whole] :
         {std::pair("cut.gz", gzipped(capture)), std::pair("cut.zst", zstandard(capture))}) {
        for (const std::size_t length : {whole.size() / 3, whole.size() - 9, whole.size() - 1}) {
            SCOPED_TRACE(testing::Message() << name << " " << length);
            const auto source = open({write(name, whole.substr(0, length))});
            const std::size_t packets = readAll(*source).size();
            // zstd gives whole blocks of 128 KiB
            EXPECT_GE((packets + 130) * bigRecord, capture.size() * length / whole.size() - 40'000);
            ASSERT_EQ(source->info().damage.size(), 1U);
            EXPECT_THAT(source->info().damage[0].what, HasSubstr("the compressed data ends early"));
            EXPECT_EQ(source->info().damage[0].offset, length);
        }
    }
}

TEST_F(StreamInputTest, givesWhatComesBeforeDamagedCompressedData) {
    const std::string capture = bigCapture(3000);
    struct {
        std::string bytes;
        const char* complaint;
        std::size_t atLeast;
    } const cases[] = {
        {patched(gzipped(capture), 1'000'000, std::string(2000, '\xff')), "the gzip data is damaged", 1500},
        {patched(zstandard(capture), 1'000'000, std::string(200'000, '\xff')), "the zstd data is damaged", 1500},
        {gzipped(capture) + "what is this", "something that is not gzip follows the gzip data", 3000},
        {zstandard(capture) + "what is this", "the zstd data is damaged", 3000},
    };
    for (const auto& c : cases) {
        const auto source = open({write("damaged", c.bytes)});
        EXPECT_GE(readAll(*source).size(), c.atLeast) << c.complaint;
        ASSERT_EQ(source->info().damage.size(), 1U);
        EXPECT_THAT(source->info().damage[0].what, HasSubstr(c.complaint));
        EXPECT_GE(source->info().damage[0].offset, 800'000U);
        EXPECT_LE(source->info().damage[0].offset, c.bytes.size());
    }
}

TEST_F(StreamInputTest, saysThatTheCaptureInsideIsCut) {
    const std::string capture = PcapText().packet(1, 2, "whole").packet(1, 2, "not whole").bytes();
    const auto source = open({write("a.pcap.gz", gzipped(capture.substr(0, capture.size() - 4)))});
    EXPECT_EQ(readAll(*source).size(), 1U);
    ASSERT_EQ(source->info().damage.size(), 1U);
    EXPECT_EQ(source->info().damage[0].what, "the decompressed data ends inside packet 2; 4 bytes of it are missing");
}

TEST_F(StreamInputTest, saysWhatIsWrongWithCompressedFilesThatAreNoCaptures) {
    const std::string text = write("a.gz", gzipped("just text"));
    EXPECT_EQ(openError(text),
              text + " is not a capture file: decompressed, it starts with 6a 75 73 74. Brokerscope reads "
                     "pcap and pcapng, also .gz and .zst");
    const std::string twice = write("b.gz", gzipped(zstandard(PcapText().bytes())));
    EXPECT_THAT(openError(twice), HasSubstr("it is compressed twice"));
    const std::string empty = write("c.gz", gzipped(""));
    EXPECT_EQ(openError(empty), empty + " is empty");
    const std::string broken = write("d.gz", "\x1f\x8b\x08\xff....");
    EXPECT_THAT(openError(broken), HasSubstr(broken + " cannot be read: the gzip data is damaged"));
    const std::string cut = write("e.gz", gzipped(PcapText().bytes()).substr(0, 20));
    EXPECT_THAT(openError(cut), HasSubstr(cut + " cannot be read: the compressed data ends early"));
}

TEST_F(StreamInputTest, refusesAWindowThatWouldNeedTooMuchMemory) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 28);
    const std::string capture = PcapText().packet(1, 2, "x").bytes();
    std::string out(1000, '\0');
    ZSTD_inBuffer from{capture.data(), capture.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    ASSERT_EQ(ZSTD_compressStream2(context, &to, &from, ZSTD_e_flush), 0U); // not the end, or it would fit its size
    ZSTD_freeCCtx(context);
    EXPECT_THAT(openError(write("a.zst", out.substr(0, to.pos))), HasSubstr("zstd -d --long=31"));
}

TEST_F(StreamInputTest, handsAPacketOutAsSoonAsItIsComplete) {
    Pipe pipe;
    PcapText text;
    pipe.write(text.bytes());
    const auto source = open({"-"}, pipe.asStandardInput());
    EXPECT_FALSE(source->ready(0ms));
    const std::string record = PcapText().packet(1, 2, "first").bytes().substr(24);
    pipe.write(record.substr(0, 18));
    EXPECT_FALSE(source->ready(20ms));
    pipe.write(record.substr(18));
    EXPECT_TRUE(source->ready(0ms));
    EXPECT_TRUE(source->ready(0ms));
    Packet packet;
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(textOf(packet), "first");
    EXPECT_EQ(packet.number.value, 1U);

    std::thread writer([&] {
        std::this_thread::sleep_for(30ms);
        pipe.write(record);
        pipe.finish();
    });
    ASSERT_TRUE(source->next(packet)) << "next waits";
    EXPECT_EQ(packet.number.value, 2U);
    writer.join();
    EXPECT_TRUE(source->ready(10s)) << "the end is an answer, too";
    EXPECT_FALSE(source->next(packet));
    EXPECT_THAT(source->info().damage, IsEmpty());
    EXPECT_EQ(source->progress().bytesTotal, std::nullopt);
}

TEST_F(StreamInputTest, readsTheSameFromAPipeThatGivesOneByteAtATime) {
    PcapngText text;
    text.interface(1).packet(0, 1, "p", text.option(1, "note")).statistics(0, {}).packet(0, 2, "q");
    for (const std::string& bytes : {text.bytes, gzipped(text.bytes), zstandard(text.bytes)}) {
        Pipe pipe;
        std::thread writer([&] {
            for (const char byte : bytes) {
                pipe.write({&byte, 1});
                std::this_thread::yield();
            }
            pipe.finish();
        });
        const auto source = open({"-"}, pipe.asStandardInput());
        const auto packets = readAll(*source);
        writer.join();
        ASSERT_EQ(packets.size(), 2U);
        EXPECT_EQ(textOf(packets[1]), "q");
        EXPECT_EQ(source->info().commentedPackets, 1U);
        EXPECT_THAT(source->info().damage, IsEmpty());
    }
}

TEST_F(StreamInputTest, readsAFifo) {
    const std::string fifo = path("fifo");
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << contentOf(sample("capture.pcap")); });
    const auto source = open({fifo});
    EXPECT_EQ(readAll(*source).size(), 140U);
    writer.join();
}

TEST_F(StreamInputTest, saysThatAStreamIsCut) {
    Pipe pipe;
    const std::string capture = PcapText().packet(1, 2, "whole").packet(1, 2, "not whole").bytes();
    pipe.write(capture.substr(0, capture.size() - 4));
    pipe.finish();
    const auto source = open({"-"}, pipe.asStandardInput());
    EXPECT_EQ(readAll(*source).size(), 1U);
    ASSERT_EQ(source->info().damage.size(), 1U);
    EXPECT_EQ(toString(source->info().damage[0]), "standard input: the stream ends inside packet 2; 4 bytes of it are "
                                                  "missing (at byte " +
                                                      std::to_string(capture.size() - 4) + ")");
}

TEST_F(StreamInputTest, stopEndsTheWaitingWithoutDamage) {
    Pipe pipe;
    const std::string capture = PcapText().packet(1, 2, "whole").packet(1, 2, "not whole").bytes();
    pipe.write(capture.substr(0, capture.size() - 4));
    const auto source = open({"-"}, pipe.asStandardInput());
    std::thread stopper([&] {
        std::this_thread::sleep_for(30ms);
        source->stop();
    });
    EXPECT_EQ(readAll(*source).size(), 1U);
    stopper.join();
    EXPECT_THAT(source->info().damage, IsEmpty());
}

TEST_F(StreamInputTest, stopEndsAStreamThatNeverPauses) {
    Pipe pipe;
    pipe.write(PcapText().bytes());
    std::atomic<bool> over = false;
    std::thread writer([&] {
        const std::string record = PcapText().packet(1, 2, std::string(40'000, 'r')).bytes().substr(24);
        for (std::size_t position = 0; !over;)
            position = (position + pipe.writeSome(std::string_view(record).substr(position))) % record.size();
    });
    const auto source = open({"-"}, pipe.asStandardInput());
    Packet packet;
    for (int i = 0; i < 10; ++i)
        EXPECT_TRUE(source->next(packet));
    source->stop();
    EXPECT_LE(readAll(*source).size(), 10U);
    EXPECT_THAT(source->info().damage, IsEmpty());
    over = true;
    writer.join();
}

TEST_F(StreamInputTest, saysThatStandardInputIsEmptyOrNoCapture) {
    for (const auto& [bytes, expected] :
         {std::pair("", "standard input is empty"), std::pair("abc", "standard input is too short for a capture file"),
          std::pair("hello", "standard input is not a capture file: it starts with")}) {
        Pipe pipe;
        pipe.write(bytes);
        pipe.finish();
        const std::string paths[] = {"-"};
        const auto opened = openCapture(paths, pipe.asStandardInput());
        ASSERT_FALSE(opened);
        EXPECT_THAT(opened.error().what, HasSubstr(expected));
    }
}

TEST_F(StreamInputTest, saysThatThereIsNoRoomForTemporaryData) {
    const std::string file = write("a.gz", gzipped(bigCapture(3000)));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{1'000'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    OpenOptions options;
    options.temporaryFolder = m_folder;
    const auto source = open({file}, options);
    const std::size_t packets = readAll(*source).size();
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);

    EXPECT_EQ(packets, (1'000'000 - 24) / bigRecord);
    ASSERT_EQ(source->info().damage.size(), 1U);
    EXPECT_THAT(source->info().damage[0].what,
                HasSubstr("the temporary file in " + m_folder.string() + " cannot grow beyond 1000000 bytes"));

    options.temporaryFolder = path("missing");
    const std::string paths[] = {file};
    const auto opened = openCapture(paths, options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().what, "no temporary file can be made in " + path("missing") +
                                       ": No such file or directory; set TMPDIR to a folder with room");
}

} // namespace
} // namespace brokerscope
