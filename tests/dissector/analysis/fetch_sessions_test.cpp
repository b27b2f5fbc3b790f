// SPDX-License-Identifier: Apache-2.0
// Single steps of a session; whole sessions of real captures are held against a model by tests/payloads.
#include "dissector/analysis/fetch_sessions.h"

#include "tests/support/made_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Topics = std::map<std::string, std::set<std::int32_t>>;

class FetchSessionsTest : public testing::Test {
  protected:
    // A Fetch of version 7, answered with this error and session.
    std::optional<FetchScope> fetch(int session, int epoch, const Topics& topics, const Topics& forgotten,
                                    int answeredSession, int error = 0) {
        MessageBytes request, response;
        request.request(1, 7, 1, "c").i32(-1).i32(500).i32(1).i32(1 << 20).i8(0).i32(session).i32(epoch);
        request.i32(static_cast<int>(topics.size()));
        for (const auto& [topic, partitions] : topics) {
            request.string(topic).i32(static_cast<int>(partitions.size()));
            for (const int partition : partitions)
                request.i32(partition).i64(0).i64(-1).i32(1000);
        }
        request.i32(static_cast<int>(forgotten.size()));
        for (const auto& [topic, partitions] : forgotten) {
            request.string(topic).i32(static_cast<int>(partitions.size()));
            for (const int partition : partitions)
                request.i32(partition);
        }
        response.i32(1).i32(0).i16(error).i32(answeredSession).i32(0);
        return m_sessions.follow(m_maker.make(request, &response));
    }

    static Topics topicsOf(const std::optional<FetchScope>& scope) {
        Topics result;
        for (const auto& [topic, partitions] : scope.value().partitions)
            result[topic.name] = partitions;
        return result;
    }

    ExchangeMaker m_maker;
    FetchSessions m_sessions{Protocol::builtin()};
};

TEST_F(FetchSessionsTest, aRequestThatNamesNothingMeansAllOfItsSession) {
    EXPECT_EQ(fetch(0, 0, {{"orders", {0, 1}}}, {}, 77)->session, 77);
    const auto scope = fetch(77, 1, {}, {}, 77);
    EXPECT_TRUE(scope->incremental());
    EXPECT_TRUE(scope->complete);
    EXPECT_THAT(topicsOf(scope), ElementsAre(Pair("orders", ElementsAre(0, 1))));
}

TEST_F(FetchSessionsTest, partitionsComeAndGo) {
    fetch(0, 0, {{"orders", {0, 1}}}, {}, 77);
    EXPECT_THAT(topicsOf(fetch(77, 1, {{"orders", {2}}, {"clicks", {0}}}, {{"orders", {0}}}, 77)),
                ElementsAre(Pair("clicks", ElementsAre(0)), Pair("orders", ElementsAre(1, 2))));
    EXPECT_THAT(topicsOf(fetch(77, 2, {}, {{"orders", {1, 2}}}, 77)), ElementsAre(Pair("clicks", ElementsAre(0))));
}

TEST_F(FetchSessionsTest, aSessionFromBeforeTheCaptureIsKnownInPart) {
    const auto scope = fetch(5, 100, {{"orders", {3}}}, {}, 5);
    EXPECT_FALSE(scope->complete);
    EXPECT_THAT(topicsOf(scope), ElementsAre(Pair("orders", ElementsAre(3))));
    EXPECT_FALSE(fetch(5, 101, {}, {}, 5)->complete);
    EXPECT_THAT(topicsOf(fetch(5, 102, {}, {}, 5)), ElementsAre(Pair("orders", ElementsAre(3))));
}

TEST_F(FetchSessionsTest, aRefusedOrClosedSessionIsOver) {
    fetch(0, 0, {{"orders", {0}}}, {}, 77);
    fetch(77, 1, {}, {}, 0, 70); // FETCH_SESSION_ID_NOT_FOUND
    EXPECT_FALSE(fetch(77, 2, {}, {}, 77)->complete);
    fetch(0, 0, {{"orders", {0}}}, {}, 78);
    EXPECT_EQ(fetch(78, -1, {{"clicks", {1}}}, {}, 0)->epoch, -1);
    EXPECT_FALSE(fetch(78, 1, {}, {}, 78)->complete);
}

TEST_F(FetchSessionsTest, eachBrokerHasSessionsOfItsOwn) {
    fetch(0, 0, {{"orders", {0}}}, {}, 77);
    m_maker.broker.port = 9093;
    EXPECT_THAT(topicsOf(fetch(77, 1, {}, {}, 77)), IsEmpty());
}

TEST_F(FetchSessionsTest, otherExchangesAreNone) {
    MessageBytes heartbeat;
    heartbeat.request(12, 0, 1, "c").string("g").i32(1).string("m");
    EXPECT_FALSE(m_sessions.follow(m_maker.make(heartbeat)));
}

TEST_F(FetchSessionsTest, theLongestUnusedSessionGoesFirst) {
    for (int session = 1; session <= static_cast<int>(FetchSessions::mostSessions) + 1; ++session)
        fetch(0, 0, {{"orders", {0}}}, {}, session);
    EXPECT_FALSE(fetch(1, 1, {}, {}, 1)->complete);
    EXPECT_TRUE(fetch(3, 1, {}, {}, 3)->complete);
}

} // namespace
} // namespace brokerscope
