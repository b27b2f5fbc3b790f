// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/job_runner.h"

#include "tests/gui/loaded.h"

#include <QThread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;

struct Jobs : testing::Test {
    bool finish() {
        return waitFor([this] { return jobs.idle(); });
    }

    JobRunner jobs;
    std::vector<int> delivered;
};

TEST_F(Jobs, deliverInTheThreadOfTheWindow) {
    const QThread* const here = QThread::currentThread();
    const QThread* there = nullptr;
    bool same = false;
    jobs.start(JobKind::Find, [&](JobContext& context) {
        there = QThread::currentThread();
        context.deliver([&] { same = QThread::currentThread() == here; });
    });
    ASSERT_TRUE(finish());
    EXPECT_TRUE(same);
    EXPECT_NE(there, here);
}

TEST_F(Jobs, serveOnlyTheNewestWishOfAKind) {
    std::atomic<bool> first{false};
    jobs.start(JobKind::Order, [&](JobContext& context) {
        first = true;
        while (!context.stopped())
            QThread::msleep(1);
        context.deliver([&] { delivered.push_back(1); });
    });
    while (!first)
        QThread::msleep(1);
    for (int wish = 2; wish <= 5; ++wish)
        jobs.start(JobKind::Order,
                   [&, wish](JobContext& context) { context.deliver([&, wish] { delivered.push_back(wish); }); });
    ASSERT_TRUE(finish());
    EXPECT_THAT(delivered, ElementsAre(5));
}

TEST_F(Jobs, ofDifferentKindsDoNotDisturbEachOther) {
    jobs.start(JobKind::Order, [&](JobContext& context) { context.deliver([&] { delivered.push_back(1); }); });
    jobs.start(JobKind::Find, [&](JobContext& context) { context.deliver([&] { delivered.push_back(2); }); });
    ASSERT_TRUE(finish());
    EXPECT_THAT(delivered, testing::UnorderedElementsAre(1, 2));
}

TEST_F(Jobs, thatAreCancelledDeliverNothing) {
    jobs.start(JobKind::Order, [&](JobContext& context) { context.deliver([&] { delivered.push_back(1); }); });
    jobs.cancel(JobKind::Order);
    EXPECT_TRUE(jobs.idle());
    waitFor([] { return false; }, 50);
    EXPECT_TRUE(delivered.empty());
}

TEST_F(Jobs, thatAreInterruptedStillDeliverWhatTheyHave) {
    jobs.start(JobKind::Order, [&](JobContext& context) {
        while (!context.stopped())
            QThread::msleep(1);
        context.deliver([&] { delivered.push_back(7); });
    });
    jobs.interrupt(JobKind::Order);
    ASSERT_TRUE(finish());
    EXPECT_THAT(delivered, ElementsAre(7));
}

TEST_F(Jobs, tellOfTheirProgressNowAndThen) {
    int heard = 0;
    QObject::connect(&jobs, &JobRunner::progressed, &jobs, [&](JobKind, quint64, quint64, quint64) { ++heard; });
    jobs.start(JobKind::Export, [&](JobContext& context) {
        for (int i = 0; i < 250; ++i) {
            context.progress(static_cast<std::uint64_t>(i), 250);
            QThread::msleep(1);
        }
    });
    ASSERT_TRUE(finish());
    EXPECT_GE(heard, 1);
    EXPECT_LE(heard, 6);
}

TEST_F(Jobs, areStoppedAndJoinedWhenTheWindowGoes) {
    std::atomic<bool> begun{false}, ended{false};
    {
        JobRunner other;
        other.start(JobKind::Detail, [&](JobContext& context) {
            begun = true;
            while (!context.stopped())
                QThread::msleep(1);
            ended = true;
        });
        while (!begun)
            QThread::msleep(1);
    }
    EXPECT_TRUE(ended);
}

} // namespace
} // namespace brokerscope
