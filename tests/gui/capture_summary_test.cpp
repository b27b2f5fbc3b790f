// SPDX-License-Identifier: Apache-2.0
// The summary's numbers, each against the filter that it links to.
#include "gui/models/capture_summary.h"
#include "gui/models/row_filter.h"
#include "tests/gui/loaded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

constexpr Duration slowAbove = std::chrono::milliseconds{100};

CaptureSummary summaryOf(const Capture& capture) {
    return *summarize(capture->index, capture->index.size(), capture->protocol, slowAbove, true, {});
}

// How many exchanges a filter shows.
std::uint32_t shownBy(const Capture& capture, const QString& expression) {
    auto compiled = Filter::compile(expression.toStdString(), capture->protocol);
    auto* filter = std::get_if<Filter>(&compiled);
    if (!filter) return UINT32_MAX;
    FilterWish wish;
    wish.text = expression;
    wish.filter = std::make_shared<const Filter>(std::move(*filter));
    FilterSettings settings;
    settings.slow = slowAbove;
    settings.captureStart = capture->start();
    RowFilter rows(capture->index, capture->protocol, wish, settings);
    std::uint32_t count = 0;
    for (std::uint32_t row = 0; row < capture->index.size(); ++row)
        count += rows.matches(row);
    return count;
}

TEST(CaptureSummary, givesNumbersThatItsFiltersShow) {
    for (const std::string& path : allSamples()) {
        SCOPED_TRACE(path);
        const Capture capture = load({path}).capture;
        const CaptureSummary summary = summaryOf(capture);
        const auto expect = [&](const QString& filter, std::uint32_t count) {
            EXPECT_EQ(shownBy(capture, filter), count) << filter.toStdString();
        };
        expect(QStringLiteral("error"), summary.counts.errors);
        expect(QStringLiteral("slow"), summary.counts.slow);
        expect(QStringLiteral("status == unanswered"), summary.counts.unanswered);
        for (const CaptureSummary::ApiLine& api : summary.apis) {
            expect(api.filter, api.exchanges);
            expect(api.filter + QStringLiteral(" and error"), api.errors);
            expect(api.filter + QStringLiteral(" and slow"), api.slow);
            expect(api.filter + QStringLiteral(" and status == unanswered"), api.unanswered);
        }
        for (const CaptureSummary::ErrorLine& error : summary.errors)
            expect(error.filter, error.exchanges);
        for (const auto* lines : {&summary.brokers, &summary.clients, &summary.topics, &summary.groups})
            for (const CaptureSummary::NamedLine& line : *lines) {
                expect(line.filter, line.exchanges);
                expect(line.filter + QStringLiteral(" and error"), line.errors);
            }
    }
}

TEST(CaptureSummary, namesLatenciesThatAreThere) {
    const Capture capture = loadSample("errors.pcap.zst");
    for (const CaptureSummary::ApiLine& api : summaryOf(capture).apis) {
        if (!api.longest) continue;
        const auto notShorter = [&](Duration time) {
            return shownBy(capture, QStringLiteral("%1 and latency >= %2ns").arg(api.filter).arg(time.count()));
        };
        EXPECT_GE(notShorter(*api.longest), 1U) << api.name.toStdString();
        EXPECT_EQ(notShorter(*api.longest + Duration{1}), 0U) << api.name.toStdString();
        EXPECT_GE(notShorter(*api.p99), notShorter(*api.longest));
        EXPECT_GE(2 * notShorter(*api.median), notShorter(Duration{0}) - 1);
        EXPECT_LE(notShorter(*api.p99), notShorter(Duration{0}) / 100 + 2);
    }
}

TEST(CaptureSummary, listsWhatIsFrequentFirstAndTellsWhoTheClientsAre) {
    const CaptureSummary summary = summaryOf(loadSample("produce-acks.pcap"));
    ASSERT_GE(summary.apis.size(), 3U);
    EXPECT_EQ(summary.apis.front().name.toStdString(), "Produce");
    for (std::size_t i = 1; i < summary.apis.size(); ++i)
        EXPECT_GE(summary.apis[i - 1].exchanges, summary.apis[i].exchanges);
    ASSERT_FALSE(summary.clients.empty());
    EXPECT_THAT(summary.clients.front().detail.toStdString(), testing::HasSubstr("apache-kafka-java 4.4.0, 10.77."));
    EXPECT_EQ(summary.brokers.size(), 3U);
    EXPECT_GT(summary.connections, 3U);
}

TEST(CaptureSummary, remembersWhatCompletionOffers) {
    const CaptureSummary summary = summaryOf(loadSample("errors.pcap.zst"));
    EXPECT_TRUE(summary.seen.complete);
    EXPECT_THAT(summary.seen.apis, testing::Contains(testing::Pair(QStringLiteral("Produce"), 454U)));
    EXPECT_THAT(summary.seen.errors,
                testing::Contains(testing::Pair(QStringLiteral("MESSAGE_TOO_LARGE"), testing::Ge(1U))));
    EXPECT_EQ(summary.seen.topics.size(), summary.topics.size());
}

TEST(CaptureSummary, stopsWhenItIsToldTo) {
    const Capture capture = loadSample("errors.pcap.zst");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(
        summarize(capture->index, capture->index.size(), capture->protocol, slowAbove, true, stop.get_token()));
}

} // namespace
} // namespace brokerscope
