// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/filter.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>

#include <map>
#include <random>

namespace brokerscope {
namespace {

// A made-up exchange: a Fetch of two topics that took 250 ms and failed in one partition.
class MadeUp : public FilterSubject {
  public:
    MadeUp() { inet_pton(AF_INET, "10.77.0.2", m_address.bytes.data()); }

    bool visitValues(FilterField field, const std::vector<std::string>& path, const Visitor& visit) override {
        const auto number = [&](long double n) { return visit({.number = n, .text = {}, .address = nullptr}); };
        const auto text = [&](std::string_view t) { return visit({.number = {}, .text = t, .address = nullptr}); };
        asked.push_back(field);
        switch (field) {
        case FilterField::Api:
            return visit({.number = 1, .text = "Fetch", .address = nullptr});
        case FilterField::ApiKey:
            return number(1);
        case FilterField::Version:
            return number(17);
        case FilterField::Topic:
            return text("orders") || text("payments");
        case FilterField::Latency:
            return number(250e6L);
        case FilterField::RequestSize:
            return number(65536);
        case FilterField::Error:
            return visit({.number = 6, .text = "NOT_LEADER_OR_FOLLOWER", .address = nullptr});
        case FilterField::ErrorCode:
            return number(6);
        case FilterField::Retriable:
            return number(1);
        case FilterField::Slow:
            return number(0);
        case FilterField::Status:
            return text("paired");
        case FilterField::Client:
            return visit({.number = {}, .text = "10.77.0.2:41234", .address = &m_address});
        case FilterField::Time:
            return number(12.5e9L);
        case FilterField::TimeAbsolute:
            return number(1795966087.25e9L); // 2026-11-29 15:28:07.25
        case FilterField::Offset:
            return number(9007199254740993LL); // more than a double holds
        case FilterField::ClientId:
            return text("billing-1");
        case FilterField::ResponsePath:
            return path == std::vector<std::string>{"responses", "partitions", "highWatermark"} && number(1042);
        default:
            return false;
        }
    }

    std::vector<FilterField> asked;

  private:
    Address m_address;
};

bool holds(std::string_view text) {
    auto filter = Filter::compile(text, Protocol::builtin());
    if (const auto* error = std::get_if<FilterError>(&filter)) {
        ADD_FAILURE() << describe(*error, text);
        return false;
    }
    MadeUp subject;
    return std::get<Filter>(filter).matches(subject);
}

FilterError errorOf(std::string_view text) {
    auto filter = Filter::compile(text, Protocol::builtin());
    if (auto* error = std::get_if<FilterError>(&filter)) return *error;
    ADD_FAILURE() << "compiled: " << text;
    return {};
}

TEST(Filter, holdsWhereItShould) {
    for (const std::string_view text : {
             "api == Fetch",
             "api == fetch",
             "api == 1",
             "api.key == 1",
             "api.key eq 1",
             "api in {Produce, Fetch}",
             "api contains \"etc\"",
             "api matches \"^f\"",
             "version >= 17",
             "version in {3, 10..20}",
             "version <= 0x11",
             "topic == orders",
             "topic == \"payments\"",
             "topic != orders",
             "topic contains ord",
             "topic in {a, payments}",
             "not topic == invoices",
             "latency > 100ms",
             "latency >= 0.25s",
             "latency > 249",
             "latency < 1min",
             "request.size == 64KiB",
             "request.size > 65kB",
             "error",
             "error == 6",
             "error == NOT_LEADER_OR_FOLLOWER",
             "error == not_leader_or_follower",
             "error.code in {3, 6}",
             "error and retriable",
             "retriable == true",
             "not slow",
             "slow == false",
             "status == paired",
             "client == 10.77.0.2",
             "client == 10.77.0.0/16",
             "client == 10.77.0.2:41234",
             "client != 10.78.0.0/16",
             "client in {10.0.0.1, 10.77.0.2}",
             "time > 12.4",
             "time < 12600ms",
             "time > \"2026-11-29 15:28\"",
             "time < \"2026-11-29T15:28:07.5Z\"",
             "time in {\"2026-11-29\"..\"2026-11-30\"} or api",
             "offset == 9007199254740993",
             "not offset == 9007199254740992",
             "client.id matches r\"^billing-\\d+$\"",
             "response.responses.partitions.highWatermark > 1000",
             "api == Fetch and latency > 100ms and topic == \"orders\"",
             "(api == Produce or api == Fetch) && !(version < 4)",
             "not not api",
             "group or api",
             "!group",
         })
        EXPECT_TRUE(holds(text)) << text;
}

TEST(Filter, holdsNotWhereItShouldNot) {
    for (const std::string_view text : {
             "api == Produce",
             "api.key != 1",
             "version < 17",
             "version in {1, 2, 18..20}",
             "topic == order",
             "topic contains \"Orders\"",
             "topic matches \"^s\"",
             "not topic == orders",
             "latency > 1s",
             "latency <= 249ms",
             "request.size > 64KiB",
             "error == 3",
             "error and not retriable",
             "slow",
             "slow == true",
             "status == unanswered",
             "client == 10.77.0.3",
             "client == 10.78.0.0/16",
             "client != 10.77.0.0/16",
             "time > 12.6s",
             "time > \"2026-11-30\"",
             "group",
             "group == x",
             "group != x",
             "response.responses.partitions.highWatermark > 2000",
             "api == Fetch and version == 3",
             "not api",
             "member",
         })
        EXPECT_FALSE(holds(text)) << text;
}

TEST(Filter, errorsPointAtThePlace) {
    const std::string_view text = "api == Fetch and latncy > 100ms";
    const FilterError error = errorOf(text);
    EXPECT_EQ(error.begin, 17u);
    EXPECT_EQ(error.end, 23u);
    EXPECT_EQ(describe(error, text), "api == Fetch and latncy > 100ms\n"
                                     "                 ^^^^^^\n"
                                     "Unknown name \"latncy\"; did you mean latency?");
}

TEST(Filter, errorsSayWhatIsWrong) {
    const std::pair<std::string_view, std::string_view> rows[] = {
        {"", "A name is missing here"},
        {"api ==", "A value is missing here"},
        {"api == Fetsh", "There is no API \"Fetsh\""},
        {"error == NOT_LEADER", "There is no error \"NOT_LEADER\""},
        {"topic == \"x", "This text has no closing quote"},
        {"(api == Fetch", "A \")\" is missing here"},
        {"api == Fetch)", "Expected \"and\", \"or\" or the end here"},
        {"api Fetch", "Expected \"and\", \"or\" or the end here"},
        {"version == x", "version is a number"},
        {"version == 3ms", "version is a number"},
        {"latency > 3kB", "latency is a length of time, as in 100ms"},
        {"request.size > 3s", "request.size is a size, as in 64KiB"},
        {"version contains 3", "version is no text; \"contains\" needs one"},
        {"topic matches \"(\"", "Not a regular expression: missing ): ("},
        {"version in 3", "A \"{\" is missing here, as in {1, 2, 5..9}"},
        {"version in {3", "A \"}\" is missing here"},
        {"slow == 3", "slow is true or false"},
        {"status == paird", "There is no status \"paird\""},
        {"time > yesterday",
         "time is compared with seconds since the capture's begin or a date like \"2026-11-29 14:55:01\""},
        {"request.maxWait > 3", "No request has a field \"maxWait\""},
        {"topic % 3", "Expected \"and\", \"or\" or the end here"},
        {"and", "Unknown name \"and\""},
    };
    for (const auto& [text, message] : rows)
        EXPECT_EQ(errorOf(text).message, message) << text;
    EXPECT_EQ(errorOf("request.maxWait > 3").suggestions.front(), "request.maxWaitMs");
    EXPECT_EQ(errorOf("error == NOT_LEADER").suggestions.front(), "NOT_LEADER_OR_FOLLOWER");
}

TEST(Filter, cheapTestsComeFirst) {
    auto filter = Filter::compile("topic == x and version == 3", Protocol::builtin());
    MadeUp subject;
    EXPECT_FALSE(std::get<Filter>(filter).matches(subject));
    EXPECT_EQ(subject.asked, std::vector<FilterField>{FilterField::Version});
    EXPECT_EQ(std::get<Filter>(filter).cost(), FilterCost::Skim);
}

TEST(Filter, everyExampleOfTheHelpCompiles) {
    for (const FilterNameRow& row : filterNames()) {
        const auto filter = Filter::compile(row.example, Protocol::builtin());
        EXPECT_TRUE(std::holds_alternative<Filter>(filter)) << row.example;
    }
}

TEST(Filter, noTextCrashesIt) {
    const std::string_view pieces[] = {"api",   "==", "(", ")",  "not",   "and",  "or",
                                       "\"x\"", "{",  "}", "in", "1..5",  "10ms", "topic",
                                       ",",     "!",  "%", "\"", "error", "time", "matches"};
    std::mt19937 random(7);
    for (int round = 0; round < 5000; ++round) {
        std::string text;
        for (unsigned i = 0, count = random() % 12; i < count; ++i)
            text += std::string(pieces[random() % std::size(pieces)]) + (random() % 3 ? " " : "");
        auto filter = Filter::compile(text, Protocol::builtin());
        MadeUp subject;
        if (auto* compiled = std::get_if<Filter>(&filter)) compiled->matches(subject);
    }
    errorOf(std::string(100000, '('));
    errorOf(std::string(100000, '!'));
}

} // namespace
} // namespace brokerscope
