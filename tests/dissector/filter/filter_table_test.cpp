// SPDX-License-Identifier: Apache-2.0
// Every line of filter_table.tsv: a sample, a filter, and the numbers of the exchanges that it fits, which
// check_filter_table.py has found a second way. And whatever is typed: no expression crashes.
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/filter/exchange_subject.h"
#include "dissector/filter/filter_names.h"
#include "tests/support/capture_reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

namespace brokerscope {
namespace {

struct Row {
    std::string filter, numbers;
    std::optional<Filter> compiled;
    std::vector<std::uint64_t> found;
};

std::map<std::string, std::vector<Row>> readTable() {
    std::map<std::string, std::vector<Row>> bySample;
    std::ifstream file(BROKERSCOPE_SOURCE_DIR "/tests/dissector/filter/filter_table.tsv");
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        std::istringstream columns(line);
        std::string sample, python;
        Row row;
        std::getline(columns, sample, '\t');
        std::getline(columns, row.filter, '\t');
        std::getline(columns, python, '\t');
        std::getline(columns, row.numbers, '\t');
        bySample[sample].push_back(std::move(row));
    }
    return bySample;
}

// "1-3,7"
std::string compact(std::vector<std::uint64_t> numbers) {
    std::ranges::sort(numbers);
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        if (!text.empty()) text += ',';
        text += std::to_string(numbers[i]);
        if (last > i) text.append("-").append(std::to_string(numbers[last]));
        i = last + 1;
    }
    return text.empty() ? "none" : text;
}

// Reads a sample and asks `each` about every exchange, with the subject that filters look at.
void readSample(const std::string& sample, const std::function<void(ExchangeSubject&, const Exchange&)>& each) {
    TopicNames names(Protocol::builtin());
    ExchangeFactsReader facts(Protocol::builtin());
    FilterSettings settings;
    settings.topicName = [&](const TopicId& id) { return std::string(names.name(id)); };
    std::optional<ExchangeSubject> subject;
    test::EachExchange sink([&](const Exchange& exchange) {
        const ExchangeFacts& read = facts.read(exchange);
        names.learn(exchange);
        subject.emplace(Protocol::builtin(), settings);
        subject->assign(exchange, &read.request, &read.response);
        each(*subject, exchange);
    });
    const std::vector<std::string> paths = {std::string(BROKERSCOPE_SOURCE_DIR "/samples/") + sample};
    auto source = openCapture(paths);
    ASSERT_TRUE(source);
    Packet first;
    ASSERT_TRUE((*source)->next(first));
    settings.captureStart = first.time;
    test::readCapture("samples/" + sample, sink);
}

TEST(FilterTable, fitsTheExchangesThatItSays) {
    std::size_t rows = 0;
    for (auto& [sample, filters] : readTable()) {
        for (Row& row : filters) {
            auto compiled = Filter::compile(row.filter, Protocol::builtin());
            if (const auto* error = std::get_if<FilterError>(&compiled))
                ADD_FAILURE() << describe(*error, row.filter);
            else
                row.compiled.emplace(std::move(std::get<Filter>(compiled)));
        }
        readSample(sample, [&](ExchangeSubject& subject, const Exchange& exchange) {
            for (Row& row : filters)
                if (row.compiled && row.compiled->matches(subject)) row.found.push_back(exchange.id.value);
        });
        for (const Row& row : filters)
            EXPECT_EQ(compact(row.found), row.numbers) << sample << ": " << row.filter;
        rows += filters.size();
    }
    EXPECT_GE(rows, 150u);
}

// Pieces of expressions put together at random, mostly by the grammar and sometimes not.
class RandomExpressions {
  public:
    std::string next() {
        std::string text = expression(0);
        while (m_random() % 4 == 0 && !text.empty()) { // now and then damaged
            const std::size_t at = m_random() % text.size();
            if (m_random() % 2)
                text.erase(at, 1 + m_random() % 3);
            else
                text.insert(at, 1, static_cast<char>(m_random() % 256));
        }
        return text;
    }

  private:
    template<class Choices>
    auto one(const Choices& choices) {
        return choices[m_random() % std::size(choices)];
    }

    std::string expression(int depth) {
        switch (m_random() % (depth < 5 ? 6 : 2)) {
        case 2:
            return expression(depth + 1) + (m_random() % 2 ? " and " : " && ") + expression(depth + 1);
        case 3:
            return expression(depth + 1) + (m_random() % 2 ? " or " : " || ") + expression(depth + 1);
        case 4:
            return (m_random() % 2 ? "not " : "!") + expression(depth + 1);
        case 5:
            return fmt::format("({})", expression(depth + 1));
        default:
            return comparison();
        }
    }

    std::string comparison() {
        static const char* const operators[] = {"==", "!=", "<", "<=", ">", ">=", "contains", "matches"};
        std::string text(one(filterNames()).name);
        if (text.ends_with('.')) text += one(paths);
        if (m_random() % 5 == 0) return text;
        if (m_random() % 5 == 0) return fmt::format("{} in {{{}, {}}}", text, value(), value());
        return fmt::format("{} {} {}", text, one(operators), value());
    }

    std::string value() {
        static const char* const values[] = {"0",
                                             "-1",
                                             "17",
                                             "1e9",
                                             "100ms",
                                             "2KiB",
                                             "\"a\"",
                                             "\"(\"",
                                             "\"[a-\"",
                                             "Fetch",
                                             "orders",
                                             "paired",
                                             "9223372036854775808",
                                             "10.0.0.0/8",
                                             "[fd77::13]:9097",
                                             "\"2026-11-29\"",
                                             "NONE",
                                             "3.5s",
                                             "{}",
                                             "\"\\"};
        return one(values);
    }

    static constexpr const char* paths[] = {"topics",      "topics.partitions.leaderId", "errorCode", "a.b.c.d", "",
                                            "brokers.host"};
    std::mt19937 m_random{20261129};
};

TEST(FilterTable, survivesAThousandRandomExpressions) {
    RandomExpressions expressions;
    std::vector<Filter> compiled;
    for (int i = 0; i < 1000; ++i) {
        const std::string text = expressions.next();
        auto result = Filter::compile(text, Protocol::builtin());
        if (const auto* error = std::get_if<FilterError>(&result))
            EXPECT_FALSE(describe(*error, text).empty());
        else
            compiled.push_back(std::move(std::get<Filter>(result)));
    }
    EXPECT_GT(compiled.size(), 50u) << "most were refused: they test little";
    std::uint64_t fitting = 0;
    readSample("errors.pcap.zst", [&](ExchangeSubject& subject, const Exchange& exchange) {
        if (exchange.id.value % 20 != 0) return;
        for (Filter& filter : compiled)
            fitting += filter.matches(subject);
    });
    EXPECT_GT(fitting, 0u);
}

} // namespace
} // namespace brokerscope
