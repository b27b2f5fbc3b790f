// SPDX-License-Identifier: Apache-2.0
// Exit statuses, messages and streams of the built program: what scripts rely on.
#include "tests/cli/run_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace brokerscope {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Program : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "brokerscope-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_folder = name;
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string file(const std::string& name, const std::string& content) const {
        const std::string path = (m_folder / name).string();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    std::filesystem::path m_folder;
};

std::string contentOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::size_t lineCount(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// One line that names the program and the file, status 2, nothing on standard output.
void expectUnusable(const std::string& path, const std::string& reason) {
    for (const char* command : {"summary", "list", "records"}) {
        const ProgramRun run = runProgram({command, path});
        EXPECT_EQ(run.status, 2) << command << ' ' << path;
        EXPECT_THAT(run.output, IsEmpty()) << command << ' ' << path;
        EXPECT_THAT(run.errors, StartsWith("brokerscope: ")) << command;
        EXPECT_THAT(run.errors, HasSubstr(reason)) << command;
        EXPECT_EQ(lineCount(run.errors), 1u) << run.errors;
    }
}

TEST_F(Program, saysThatAFileIsMissing) {
    expectUnusable((m_folder / "none.pcap").string(), "none.pcap");
}

TEST_F(Program, saysThatAFileIsEmpty) {
    expectUnusable(file("empty.pcap", ""), "empty");
}

TEST_F(Program, saysThatAFileIsNoCapture) {
    expectUnusable(file("notes.txt", "These are notes about a capture, not the capture.\n"), "notes.txt");
}

TEST_F(Program, saysThatAFolderIsNoCapture) {
    expectUnusable(m_folder.string(), "director");
}

TEST_F(Program, saysThatAFileMayNotBeRead) {
    const std::string path = file("closed.pcap", contentOf("samples/first-steps.pcap"));
    ::chmod(path.c_str(), 0);
    ::chmod(m_folder.c_str(), 0755);
    RunSettings settings;
    settings.withoutRights = true; // root may read everything
    const ProgramRun run = runProgram({"list", path}, settings);
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, HasSubstr("closed.pcap"));
    EXPECT_THAT(run.errors, HasSubstr("ermission"));
    EXPECT_EQ(lineCount(run.errors), 1u) << run.errors;
}

TEST_F(Program, givesWhatStandsBeforeTheCutAndSaysWhereItIs) {
    const std::string whole = contentOf("samples/first-steps.pcap");
    const std::string path = file("cut.pcap", whole.substr(0, whole.size() / 2 + 7));
    const ProgramRun run = runProgram({"list", "--format", "ndjson", path});
    EXPECT_EQ(run.status, 3);
    EXPECT_GT(lineCount(run.output), 5u);
    EXPECT_THAT(run.errors, HasSubstr("cut.pcap"));
    EXPECT_THAT(run.errors, HasSubstr("byte"));
    EXPECT_EQ(lineCount(run.errors), 1u) << run.errors;
}

TEST_F(Program, neverCrashesOnACaptureCutAnywhereNearItsBegin) {
    const std::string whole = contentOf("samples/first-steps.pcap");
    for (std::size_t length = 0; length < 2000; length += length < 200 ? 7 : 97) {
        const std::string path = file("cut.pcap", whole.substr(0, length));
        const ProgramRun run = runProgram({"list", "--format", "ndjson", path});
        // Between two packets a cut cannot be seen.
        EXPECT_THAT(run.status, length < 24 ? AnyOf(2, 2) : AnyOf(0, 3)) << length << ' ' << run.errors;
        EXPECT_EQ(run.errors.empty(), false) << length;
    }
}

TEST_F(Program, readsACaptureFromStandardInput) {
    RunSettings settings;
    settings.input = contentOf("samples/first-steps.pcap");
    const ProgramRun piped = runProgram({"list", "--format", "ndjson", "-"}, settings);
    const ProgramRun named = runProgram({"list", "--format", "ndjson", "samples/first-steps.pcap"});
    EXPECT_EQ(piped.status, 0) << piped.errors;
    EXPECT_EQ(piped.output, named.output);
}

TEST_F(Program, refusesWrongUsageBeforeItReadsAnything) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{},
                                               {"list"},
                                               {"list", "--port", "0", "samples/first-steps.pcap"},
                                               {"list", "--no-such-option", "samples/first-steps.pcap"},
                                               {"list", "--columns", "nonsense", "samples/first-steps.pcap"},
                                               {"list", "-Y", "latncy > 3ms", "samples/first-steps.pcap"},
                                               {"show", "samples/first-steps.pcap"},
                                               {"show", "samples/first-steps.pcap", "x"},
                                               {"decode", "request", "zz"},
                                               {"decode", "response", "0000"},
                                               {"decode", "nonsense", "00"},
                                               {"completions", "tcsh"},
                                               {"help", "nonsense"}}) {
        const ProgramRun run = runProgram(words);
        EXPECT_EQ(run.status, 2) << testing::PrintToString(words);
        EXPECT_THAT(run.output, IsEmpty()) << testing::PrintToString(words);
        EXPECT_THAT(run.errors, StartsWith("brokerscope: ")) << testing::PrintToString(words);
    }
}

TEST_F(Program, suggestsTheCommandThatWasMeant) {
    EXPECT_THAT(runProgram({"sumary"}).errors, HasSubstr("did you mean summary?"));
    EXPECT_THAT(runProgram({"lits", "cap.pcap"}).errors, HasSubstr("did you mean list?"));
}

TEST_F(Program, marksThePlaceOfAFilterError) {
    const ProgramRun run = runProgram({"list", "-Y", "api == Fetch and latncy > 3ms", "samples/first-steps.pcap"});
    EXPECT_THAT(run.errors, HasSubstr("  api == Fetch and latncy > 3ms\n"));
    EXPECT_THAT(run.errors, HasSubstr("                   ^^^^^^\n"));
    EXPECT_THAT(run.errors, HasSubstr("latency"));
}

TEST_F(Program, showsNothingButSaysSoForANumberThatIsNotThere) {
    const ProgramRun run = runProgram({"show", "samples/first-steps.pcap", "999"});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, HasSubstr("there is no exchange 999; the capture has 33 exchanges"));
}

TEST_F(Program, takesAClosedPipeForSuccess) {
    const std::string command =
        std::string("{ " BROKERSCOPE_BINARY_DIR "/cli/brokerscope list --format ndjson samples/errors.pcap.zst; "
                    "echo \"status $?\" >&2; } 2>") +
        (m_folder / "errors").string() + " | head -n 1 > " + (m_folder / "first").string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(contentOf((m_folder / "errors").string()), "status 0\n");
    EXPECT_EQ(lineCount(contentOf((m_folder / "first").string())), 1u);
}

TEST_F(Program, saysThatTheDiskIsFull) {
    const std::string command = std::string(BROKERSCOPE_BINARY_DIR "/cli/brokerscope list samples/first-steps.pcap "
                                                                   "> /dev/full 2> ") +
                                (m_folder / "errors").string();
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
    EXPECT_THAT(contentOf((m_folder / "errors").string()), HasSubstr("standard output cannot be written"));
}

TEST_F(Program, printsAsManyLinesAsTheLimitSays) {
    for (const char* format : {"ndjson", "csv"}) {
        const ProgramRun run = runProgram({"list", "--format", format, "--limit", "5", "samples/first-steps.pcap"});
        EXPECT_EQ(run.status, 0);
        EXPECT_EQ(lineCount(run.output), format == std::string("csv") ? 6u : 5u);
    }
    EXPECT_EQ(runProgram({"list", "--format", "ndjson", "--limit", "0", "samples/first-steps.pcap"}).output, "");
}

// The password of the sample's PLAIN logins, as text, hex and base64 of its last letters.
TEST_F(Program, printsNoSecretWithoutBeingAsked) {
    const std::vector<std::string> forms = {"alice-pw", "61 6c 69 63 65 2d 70 77", "616c6963652d7077", "YWxpY2UtcHc"};
    const auto holdsOne = [&](const std::string& text) {
        return std::ranges::any_of(forms,
                                   [&](const std::string& form) { return text.find(form) != std::string::npos; });
    };
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"list", "--format", "ndjson", "--records", "samples/sasl.pcap"},
                                               {"show", "samples/sasl.pcap", "1-111"},
                                               {"show", "--hex", "samples/sasl.pcap", "1-111"},
                                               {"show", "--format", "ndjson", "samples/sasl.pcap", "1-111"},
                                               {"list", "samples/sasl.pcap"}}) {
        const ProgramRun run = runProgram(words);
        EXPECT_EQ(run.status, 0);
        EXPECT_FALSE(holdsOne(run.output)) << testing::PrintToString(words);
    }
    EXPECT_TRUE(holdsOne(runProgram({"show", "--show-secrets", "samples/sasl.pcap", "1-111"}).output));
    EXPECT_TRUE(holdsOne(runProgram({"show", "--hex", "--show-secrets", "samples/sasl.pcap", "1-111"}).output));
}

// The law between the two ways of reading: the skim of --no-bodies and the trees behind the bodies.
TEST_F(Program, saysTheSameOfEveryExchangeWithAndWithoutBodies) {
    for (const char* sample : {"samples/errors.pcap.zst", "samples/sasl.pcap", "samples/kafka-0.8.pcap"}) {
        const std::string with = runProgram({"list", "--format", "ndjson", sample}).output;
        const std::string without = runProgram({"list", "--format", "ndjson", "--no-bodies", sample}).output;
        std::istringstream left(with), right(without);
        std::string a, b;
        while (std::getline(left, a)) {
            ASSERT_TRUE(std::getline(right, b)) << sample;
            rapidjson::Document whole, part;
            whole.Parse(a.c_str());
            part.Parse(b.c_str());
            ASSERT_FALSE(whole.HasParseError() || part.HasParseError()) << sample;
            for (const char* bodies : {"request", "response", "unknownTags"})
                whole.RemoveMember(bodies);
            EXPECT_TRUE(whole == part) << a << '\n' << b;
        }
        EXPECT_FALSE(std::getline(right, b)) << sample;
    }
}

TEST_F(Program, addsTheThreePartsOfALatencyUpToItsTotal) {
    std::istringstream lines(
        runProgram({"list", "--format", "ndjson", "--no-bodies", "samples/errors.pcap.zst"}).output);
    std::size_t seen = 0;
    for (std::string line; std::getline(lines, line);) {
        rapidjson::Document exchange;
        exchange.Parse(line.c_str());
        if (!exchange.HasMember("totalTimeMs")) continue;
        ++seen;
        const double parts = exchange["requestTransferMs"].GetDouble() + exchange["waitMs"].GetDouble() +
                             exchange["responseTransferMs"].GetDouble();
        EXPECT_NEAR(exchange["totalTimeMs"].GetDouble(), parts, 1e-7) << line;
    }
    EXPECT_GT(seen, 1000u);
}

TEST_F(Program, decodesTheSameBytesInEveryForm) {
    const std::string expected =
        runProgram({"decode", "body", "--api", "heartbeat", "--api-version", "1", "--response", "000000050019"}).output;
    EXPECT_THAT(expected, HasSubstr("UNKNOWN_MEMBER_ID"));
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"00", "00", "00", "05", "00", "19"},
                                               {"0x00000005,0x0019"},
                                               {"00:00:00:05:00:19"},
                                               {"--base64", "AAAABQAZ"}}) {
        std::vector<std::string> all = {"decode", "body", "--api", "12", "--api-version", "1", "--response"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(runProgram(all).output, expected) << testing::PrintToString(words);
    }
    RunSettings settings;
    settings.input = std::string("\0\0\0\5\0\x19", 6);
    EXPECT_EQ(
        runProgram({"decode", "body", "--api", "HEARTBEAT", "--api-version", "1", "--response", "--raw", "-"}, settings)
            .output,
        expected);
    settings.input = "0000\n0005\n0019\n";
    EXPECT_EQ(
        runProgram({"decode", "body", "--api", "Heartbeat", "--api-version", "1", "--response", "-"}, settings).output,
        expected);
}

} // namespace
} // namespace brokerscope
