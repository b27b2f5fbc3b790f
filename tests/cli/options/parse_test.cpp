// SPDX-License-Identifier: Apache-2.0
#include "cli/options/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;

Options parsed(std::vector<std::string> words) {
    const auto result = parse(words);
    if (result) return result.value().options;
    ADD_FAILURE() << result.error().what;
    return {};
}

std::string complaint(std::vector<std::string> words) {
    const auto result = parse(words);
    return result ? "(no complaint)" : result.error().what;
}

TEST(Parse, takesAFileWithoutACommandForASummary) {
    const auto result = parse(std::vector<std::string>{"cap.pcap", "--limit"});
    EXPECT_FALSE(result);
    const std::vector<std::string> words = {"cap.pcap", "-q"};
    const auto summary = parse(words);
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary.value().command, CommandId::Summary);
    EXPECT_FALSE(summary.value().commandTyped);
    EXPECT_TRUE(summary.value().options.quiet);
}

TEST(Parse, readsValuesBesideAndBehindTheirOption) {
    EXPECT_EQ(parsed({"list", "--limit=3", "f"}).limit, 3u);
    EXPECT_EQ(parsed({"list", "--limit", "4", "f"}).limit, 4u);
    EXPECT_EQ(parsed({"list", "f", "--format", "ndjson"}).format, Format::Ndjson);
    EXPECT_EQ(parsed({"list", "f", "--time=delta"}).time, TimeFormat::Delta);
    EXPECT_EQ(parsed({"list", "f"}).time, std::nullopt);
}

TEST(Parse, collectsRepeatedPortsAndListedColumns) {
    EXPECT_THAT(parsed({"list", "--port", "9092", "--port", "19092", "f"}).ports, ElementsAre(9092, 19092));
    EXPECT_THAT(parsed({"list", "--columns", "time,api", "--columns", "error", "f"}).columns,
                ElementsAre("time", "api", "error"));
    EXPECT_THAT(parsed({"list", "--port", "9092", "f", "g"}).arguments, ElementsAre("f", "g"));
    EXPECT_THAT(parsed({"list", "--keylog", "a,b", "--keylog=c", "f"}).keyLogs, ElementsAre("a,b", "c"));
}

TEST(Parse, keepsArgumentsInOrderAmongOptions) {
    EXPECT_THAT(parsed({"show", "a.pcap", "--hex", "b.pcap", "3-5"}).arguments, ElementsAre("a.pcap", "b.pcap", "3-5"));
    EXPECT_THAT(parsed({"decode", "request", "-"}).arguments, ElementsAre("request", "-"));
    EXPECT_THAT(parsed({"list", "-q", "--", "--odd-name"}).arguments, ElementsAre("--odd-name"));
}

TEST(Parse, refusesBadValuesWithTheirRange) {
    EXPECT_EQ(complaint({"list", "--port", "0", "f"}), "--port needs a number from 1 to 65535, not '0'");
    EXPECT_EQ(complaint({"list", "--port", "70000", "f"}), "--port needs a number from 1 to 65535, not '70000'");
    EXPECT_EQ(complaint({"list", "--limit", "3x", "f"}), "--limit needs a whole number, not '3x'");
    EXPECT_EQ(complaint({"list", "--limit", "99999999999999999999", "f"}),
              "--limit needs a whole number, not '99999999999999999999'");
}

TEST(Parse, suggestsTheNearestWord) {
    EXPECT_EQ(complaint({"list", "--format", "njson", "f"}), "--format knows no 'njson'; did you mean ndjson?");
    EXPECT_EQ(complaint({"list", "--color", "purple", "f"}), "--color knows no 'purple'; it takes auto, always, never");
    EXPECT_EQ(complaint({"list", "--fromat", "csv", "f"}), "list has no option --fromat; did you mean --format?");
    EXPECT_EQ(complaint({"list", "--prot", "1", "f"}), "list has no option --prot; did you mean --port?");
    EXPECT_EQ(complaint({"list", "--columns", "time,latnecy", "f"}).substr(0, 27), "--columns knows no 'latnecy");
    EXPECT_EQ(complaint({"list", "-Z", "f"}), "list has no option -Z; see brokerscope help list");
}

TEST(Parse, saysWhatIsMissing) {
    EXPECT_EQ(complaint({"list", "f", "--limit"}), "--limit needs a value; see brokerscope help list");
    EXPECT_EQ(complaint({"list"}),
              "list needs FILE..., for example: brokerscope list --format ndjson orders.pcapng | jq .totalTimeMs");
    EXPECT_EQ(complaint({"completions", "bash", "zsh"}),
              "completions takes SHELL and nothing more, so 'zsh' is one too many");
    EXPECT_NE(complaint({}).find("no capture file given"), std::string::npos);
}

TEST(Parse, takesAnInterfaceInsteadOfFiles) {
    EXPECT_EQ(parsed({"list", "-i", "lo", "--interface", "eth0"}).interfaces, (std::vector<std::string>{"lo", "eth0"}));
}

TEST(Parse, asksForNoArgumentsWhenHelpOrVersionIsWanted) {
    EXPECT_TRUE(parsed({"list", "--help"}).help);
    EXPECT_TRUE(parsed({"--version"}).version);
    EXPECT_TRUE(parsed({"-h"}).help);
    EXPECT_TRUE(parsed({"help", "--man"}).man);
}

TEST(Parse, knowsOptionsOnlyOfTheCommandTyped) {
    EXPECT_EQ(complaint({"list", "--hex", "f"}), "list has no option --hex; show has it");
    EXPECT_TRUE(parsed({"show", "-x", "f", "1"}).hex);
}

} // namespace
} // namespace brokerscope
