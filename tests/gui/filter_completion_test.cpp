// SPDX-License-Identifier: Apache-2.0
#include "gui/models/filter_completion.h"

#include "dissector/filter/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

struct FilterCompletion : testing::Test {
    FilterCompletion() {
        seen.apis = {{QStringLiteral("Fetch"), 40}, {QStringLiteral("Produce"), 7}};
        seen.topics = {{QStringLiteral("orders"), 12}, {QStringLiteral("odd name"), 1}};
        seen.complete = true;
    }
    std::vector<std::string> at(const char* text) { // the cursor stands at |
        QString whole = QString::fromUtf8(text);
        const qsizetype cursor = whole.indexOf(u'|');
        whole.remove(cursor, 1);
        last = complete(whole, cursor, Protocol::builtin(), seen);
        std::vector<std::string> words;
        for (const Suggestion& suggestion : last.suggestions)
            words.push_back(suggestion.text.toStdString());
        return words;
    }

    SeenValues seen;
    Completion last;
};

TEST_F(FilterCompletion, offersNamesWhereATestMayBegin) {
    EXPECT_THAT(at("late|"), ElementsAre("latency"));
    EXPECT_THAT(at("api == Fetch and late|"), ElementsAre("latency"));
    EXPECT_THAT(at("not (late|"), ElementsAre("latency"));
    EXPECT_THAT(at("|"), Contains("api"));
}

TEST_F(FilterCompletion, offersOperatorsBehindAName) {
    EXPECT_THAT(at("api |"), ElementsAre("==", "!=", "<", "<=", ">", ">=", "in", "contains", "matches", "and", "or"));
}

TEST_F(FilterCompletion, offersValuesOfTheCaptureTheMostFrequentFirst) {
    const auto values = at("api == |");
    ASSERT_GE(values.size(), 3U);
    EXPECT_EQ(values[0], "Fetch");
    EXPECT_EQ(values[1], "Produce");
    EXPECT_EQ(last.suggestions[0].detail.toStdString(), "40");
    EXPECT_THAT(at("topic == o|"), ElementsAre("orders", "\"odd name\""));
    EXPECT_THAT(at("topic in {orders, |"), ElementsAre("orders", "\"odd name\""));
    EXPECT_THAT(at("status == un|"), ElementsAre("unanswered"));
}

TEST_F(FilterCompletion, offersOnlyJoiningWordsBehindAFinishedTest) {
    EXPECT_THAT(at("topic == orders |"), ElementsAre("and", "or"));
    EXPECT_THAT(at("topic in {orders} |"), ElementsAre("and", "or"));
}

TEST_F(FilterCompletion, offersFieldsOfTheApiThatWasNamed) {
    EXPECT_THAT(at("api == Fetch and request.maxW|"), ElementsAre("request.maxWaitMs"));
    EXPECT_THAT(at("api == Heartbeat and request.maxW|"), IsEmpty());
    EXPECT_THAT(at("response.topics.partitions.highW|"), Contains("response.topics.partitions.highWatermark"));
}

TEST_F(FilterCompletion, replacesTheWholeWordUnderTheCursor) {
    at("latncy| > 1ms");
    EXPECT_EQ(last.begin, 0);
    EXPECT_EQ(last.end, 6);
    at("topic == \"od|d\" and x");
    EXPECT_EQ(last.begin, 9);
    EXPECT_EQ(last.end, 14);
}

TEST_F(FilterCompletion, doubtsValuesThatTheCaptureDoesNotHave) {
    EXPECT_EQ(doubt(QStringLiteral("topic == \"order\""), seen).toStdString(),
              "No topic is called \"order\" in this capture");
    EXPECT_TRUE(doubt(QStringLiteral("topic == orders"), seen).isEmpty());
    EXPECT_TRUE(doubt(QStringLiteral("topic contains \"order\""), seen).isEmpty());
    seen.complete = false; // still loading: it may come
    EXPECT_TRUE(doubt(QStringLiteral("topic == order"), seen).isEmpty());
}

TEST_F(FilterCompletion, writesLiteralsThatTheFilterReadsBack) {
    for (const char* value : {"orders", "odd name", "say \"x\"", "back\\slash", "and", "10.77.0.11:9092", "-x", ""}) {
        const QString text = QStringLiteral("topic == ") + filterLiteral(QString::fromUtf8(value));
        EXPECT_TRUE(std::holds_alternative<Filter>(Filter::compile(text.toStdString(), Protocol::builtin())))
            << text.toStdString();
    }
}

} // namespace
} // namespace brokerscope
