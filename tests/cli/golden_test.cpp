// SPDX-License-Identifier: Apache-2.0
// What the commands print for the shipped samples, held against text files in tests/cli/golden. A difference leaves a
// NAME.actual beside the build and prints the diff. When the change is meant, run the test with
// BROKERSCOPE_UPDATE_GOLDENS=1 and read the diff of the files as part of the change.
#include "tests/cli/run_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace brokerscope {
namespace {

struct Golden {
    const char* name;
    std::vector<std::string> words;
    const char* columns = ""; // of the terminal; empty: the output is no terminal
    int status = 0;
};

std::ostream& operator<<(std::ostream& out, const Golden& golden) {
    return out << golden.name;
}

const std::vector<Golden>& goldens() {
    static const std::vector<Golden> table = {
        {"help", {"--help"}},
        {"help-list", {"help", "list"}},
        {"help-decode", {"help", "decode"}},
        {"summary-first-steps", {"samples/first-steps.pcap"}, "80"},
        {"summary-errors", {"summary", "samples/errors.pcap.zst"}, "80"},
        {"summary-errors-120", {"summary", "samples/errors.pcap.zst"}, "120"},
        {"summary-sasl", {"summary", "samples/sasl.pcap"}, "80"},
        {"summary-kafka-0.8", {"summary", "samples/kafka-0.8.pcap"}, "80"},
        {"summary-first-steps.json", {"summary", "--format", "ndjson", "samples/first-steps.pcap"}},
        {"list-first-steps", {"list", "samples/first-steps.pcap"}, "120"},
        {"list-first-steps-80", {"list", "samples/first-steps.pcap"}, "80"},
        {"list-first-steps-wide", {"list", "samples/first-steps.pcap"}},
        {"list-first-steps-color", {"list", "--color", "always", "--limit", "30", "samples/first-steps.pcap"}, "120"},
        {"list-errors-filtered",
         {"list", "-Y", "error and not retriable and not api == Heartbeat", "samples/errors.pcap.zst"},
         "120"},
        {"list-columns",
         {"list", "--columns", "exchange,time,api,status,waitReason,packets", "--time", "abs",
          "samples/long-poll.pcap"},
         "120"},
        {"list-first-steps.csv", {"list", "--format", "csv", "samples/first-steps.pcap"}},
        {"list-no-bodies.ndjson",
         {"list", "--format", "ndjson", "--no-bodies", "--limit", "12", "samples/produce-acks.pcap"}},
        {"list-bodies.ndjson",
         {"list", "--format", "ndjson", "-Y", "api in {Metadata, EndTxn, Produce}", "--limit", "4",
          "samples/transactions.pcap"}},
        {"list-records.ndjson",
         {"list", "--format", "ndjson", "--records", "-Y", "api == Produce", "--limit", "2",
          "samples/produce-acks.pcap"}},
        {"list-sasl.ndjson",
         {"list", "--format", "ndjson", "-Y", "api == SaslAuthenticate or status == sasl-token", "samples/sasl.pcap"}},
        {"list-expand.ndjson",
         {"list", "--format", "ndjson", "--expand", "-Y", "api == JoinGroup", "--limit", "1",
          "samples/first-steps.pcap"}},
        {"list-timing",
         {"list", "--columns", "exchange,api,totalTimeMs,waitReason,blockedMs,thinkMs,inFlight,sentAgain,roundTripMs",
          "samples/lossy.pcap.zst"},
         "120"},
        {"stats-80", {"stats", "samples/throttle.pcap.zst"}, "80"},
        {"stats-120", {"stats", "--by", "clientId,api", "samples/produce-acks.pcap"}, "120"},
        {"stats-parts-80", {"stats", "--show", "parts", "samples/lossy.pcap.zst"}, "80"},
        {"stats-parts-120", {"stats", "--show", "parts", "samples/lossy.pcap.zst"}, "120"},
        {"stats-traffic-120", {"stats", "--show", "traffic", "samples/throttle.pcap.zst"}, "120"},
        {"stats-records-120", {"stats", "--show", "records", "--by", "topic,partition", "samples/codecs.pcap"}, "120"},
        {"stats-interval-80", {"stats", "--by", "api", "--interval", "1s", "samples/long-poll.pcap"}, "80"},
        {"stats-histogram-80", {"stats", "--histogram", "-Y", "api == Produce", "samples/produce-acks.pcap"}, "80"},
        {"stats-error.ndjson", {"stats", "--by", "error", "--format", "ndjson", "samples/errors.pcap.zst"}},
        {"stats-interval.csv",
         {"stats", "--by", "api", "--interval", "1s", "--format", "csv", "samples/long-poll.pcap"}},
        {"show-lossy", {"show", "samples/lossy.pcap.zst", "46"}, "120"},
        {"show-fetch-session",
         {"show", "-Y", "api == Fetch and response.sessionId > 0 and request.sessionEpoch in {1, 2}",
          "samples/first-steps.pcap"},
         "120"},
        {"show-metadata-log", {"show", "samples/kraft-cluster.pcap.zst", "46"}, "120"},
        {"show-join", {"show", "samples/first-steps.pcap", "22,24"}, "120"},
        {"show-join-80", {"show", "samples/first-steps.pcap", "22"}, "80"},
        {"show-join-notes", {"show", "--notes", "samples/first-steps.pcap", "22"}, "80"},
        {"show-produce", {"show", "samples/first-steps.pcap", "8"}},
        {"show-produce-hex", {"show", "--hex", "samples/first-steps.pcap", "8"}, "120"},
        {"show-produce-hex-80", {"show", "--hex", "samples/first-steps.pcap", "8"}, "80"},
        {"show-compressed-hex", {"show", "--hex", "samples/kafka-0.8.pcap", "14"}, "120"},
        {"show-sasl-hex", {"show", "--hex", "samples/sasl.pcap", "3,110"}, "120"},
        {"show-errors", {"show", "samples/errors.pcap.zst", "-Y", "status == unanswered or damaged"}, "120"},
        {"records-transactions",
         {"records", "--columns", "exchange,direction,topic,partition,offset,time,producer,codec,key,value", "-Y",
          "api == Fetch", "--limit", "40", "samples/transactions.pcap"},
         "120"},
        {"records-metadata-log",
         {"records", "-Y", "topic == \"__cluster_metadata\"", "--limit", "12", "samples/kraft-cluster.pcap.zst"},
         "120"},
        {"records-hex", {"records", "--value-format", "hex", "--limit", "3", "samples/codecs.pcap"}, "120"},
        {"records-json.ndjson",
         {"records", "--value-format", "json", "--format", "ndjson", "--limit", "1", "samples/codecs.pcap"}},
        {"records-produce-acks", {"records", "--limit", "20", "samples/produce-acks.pcap"}, "80"},
        {"records-kafka-0.8.csv", {"records", "--format", "csv", "--limit", "20", "samples/kafka-0.8.pcap"}},
        {"records-codecs.ndjson", {"records", "--format", "ndjson", "--limit", "5", "samples/codecs.pcap"}},
        {"help-check", {"help", "check"}},
        {"check-errors-80", {"check", "samples/errors.pcap.zst"}, "80", 1},
        {"check-errors-120", {"check", "samples/errors.pcap.zst"}, "120", 1},
        {"connections-errors-120", {"connections", "--limit", "12", "samples/errors.pcap.zst"}, "120"},
        {"connections-tls.ndjson",
         {"connections", "--format", "ndjson", "--limit", "2", "samples/tls13-with-secrets.pcapng"},
         ""},
        {"connections-details-80", {"connections", "--details", "samples/first-steps.pcap"}, "80"},
        {"topics-120", {"topics", "samples/transactions.pcap"}, "120"},
        {"topics-details-80", {"topics", "--details", "samples/first-steps.pcap"}, "80"},
        {"topics.ndjson", {"topics", "--format", "ndjson", "samples/first-steps.pcap"}},
        {"groups-classic-80", {"groups", "-Y", "group == group-range", "samples/rebalance-classic.pcap.zst"}, "80"},
        {"groups-kip848-120", {"groups", "-Y", "group == group-next", "samples/rebalance-kip848.pcap.zst"}, "120"},
        {"groups-share-80", {"groups", "samples/share-group.pcap"}, "80"},
        {"groups.ndjson", {"groups", "--format", "ndjson", "samples/first-steps.pcap"}},
        {"transactions-80", {"transactions", "samples/transactions.pcap"}, "80"},
        {"transactions-details-120", {"transactions", "--details", "samples/transactions.pcap"}, "120"},
        {"cluster-kraft-80", {"cluster", "samples/kraft-cluster.pcap.zst"}, "80"},
        {"cluster-errors-120", {"cluster", "samples/errors.pcap.zst"}, "120"},
        {"check-healthy", {"check", "samples/codecs.pcap"}, "80"},
        {"check-notes",
         {"check", "--level", "note", "--ignore", "no-committed-offset", "samples/codecs.pcap"},
         "80",
         1},
        {"check-sasl.ndjson", {"check", "--format", "ndjson", "samples/sasl.pcap"}, "", 1},
        {"join-both-ends",
         {"join", "tests/data/both-ends/client.pcap", "tests/data/both-ends/broker.pcap", "--limit", "4"},
         "120"},
        {"join-both-ends-80",
         {"join", "tests/data/both-ends/client.pcap", "tests/data/both-ends/broker.pcap", "--limit", "4"},
         "80"},
        {"join-broker-log-80",
         {"join", "--broker-log", "tests/data/broker-log/first-steps.jsonl.gz", "samples/first-steps.pcap"},
         "80"},
        {"join-broker-log-120",
         {"join", "--broker-log", "tests/data/broker-log/first-steps.jsonl.gz", "samples/first-steps.pcap"},
         "120"},
        {"join-broker-log.csv",
         {"join", "--format", "csv", "--broker-log", "tests/data/broker-log/first-steps.jsonl.gz",
          "samples/first-steps.pcap"}},
        {"join-both-ends.csv",
         {"join", "--format", "csv", "tests/data/both-ends/client.pcap", "tests/data/both-ends/broker.pcap"}},
        {"flow-transaction-80",
         {"flow", "--transactional-id", "tx-writer", "--limit", "12", "samples/transactions.pcap"},
         "80"},
        {"flow-group-120",
         {"flow", "--group", "group-range", "--limit", "30", "samples/rebalance-classic.pcap.zst"},
         "120"},
        {"flow-ascii", {"flow", "--ascii", "--connection", "2", "samples/produce-acks.pcap"}, "80"},
        {"flow-mermaid", {"flow", "--format", "mermaid", "-Y", "error", "samples/first-steps.pcap"}},
        {"flow-plantuml", {"flow", "--format", "plantuml", "-Y", "error", "samples/first-steps.pcap"}},
        {"decode-heartbeat",
         {"decode", "request", "000c 0004 00000007 0003 6f6e65 00", "0765617465727300000003026d00", "00"}},
        {"decode-cut", {"decode", "response", "--api", "heartbeat", "--api-version", "1", "00000007 000000"}, "", 3},
        {"decode-offset-commit-value.json",
         {"decode", "OffsetCommitValue", "--format", "json", "0001 000000000000000a 0000 00000000000003e8",
          "00000000000007d0"}},
    };
    return table;
}

std::string readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class GoldenTest : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, printsWhatTheGoldenHolds) {
    const Golden& golden = GetParam();
    RunSettings settings;
    if (*golden.columns) settings.environment.emplace_back("COLUMNS", golden.columns);
    const ProgramRun run = runProgram(golden.words, settings);
    EXPECT_EQ(run.status, golden.status) << run.errors;
    const std::string text = run.output + (run.errors.empty() ? "" : "---- standard error\n" + run.errors);

    const std::filesystem::path expected =
        std::filesystem::path(BROKERSCOPE_SOURCE_DIR "/tests/cli/golden") / (std::string(golden.name) + ".txt");
    if (const char* update = std::getenv("BROKERSCOPE_UPDATE_GOLDENS"); update && *update == '1') {
        std::ofstream(expected, std::ios::binary) << text;
        return;
    }
    if (text == readFile(expected)) return;
    const std::filesystem::path actual =
        std::filesystem::path(BROKERSCOPE_BINARY_DIR) / (std::string(golden.name) + ".actual");
    std::ofstream(actual, std::ios::binary) << text;
    const std::string diff = "diff -u '" + expected.string() + "' '" + actual.string() + "' | head -60 >&2";
    ADD_FAILURE() << golden.name << " differs; " << actual << " is what came out (diff: " << std::system(diff.c_str())
                  << ")";
}

std::string testName(const testing::TestParamInfo<Golden>& info) {
    std::string name;
    bool upper = false;
    for (const char c : std::string(info.param.name)) {
        if (c == '-' || c == '.')
            upper = true;
        else
            name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        if (c != '-' && c != '.') upper = false;
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenTest, testing::ValuesIn(goldens()), testName);

TEST(Golden, hasNoFileThatNoTestHolds) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(BROKERSCOPE_SOURCE_DIR "/tests/cli/golden")) {
        const std::string name = entry.path().filename().string();
        const bool known = std::any_of(goldens().begin(), goldens().end(),
                                       [&](const Golden& golden) { return name == std::string(golden.name) + ".txt"; });
        EXPECT_TRUE(known) << name;
        ++files;
    }
    EXPECT_EQ(files, goldens().size());
}

} // namespace
} // namespace brokerscope
