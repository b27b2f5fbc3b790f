// SPDX-License-Identifier: Apache-2.0
// The built program on the loopback interface: a made-up broker and client talk, and what is listed and written is held
// against what they said. Without the right to capture these tests say so and are passed over.
#include "tests/capture/file_fixture.h"
#include "tests/cli/http_get.h"
#include "tests/cli/run_program.h"
#include "tests/cli/running_program.h"
#include "tests/cli/talk.h"

#include <gmock/gmock.h>
#include <rapidjson/document.h>

#include <csignal>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Live : public CaptureFileTest {
  protected:
    // False: it was said that this test cannot be made here.
    static bool mayCapture() {
        static const ProgramRun tried = runProgram({"list", "-i", "lo", "--count", "1", "--duration", "1"});
        if (tried.status != 0) std::cerr << "PASSED OVER, this user may not capture on lo: " << tried.errors;
        return tried.status == 0;
    }

    // `brokerscope WORDS -i lo -f ...` for the port of `talk`; returns when it captures.
    std::unique_ptr<RunningProgram> start(std::vector<std::string> words, const Talk& talk) {
        for (const std::string& more : {std::string("-i"), std::string("lo"), std::string("-f"), talk.filter()})
            words.push_back(more);
        auto program = std::make_unique<RunningProgram>(words, m_folder);
        EXPECT_TRUE(program->waitFor([&] { return program->errors().find("capturing on") != std::string::npos; }))
            << program->errors();
        std::this_thread::sleep_for(50ms); // the note comes just before the threads begin
        return program;
    }
    // The correlation ids of what was listed, in order.
    static std::vector<int> ids(const std::string& ndjson) {
        std::vector<int> found;
        std::istringstream lines(ndjson);
        for (std::string line; std::getline(lines, line);) {
            rapidjson::Document exchange;
            exchange.Parse(line.c_str());
            if (exchange.HasParseError()) continue; // the last one is being written
            EXPECT_STREQ(exchange["status"].GetString(), "paired") << line;
            found.push_back(exchange["requestHeader"]["correlationId"].GetInt());
        }
        return found;
    }
    static std::vector<int> idsIn(const std::vector<std::string>& files) {
        std::vector<std::string> words = {"list", "--format", "ndjson"};
        words.insert(words.end(), files.begin(), files.end());
        return ids(runProgram(words).output);
    }
    static std::vector<int> upTo(int last) {
        std::vector<int> all;
        for (int id = 1; id <= last; ++id)
            all.push_back(id);
        return all;
    }
    std::vector<std::string> filesLike(const std::string& start) const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
            if (entry.path().filename().string().starts_with(start)) found.push_back(entry.path());
        std::ranges::sort(found);
        return found;
    }
};

TEST_F(Live, listsEachExchangeWhenItIsComplete) {
    if (!mayCapture()) return;
    Talk talk;
    const auto program = start({"list", "--format", "ndjson"}, talk);
    for (int id = 1; id <= 3; ++id) {
        talk.exchange();
        EXPECT_TRUE(program->waitFor([&] { return ids(program->output()) == upTo(id); })) << program->output();
    }
    EXPECT_EQ(program->interrupt(), 0);
    EXPECT_THAT(program->errors(), HasSubstr("none dropped"));
}

TEST_F(Live, listsForPeopleWithTheHeadOnceAndNotBeforeTheFirstLine) {
    if (!mayCapture()) return;
    Talk talk;
    const auto program = start({"list"}, talk);
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(program->output(), "");
    talk.exchange();
    EXPECT_TRUE(program->waitFor([&] { return program->output().find("ApiVersions") != std::string::npos; }));
    talk.exchange();
    EXPECT_TRUE(program->waitFor([&] { return std::ranges::count(program->output(), '\n') == 3; }));
    const std::string output = program->output();
    EXPECT_EQ(output.find("Broker"), output.rfind("Broker")) << output;
    EXPECT_EQ(program->interrupt(), 0);
}

TEST_F(Live, summarisesWhatCameUntilItIsInterrupted) {
    if (!mayCapture()) return;
    Talk talk;
    const auto program = start({"summary"}, talk);
    talk.exchanges(5);
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(program->interrupt(), 0);
    EXPECT_THAT(program->output(), AllOf(HasSubstr("5 exchanges"), HasSubstr("ApiVersions")));
}

TEST_F(Live, writesWhatCanBeListedAfterwardsWithInterfaceFilterCountsAndComment) {
    if (!mayCapture()) return;
    Talk talk;
    for (const char* name : {"plain.pcapng", "packed.pcapng.zst", "packed.pcapng.gz"}) {
        const auto program = start({"capture", "-w", path(name), "--comment", "a slow consumer"}, talk);
        const int before = talk.last();
        talk.exchanges(20);
        std::this_thread::sleep_for(300ms);
        EXPECT_EQ(program->interrupt(), 0) << program->errors();
        EXPECT_THAT(program->errors(), HasSubstr("none dropped"));
        EXPECT_EQ(idsIn({path(name)}).size(), 20u) << name;
        EXPECT_EQ(talk.last(), before + 20);

        const auto written = open({path(name)});
        readAll(*written);
        const CaptureInfo& info = written->info();
        ASSERT_EQ(info.interfaces.size(), 1u);
        EXPECT_EQ(info.interfaces[0].name, "lo");
        EXPECT_EQ(info.interfaces[0].filter, talk.filter());
        EXPECT_EQ(info.interfaces[0].counts.droppedBySystem, 0u);
        EXPECT_EQ(info.interfaces[0].counts.delivered, info.packets);
        EXPECT_THAT(info.comments, testing::ElementsAre("a slow consumer"));
        EXPECT_THAT(info.application, StartsWith("Brokerscope"));
        EXPECT_THAT(info.operatingSystem, StartsWith("Linux"));
    }
}

TEST_F(Live, listsAndWritesAtTheSameTime) {
    if (!mayCapture()) return;
    Talk talk;
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"capture", "--list"}, {"list", "--columns", "api"}}) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"-w", path("both.pcapng")});
        const auto program = start(all, talk);
        talk.exchanges(3);
        EXPECT_TRUE(program->waitFor([&] { return program->output().find("ApiVersions") != std::string::npos; }));
        std::this_thread::sleep_for(300ms);
        EXPECT_EQ(program->interrupt(), 0) << program->errors();
        EXPECT_EQ(idsIn({path("both.pcapng")}).size(), 3u);
    }
}

TEST_F(Live, endsByItselfAfterSoManyPacketsBytesOrSeconds) {
    if (!mayCapture()) return;
    Talk talk;
    const auto packets = start({"capture", "-w", path("few.pcapng"), "--count", "7"}, talk);
    const auto bytes = start({"capture", "-w", path("big.pcapng"), "--max-size", "1"}, talk);
    const auto seconds = start({"capture", "-w", path("brief.pcapng"), "--duration", "2"}, talk);
    talk.exchanges(10);
    talk.exchange(1'200'000);
    EXPECT_EQ(packets->wait(), 0);
    EXPECT_EQ(bytes->wait(), 0);
    EXPECT_EQ(seconds->wait(), 0);
    const auto few = open({path("few.pcapng")});
    EXPECT_EQ(readAll(*few).size(), 7u);
    EXPECT_GE(std::filesystem::file_size(path("big.pcapng")), 1'000'000u);
}

TEST_F(Live, losesNothingAtTheBordersOfARingAndRemovesOlderFiles) {
    if (!mayCapture()) return;
    Talk talk;
    const auto all = start({"capture", "--ring", "20kB", "-w", path("all.pcapng")}, talk);
    const auto ring = start({"capture", "--ring", "3x20kB", "-w", path("ring.pcapng")}, talk);
    for (int i = 0; i < 100; ++i)
        talk.exchange(1000);
    std::this_thread::sleep_for(500ms);
    EXPECT_EQ(all->interrupt(), 0);
    EXPECT_EQ(ring->interrupt(), 0);
    const auto files = filesLike("all_");
    EXPECT_GE(files.size(), 6u);
    EXPECT_THAT(files.front(), testing::ContainsRegex("all_00001_[0-9]{14}\\.pcapng$"));
    EXPECT_EQ(idsIn(files), upTo(100));
    const auto left = filesLike("ring_");
    EXPECT_EQ(left.size(), 3u);
    EXPECT_THAT(left.front(), Not(HasSubstr("ring_00001_")));
    const auto last = idsIn(left);
    ASSERT_FALSE(last.empty());
    EXPECT_EQ(last.back(), 100);
}

TEST_F(Live, beginsANewFileOnASignalAndNamesFilesByAPattern) {
    if (!mayCapture()) return;
    Talk talk;
    const auto program = start({"capture", "-w", path("one.pcapng")}, talk);
    const auto named = start({"capture", "-w", path("at-%Y.pcapng"), "--ring", "1kB"}, talk);
    int told = 0;
    for (const int signal : {SIGHUP, SIGUSR1}) {
        talk.exchanges(5);
        std::this_thread::sleep_for(400ms);
        program->signal(signal);
        ++told;
        EXPECT_TRUE(program->waitFor([&] { return filesLike("one").size() == static_cast<std::size_t>(told + 1); }));
    }
    talk.exchanges(5);
    std::this_thread::sleep_for(400ms);
    EXPECT_EQ(program->interrupt(), 0);
    EXPECT_EQ(named->interrupt(), 0);
    EXPECT_EQ(filesLike("one").back(), path("one_00003") + filesLike("one").back().substr(path("one_00003").size()));
    EXPECT_EQ(idsIn(filesLike("one")), upTo(15));
    const auto byYear = filesLike("at-2");
    EXPECT_GE(byYear.size(), 2u);
    EXPECT_THAT(byYear.front(), testing::ContainsRegex("at-2[0-9]{3}\\.pcapng$"));
    EXPECT_EQ(idsIn(byYear), upTo(15));
}

TEST_F(Live, leavesAFileThatReadsToTheLastFlushWhenItIsKilled) {
    if (!mayCapture()) return;
    Talk talk;
    for (const char* name : {"killed.pcapng", "killed.pcapng.zst"}) {
        const auto program = start({"capture", "-w", path(name)}, talk);
        talk.exchanges(10);
        std::this_thread::sleep_for(1600ms); // it writes out every second
        program->signal(SIGKILL);
        program->wait();
        EXPECT_EQ(idsIn({path(name)}).size(), 10u) << name;
    }
}

TEST_F(Live, putsTheSecretsOfAGrowingKeyLogIntoEachFile) {
    if (!mayCapture()) return;
    Talk talk;
    const auto secret = [](char digit) {
        return "CLIENT_RANDOM " + std::string(64, digit) + ' ' + std::string(96, digit) + '\n';
    };
    const std::string keyLog = write("keys.txt", secret('1'));
    const auto program = start({"capture", "-w", path("keys.pcapng"), "--keylog", keyLog}, talk);
    std::ofstream(keyLog, std::ios::app) << secret('2');
    talk.exchange();
    std::this_thread::sleep_for(300ms);
    program->signal(SIGUSR1);
    EXPECT_TRUE(program->waitFor([&] { return filesLike("keys.pcapng").size() + filesLike("keys_").size() == 2; }));
    std::ofstream(keyLog, std::ios::app) << secret('3');
    talk.exchange();
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(program->interrupt(), 0);
    const auto keysOf = [](const std::string& file) {
        const auto source = open({file});
        readAll(*source);
        return source->info().keyLog;
    };
    EXPECT_EQ(keysOf(path("keys.pcapng")), secret('1') + secret('2'));
    EXPECT_EQ(keysOf(filesLike("keys_").front()), secret('2') + secret('3'));
}

TEST_F(Live, narrowsTheFilterToTheBrokersItFound) {
    if (!mayCapture()) return;
    Talk found, later;
    auto program =
        std::make_unique<RunningProgram>(std::vector<std::string>{"list", "--format", "ndjson", "--narrow", "1", "-i",
                                                                  "lo", "-f", found.filter() + " or " + later.filter()},
                                         m_folder);
    ASSERT_TRUE(program->waitFor([&] { return program->errors().find("capturing on") != std::string::npos; }));
    std::this_thread::sleep_for(100ms);
    found.exchange();
    EXPECT_TRUE(program->waitFor([&] { return program->errors().find("capturing only") != std::string::npos; }))
        << program->errors();
    EXPECT_THAT(program->errors(), HasSubstr("127.0.0.1:" + std::to_string(found.port())));
    std::this_thread::sleep_for(300ms);
    later.exchanges(3);
    found.exchanges(2);
    EXPECT_TRUE(program->waitFor([&] { return ids(program->output()).size() == 3; }));
    EXPECT_EQ(program->interrupt(), 0);
    EXPECT_EQ(program->output().find(std::to_string(later.port()) + '"'), std::string::npos);
}

TEST_F(Live, refusesWhatCannotBeMeant) {
    if (!mayCapture()) return;
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"capture", "-i", "lo"}, "-w FILE"},
        {{"capture", "-i", "lo", "-w", path("x"), "--ring", "many"}, "10x100MB"},
        {{"list", "-i", "lo", "-w", "-"}, "standard output"},
        {{"list", "-i", "lo", "--ring", "2x1MB"}, "needs -w"},
        {{"list", "-i", "lo", "-f", "not a filter"}, "not understood"},
        {{"list", "-i", "no-such-if0"}, "brokerscope interfaces"},
        {{"capture", "-i", "lo", "-w", path("no/folder")}, "cannot be written"},
        {{"list", "-w", path("x"), "samples/first-steps.pcap"}, "brokerscope export"},
        {{"list", "-i", "lo", "samples/first-steps.pcap"}, "do not go together"},
    };
    for (const auto& [words, reason] : refused) {
        const ProgramRun run = runProgram(words);
        EXPECT_EQ(run.status, 2) << reason;
        EXPECT_THAT(run.output, IsEmpty()) << reason;
        EXPECT_THAT(run.errors, HasSubstr(reason));
    }
}

TEST(LiveWithoutRights, saysInOneLineHowToGetTheRight) {
    RunSettings settings;
    settings.withoutRights = true;
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"list", "-i", "lo"}, {"capture", "-i", "lo", "-w", "/dev/null"}, {"summary", "-i", "any"}}) {
        const ProgramRun run = runProgram(words, settings);
        EXPECT_EQ(run.status, 2) << testing::PrintToString(words);
        EXPECT_THAT(run.output, IsEmpty());
        EXPECT_THAT(run.errors, HasSubstr("sudo setcap cap_net_raw,cap_net_admin+ep "));
        EXPECT_THAT(run.errors, HasSubstr("brokerscope"));
        EXPECT_EQ(std::ranges::count(run.errors, '\n'), 1) << run.errors;
    }
}

TEST(Interfaces, haveNamesAndAddressesInBothFormats) {
    const ProgramRun table = runProgram({"interfaces"});
    EXPECT_EQ(table.status, 0);
    EXPECT_THAT(table.output, AllOf(HasSubstr("Interface"), HasSubstr("127.0.0.1")));
    const ProgramRun json = runProgram({"interfaces", "--format", "ndjson"});
    EXPECT_THAT(json.output, HasSubstr(R"("addresses":["127.0.0.1")"));
}

// ssh host tcpdump -U -w - | brokerscope list -
TEST(GrowingInput, listsEachExchangeBeforeTheNextIsThere) {
    std::ifstream file("samples/first-steps.pcap", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    const std::string all = runProgram({"list", "--format", "ndjson", "samples/first-steps.pcap"}).output;
    std::string folder = testing::TempDir() + "brokerscope-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    {
        RunningProgram program({"list", "--format", "ndjson", "-"}, folder);
        // In pieces, which end anywhere.
        std::ptrdiff_t lines = 0;
        for (std::size_t piece = 0, size = whole.size() / 4 + 1; piece < 4; ++piece) {
            program.give(whole.substr(piece * size, size));
            EXPECT_TRUE(program.waitFor([&] { return std::ranges::count(program.output(), '\n') > lines; })) << piece;
            lines = std::ranges::count(program.output(), '\n');
        }
        program.endInput();
        EXPECT_EQ(program.wait(), 0);
        std::multiset<std::string> printed, expected;
        std::istringstream a(program.output()), b(all);
        for (std::string line; std::getline(a, line);)
            printed.insert(line);
        for (std::string line; std::getline(b, line);)
            expected.insert(line);
        EXPECT_EQ(printed, expected);
    }
    std::filesystem::remove_all(folder);
}

TEST_F(Live, servesMetricsWhileItCaptures) {
    if (!mayCapture()) return;
    Talk talk;
    const std::uint16_t port = freePort();
    const auto program = start({"list", "--metrics-listen", "127.0.0.1:" + std::to_string(port)}, talk);
    talk.exchanges(3);
    std::string answer;
    EXPECT_TRUE(program->waitFor([&] {
        answer = httpGet(port, "/metrics");
        return answer.find("brokerscope_exchanges_total{") != std::string::npos;
    })) << answer;
    EXPECT_EQ(program->interrupt(), 0) << program->errors();
}

} // namespace
} // namespace brokerscope
