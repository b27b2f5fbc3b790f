// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/filter_lexer.h"
#include "dissector/filter/filter_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view text) {
    std::vector<std::string> result;
    for (const FilterToken& token : lexFilter(text))
        result.push_back(token.text);
    return result;
}

TEST(FilterLexer, signsNeedNoSpaces) {
    EXPECT_THAT(texts("api==Fetch&&!(latency>=100ms)"),
                ElementsAre("api", "==", "Fetch", "&&", "!", "(", "latency", ">=", "100ms", ")", ""));
}

TEST(FilterLexer, addressesSetsAndRangesAreWords) {
    EXPECT_THAT(
        texts("addr == [fd77::13]:9097 or port in {9092, 9093..9096}"),
        ElementsAre("addr", "==", "[fd77::13]:9097", "or", "port", "in", "{", "9092", ",", "9093..9096", "}", ""));
}

TEST(FilterLexer, stringsKeepBackslashesOfRegularExpressions) {
    EXPECT_THAT(texts(R"("a\"b" 'c d' r"\d+" "\.x\n")"), ElementsAre("a\"b", "c d", R"(\d+)", "\\.x\n", ""));
}

TEST(FilterLexer, anOpenStringAndAStrangeSignAreTold) {
    EXPECT_EQ(lexFilter("topic == \"x").at(2).kind, FilterToken::Kind::BadString);
    EXPECT_EQ(lexFilter("topic % 3").at(1).kind, FilterToken::Kind::BadCharacter);
}

TEST(FilterNames, areUniqueAndExplained) {
    std::vector<std::string_view> seen;
    for (const FilterNameRow& row : filterNames()) {
        EXPECT_EQ(std::count(seen.begin(), seen.end(), row.name), 0) << row.name;
        EXPECT_FALSE(row.help.empty()) << row.name;
        EXPECT_NE(row.example.find(row.name), std::string_view::npos) << row.name;
        seen.push_back(row.name);
    }
}

TEST(FilterNames, theNearestAreSuggestedFirst) {
    EXPECT_THAT(nearest("latncy", {"topic", "latency", "wait"}), ElementsAre("latency"));
    EXPECT_THAT(nearest("req", {"request.size", "records"}), ElementsAre("request.size"));
    EXPECT_TRUE(nearest("zzzz", {"topic", "latency"}).empty());
}

} // namespace
} // namespace brokerscope
