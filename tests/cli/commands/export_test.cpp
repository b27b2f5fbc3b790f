// SPDX-License-Identifier: Apache-2.0
// `export`: the built program, and the copying of packets below it.
#include "capture/capture_file.h"
#include "cli/commands/packet_export.h"
#include "tests/capture/compressed.h"
#include "tests/capture/file_fixture.h"
#include "tests/cli/run_program.h"

#include <gmock/gmock.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string withSecrets = "samples/tls13-with-secrets.pcapng";

class Export : public CaptureFileTest {
  protected:
    static std::string listed(const std::string& capture, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {"list", "--format", "ndjson", capture};
        words.insert(words.end(), more.begin(), more.end());
        return runProgram(words).output;
    }
    static std::string keyLogOf(const std::string& capture) {
        const auto source = open({capture});
        readAll(*source);
        return source->info().keyLog;
    }
    std::string stripped() const {
        const ProgramRun run = runProgram({"export", withSecrets, "--strip-secrets", "-w", path("closed.pcapng")});
        EXPECT_EQ(run.status, 0) << run.errors;
        EXPECT_THAT(run.errors, HasSubstr("its TLS secrets were left out"));
        return path("closed.pcapng");
    }
};

TEST_F(Export, givesTheSameExchangesFromEveryFormat) {
    for (const char* sample : {"samples/first-steps.pcap", "samples/throttle.pcap.zst", withSecrets.c_str()}) {
        for (const char* name : {"copy.pcapng", "copy.pcapng.zst", "copy.pcapng.gz"}) {
            const ProgramRun run = runProgram({"export", sample, "-w", path(name)});
            EXPECT_EQ(run.status, 0) << run.errors;
            EXPECT_EQ(listed(path(name)), listed(sample)) << sample << ' ' << name;
        }
    }
}

TEST_F(Export, writesExchangesWhereTheNameAsksForText) {
    const std::string sample = "samples/first-steps.pcap", filter = "api == Fetch";
    for (const auto& [name, format] : {std::pair{"out.ndjson", "ndjson"}, std::pair{"out.csv", "csv"}}) {
        const ProgramRun run = runProgram({"export", sample, "-Y", filter, "-w", path(name)});
        EXPECT_EQ(run.status, 0) << run.errors;
        EXPECT_EQ(run.output, "");
        EXPECT_EQ(contentOf(path(name)), runProgram({"list", "--format", format, "-Y", filter, sample}).output) << name;
    }
    const auto written = [&](const char* name) {
        EXPECT_EQ(runProgram({"export", sample, "-w", path(name)}).status, 0) << name;
        return contentOf(path(name));
    };
    EXPECT_EQ(ungzipped(written("out.csv.gz")), written("out.csv"));
    EXPECT_EQ(unzstandard(written("out.ndjson.zst")), written("out.ndjson"));
    const ProgramRun records = runProgram({"export", sample, "--records", "-w", path("records.ndjson")});
    EXPECT_EQ(records.status, 0) << records.errors;
    EXPECT_THAT(contentOf(path("records.ndjson")), HasSubstr("\"baseOffset\""));
}

TEST_F(Export, takesSecretsOut) {
    EXPECT_NE(keyLogOf(withSecrets), "");
    const std::string closed = stripped();
    EXPECT_EQ(keyLogOf(closed), "");
    EXPECT_THAT(contentOf(closed), Not(HasSubstr("CLIENT_TRAFFIC_SECRET")));
    EXPECT_EQ(listed(closed), "");
}

TEST_F(Export, putsInTheSecretsOfTheSessionsInTheCaptureAndNoOthers) {
    const std::string foreign = "CLIENT_TRAFFIC_SECRET_0 " + std::string(64, 'a') + ' ' + std::string(64, 'b') + '\n';
    const std::string keyLog = write("keys.txt", foreign + keyLogOf(withSecrets) + foreign);
    const ProgramRun run =
        runProgram({"export", stripped(), "--embed-secrets", "--keylog", keyLog, "-w", path("open.pcapng")});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.errors, HasSubstr("opened by the key log"));
    EXPECT_EQ(listed(path("open.pcapng")), listed(withSecrets));
    EXPECT_THAT(keyLogOf(path("open.pcapng")), Not(HasSubstr(std::string(64, 'a'))));
}

TEST_F(Export, saysThatAKeyLogHasNothingForTheCaptureAndWritesNothing) {
    const std::string keyLog =
        write("keys.txt", "CLIENT_RANDOM " + std::string(64, 'a') + ' ' + std::string(96, 'b') + '\n');
    const std::string out = path("out.pcapng");
    const ProgramRun run = runProgram({"export", stripped(), "--embed-secrets", "--keylog", keyLog, "-w", out});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, HasSubstr("the key log (1 secret) has secrets of none of the"));
    EXPECT_FALSE(std::filesystem::exists(out));
    const ProgramRun plain =
        runProgram({"export", "samples/first-steps.pcap", "--embed-secrets", "--keylog", keyLog, "-w", out});
    EXPECT_EQ(plain.status, 2);
    EXPECT_THAT(plain.errors, HasSubstr("no TLS was found"));
}

TEST_F(Export, refusesWhatWouldDestroyOrCannotBeDone) {
    const std::string copy = write("copy.pcapng", contentOf(withSecrets));
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"export", copy}, "-w FILE"},
        {{"export", copy, "-w", copy}, "written over itself"},
        {{"export", copy, "-w", path("o"), "--embed-secrets"}, "--keylog FILE"},
        {{"export", copy, "-w", path("o"), "--embed-secrets", "--strip-secrets"}, "one of them"},
        {{"export", "-", "-w", path("o"), "--embed-secrets", "--keylog", copy}, "standard input"},
        {{"export", copy, "-w", path("no/such/folder")}, "cannot be written"},
        {{"export", copy, "-w", path("no/such/folder.csv")}, "cannot be written"},
        {{"export", copy, "-w", path("o.csv"), "--strip-secrets"}, "about pcapng files"},
        {{"export", copy, "-w", path("o.pcapng"), "--records"}, "ends in .ndjson"},
    };
    for (const auto& [words, reason] : refused) {
        const ProgramRun run = runProgram(words);
        EXPECT_EQ(run.status, 2) << reason;
        EXPECT_THAT(run.errors, HasSubstr(reason));
    }
    EXPECT_EQ(contentOf(copy), contentOf(withSecrets));
}

TEST_F(Export, passesOnWhatCanBeReadOfADamagedFile) {
    const std::string whole = contentOf("samples/first-steps.pcap");
    const std::string cut = write("cut.pcap", whole.substr(0, whole.size() / 2 + 7));
    const ProgramRun run = runProgram({"export", cut, "-w", path("out.pcapng")});
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.errors, HasSubstr("cut.pcap"));
    EXPECT_EQ(listed(path("out.pcapng")), listed(cut));
}

// Interfaces, times, comments, counts and secrets in their places.
TEST_F(Export, keepsWhatACaptureSaysBesideItsPackets) {
    PcapngText text;
    text.interface(1, text.option(2, "eth0"), 96).interface(113, text.option(2, "any") + text.option(9, "\x09"));
    text.packet(0, 1'000'001, "before").secrets(0x544c534b, "# a key log\n");
    text.packet(1, 2'000'000'003, "behind", text.option(1, "look here"), 700);
    text.statistics(1, text.option(4, std::string("\x07\0\0\0\0\0\0\0", 8)));
    const auto source = open({write("in.pcapng", text.bytes)});

    struct Even final : PacketChoice {
        bool take(const Packet& packet, std::vector<std::string_view>& comments) override {
            comments.push_back("added");
            return packet.number.value % 2 == 0;
        }
    } even;
    auto writer = CaptureWriter::create(path("out.pcapng"), {});
    ASSERT_TRUE(writer);
    PacketExport copy(*source, **writer, {true, "# first\n"});
    EXPECT_FALSE(copy.run(&even));
    EXPECT_EQ(copy.counts().packets, 1u);

    const auto again = open({path("out.pcapng")});
    Packet packet;
    ASSERT_TRUE(again->next(packet));
    EXPECT_EQ(textOf(packet), "behind");
    EXPECT_EQ(packet.time, at(2'000'000'003));
    EXPECT_EQ(packet.originalLength, 700u);
    EXPECT_THAT(again->packetComments(), ElementsAre("look here", "added"));
    EXPECT_EQ(again->info().keyLog, "# first\n# a key log\n");
    ASSERT_FALSE(again->next(packet));
    ASSERT_EQ(again->info().interfaces.size(), 2u);
    EXPECT_EQ(again->info().interfaces[0].name, "eth0");
    EXPECT_EQ(again->info().interfaces[0].snapLength, 96u);
    EXPECT_EQ(again->info().interfaces[1].linkType, 113);
    EXPECT_EQ(again->info().interfaces[1].counts.received, 7u);
}

} // namespace
} // namespace brokerscope
