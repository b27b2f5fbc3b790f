// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_writer.h"

#include "tests/capture/file_fixture.h"

#include <gmock/gmock.h>

#include <sys/wait.h>

#include <csignal>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CaptureWriterTest : public CaptureFileTest {
  protected:
    static std::unique_ptr<CaptureWriter> create(const std::string& path, const WriterOptions& options = {}) {
        auto created = CaptureWriter::create(path, options);
        if (created) return std::move(*created);
        ADD_FAILURE() << toString(created.error());
        return nullptr;
    }
    static Packet packetOf(std::string_view text, std::int64_t nanoseconds, std::uint32_t original = 0) {
        Packet packet;
        packet.time = at(nanoseconds);
        packet.bytes = {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
        packet.originalLength = original ? original : static_cast<std::uint32_t>(text.size());
        return packet;
    }
    static CaptureInterface interfaceOf(std::uint16_t linkType, unsigned exponent) {
        CaptureInterface interface;
        interface.linkType = linkType;
        interface.resolution.exponent = static_cast<std::uint8_t>(exponent);
        return interface;
    }
};

TEST_F(CaptureWriterTest, writesWhatIsReadAgain) {
    WriterOptions options;
    options.application = "Brokerscope 1.2";
    options.operatingSystem = "an OS";
    options.hardware = "a machine";
    options.comments = {"one", "two"};
    const auto writer = create(path("a.pcapng"), options);
    CaptureInterface first = interfaceOf(1, 9);
    first.name = "eth0";
    first.description = "the first";
    first.filter = "tcp port 9092";
    first.snapLength = 96;
    EXPECT_EQ(writer->addInterface(first), 0U);
    EXPECT_EQ(writer->addInterface(interfaceOf(113, 6)), 1U);
    const std::string_view comments[] = {"look here", "and here"};
    writer->addSecrets("CLIENT_RANDOM 00 11\n");
    writer->addPacket(0, packetOf("odd", 1'700'000'000'000'000'001, 77), comments);
    writer->addPacket(1, packetOf("even", 1'700'000'000'000'001'999));
    writer->addPacket(1, packetOf("", -5));
    writer->addCounts(
        0, {.received = 10, .droppedByInterface = {}, .accepted = 9, .droppedBySystem = 2, .delivered = 7}, at(1));
    EXPECT_EQ(writer->close(), std::nullopt);
    EXPECT_EQ(writer->size(), std::filesystem::file_size(path("a.pcapng")));

    const auto source = open({path("a.pcapng")});
    const CaptureInfo& info = source->info();
    Packet packet;
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(packet.time, at(1'700'000'000'000'000'001));
    EXPECT_EQ(packet.timeDigits, 9);
    EXPECT_EQ(packet.linkType, 1);
    EXPECT_EQ(packet.originalLength, 77U);
    EXPECT_EQ(textOf(packet), "odd");
    EXPECT_THAT(source->packetComments(), ElementsAre("look here", "and here"));
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(packet.time, at(1'700'000'000'000'001'000));
    EXPECT_EQ(packet.timeDigits, 6);
    EXPECT_EQ(packet.linkType, 113);
    EXPECT_EQ(textOf(packet), "even");
    EXPECT_THAT(source->packetComments(), IsEmpty());
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(packet.time, at(0));
    EXPECT_FALSE(source->next(packet));
    EXPECT_THAT(info.damage, IsEmpty());
    EXPECT_EQ(info.application, "Brokerscope 1.2");
    EXPECT_EQ(info.operatingSystem, "an OS");
    EXPECT_EQ(info.hardware, "a machine");
    EXPECT_THAT(info.comments, ElementsAre("one", "two"));
    EXPECT_EQ(info.keyLog, "CLIENT_RANDOM 00 11\n");
    ASSERT_EQ(info.interfaces.size(), 2U);
    EXPECT_EQ(info.interfaces[0].name, "eth0");
    EXPECT_EQ(info.interfaces[0].description, "the first");
    EXPECT_EQ(info.interfaces[0].filter, "tcp port 9092");
    EXPECT_EQ(info.interfaces[0].snapLength, 96U);
    EXPECT_EQ(info.interfaces[0].counts.received, 10U);
    EXPECT_EQ(info.interfaces[0].counts.droppedByInterface, std::nullopt);
    EXPECT_EQ(info.interfaces[0].counts.accepted, 9U);
    EXPECT_EQ(info.interfaces[0].counts.droppedBySystem, 2U);
    EXPECT_EQ(info.interfaces[0].counts.delivered, 7U);
}

TEST_F(CaptureWriterTest, compressesAsTheNameOrTheOptionSays) {
    const std::string_view gzip = "\x1f\x8b", zstd = "\x28\xb5\x2f\xfd", plain = "\x0a\x0d\x0d\x0a";
    const std::tuple<const char*, Compression, std::string_view> cases[] = {
        {"a.pcapng", Compression::ByName, plain},
        {"a.pcapng.gz", Compression::ByName, gzip},
        {"a.pcapng.zst", Compression::ByName, zstd},
        {"b.gz", Compression::None, plain},
        {"b", Compression::Gzip, gzip},
        {"b.gz", Compression::Zstd, zstd},
    };
    const std::string payload(1000, 'p');
    for (const auto& [name, compression, start] : cases) {
        WriterOptions options;
        options.compression = compression;
        const auto writer = create(path(name), options);
        writer->addInterface(interfaceOf(1, 6));
        for (int i = 0; i < 2000; ++i)
            writer->addPacket(0, packetOf(payload, i));
        EXPECT_EQ(writer->close(), std::nullopt);
        EXPECT_EQ(contentOf(path(name)).substr(0, start.size()), start) << name;
        const auto source = open({path(name)});
        EXPECT_EQ(readAll(*source).size(), 2000U);
        EXPECT_THAT(source->info().damage, IsEmpty());
    }
}

TEST_F(CaptureWriterTest, leavesAReadableFileWhenTheProgramIsKilledAfterAFlush) {
    for (const char* name : {"a.pcapng", "a.pcapng.gz", "a.pcapng.zst"}) {
        const pid_t child = fork();
        if (child == 0) {
            const auto writer = create(path(name));
            writer->addInterface(interfaceOf(1, 6));
            for (int i = 0; i < 700; ++i)
                writer->addPacket(0, packetOf(std::string(1000, static_cast<char>(i)), i));
            writer->flush();
            writer->addPacket(0, packetOf("not flushed", 1));
            raise(SIGKILL);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status));
        const auto source = open({path(name)});
        EXPECT_EQ(readAll(*source).size(), 700U);
        // An unfinished compressed file is called so, a plain one ends where a block does.
        EXPECT_EQ(source->info().damage.empty(), std::string_view(name) == "a.pcapng");
    }
}

TEST_F(CaptureWriterTest, putsWholeBlocksOnDiskOnly) {
    const auto writer = create(path("a.pcapng"));
    writer->addInterface(interfaceOf(1, 6));
    for (int i = 0; i < 1000; ++i)
        writer->addPacket(0, packetOf(std::string(1001, 'x'), i));
    EXPECT_GT(writer->size(), std::filesystem::file_size(path("a.pcapng")));
    const auto source = open({path("a.pcapng")});
    EXPECT_GT(readAll(*source).size(), 500U);
    EXPECT_THAT(source->info().damage, IsEmpty());
}

TEST_F(CaptureWriterTest, rewritesACaptureWithoutLoss) {
    const auto writer = create(path("again.pcapng.zst"));
    const auto source = open({sample("capture-three-interfaces.pcapng")});
    for (Packet packet; source->next(packet);) {
        for (auto i = writer->interfaces(); i < source->info().interfaces.size(); ++i)
            writer->addInterface(source->info().interfaces[i]);
        writer->addPacket(packet.interface, packet, source->packetComments());
    }
    EXPECT_EQ(writer->close(), std::nullopt);
    const auto before = open({sample("capture-three-interfaces.pcapng")}), after = open({path("again.pcapng.zst")});
    for (Packet packet, other; before->next(packet);) {
        ASSERT_TRUE(after->next(other));
        EXPECT_EQ(other.time, packet.time);
        EXPECT_EQ(other.interface, packet.interface);
        EXPECT_EQ(textOf(other), textOf(packet));
    }
    EXPECT_EQ(after->info().interfaces.at(2).name, before->info().interfaces.at(2).name);
}

TEST_F(CaptureWriterTest, saysWhyItCannotWrite) {
    const auto nowhere = CaptureWriter::create(path("missing/a.pcapng"), {});
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().what, path("missing/a.pcapng") + " cannot be written: No such file or directory");

    const auto full = create("/dev/full");
    full->addInterface(interfaceOf(1, 6));
    const auto error = full->flush();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->what, "/dev/full cannot be written beyond 0 bytes: the disk is full");
    full->addPacket(0, packetOf("more", 1));
    EXPECT_EQ(full->close()->what, error->what) << "the first error stays";
}

} // namespace
} // namespace brokerscope
