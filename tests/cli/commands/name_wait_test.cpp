// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/name_wait.h"

#include "tests/support/made_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TopicId orders{1}, clicks{2};

class NameWaitTest : public testing::Test {
  protected:
    // A CreateTopics response that names a topic.
    void name(const TopicId& id) {
        MessageBytes request, response;
        request.request(19, 7, 1, "c", true).uvarint(1).i32(1000).i8(0).uvarint(0);
        response.i32(1).uvarint(0).i32(0).uvarint(2).compact("t").raw({reinterpret_cast<const char*>(id.data()), 16});
        response.i16(0).uvarint(0).i32(1).i16(1).uvarint(1).uvarint(0).uvarint(0);
        m_names.learn(m_maker.make(request, &response));
    }
    void add(std::uint64_t number, std::set<TopicId> ids) {
        EndedExchange ended;
        ended.exchange.id = ExchangeId{number};
        m_wait.add(std::move(ended), std::move(ids));
    }

    ExchangeMaker m_maker;
    TopicNames m_names{Protocol::builtin()};
    std::vector<std::uint64_t> m_passed;
    NameWait m_wait{m_names, [this](EndedExchange&& ended) { m_passed.push_back(ended.exchange.id.value); }};
};

TEST_F(NameWaitTest, whatIsNamedIsReadyWhileNothingWaits) {
    EXPECT_TRUE(m_wait.isReady({}));
    EXPECT_FALSE(m_wait.isReady({orders}));
    name(orders);
    EXPECT_TRUE(m_wait.isReady({orders}));
    add(1, {clicks});
    EXPECT_FALSE(m_wait.isReady({orders}));
}

TEST_F(NameWaitTest, theNamePassesAllThatWaitedInTheirOrder) {
    add(1, {orders});
    add(2, {});
    EXPECT_THAT(m_passed, IsEmpty());
    name(orders);
    add(3, {clicks});
    EXPECT_THAT(m_passed, ElementsAre(1, 2));
    m_wait.finish();
    EXPECT_THAT(m_passed, ElementsAre(1, 2, 3));
}

TEST_F(NameWaitTest, tooManyPassUnnamed) {
    for (std::uint64_t number = 1; number <= NameWait::mostHeld + 2; ++number)
        add(number, {orders});
    EXPECT_THAT(m_passed, ElementsAre(1, 2));
}

} // namespace
} // namespace brokerscope
