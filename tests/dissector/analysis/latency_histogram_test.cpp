// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

TEST(LatencyHistogram, isAllZeroWhileEmpty) {
    const LatencyHistogram empty;
    EXPECT_EQ(empty.count(), 0u);
    EXPECT_EQ(empty.least(), 0ns);
    EXPECT_EQ(empty.most(), 0ns);
    EXPECT_EQ(empty.mean(), 0ns);
    EXPECT_EQ(empty.percentile(0.5), 0ns);
}

TEST(LatencyHistogram, givesASingleValueBackExactly) {
    LatencyHistogram one;
    one.add(1234567891ns);
    for (const double share : {0.0, 0.5, 0.99, 1.0})
        EXPECT_EQ(one.percentile(share), 1234567891ns);
    EXPECT_EQ(one.mean(), 1234567891ns);
}

TEST(LatencyHistogram, isOffByLessThanAHalfPercentOverTwelvePowersOfTen) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(0, 12);
    std::vector<Duration> values;
    LatencyHistogram histogram;
    for (int i = 0; i < 50'000; ++i) {
        values.push_back(Duration{std::llround(std::pow(10.0, exponent(random)))});
        histogram.add(values.back());
    }
    std::ranges::sort(values);
    for (const double share : {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999}) {
        const auto rank = static_cast<std::size_t>(std::ceil(share * 50'000)) - 1;
        const auto exact = static_cast<double>(values[rank].count());
        const auto found = static_cast<double>(histogram.percentile(share).count());
        EXPECT_LE(std::abs(found - exact), std::max(0.5, exact / 256)) << share;
    }
    EXPECT_EQ(histogram.percentile(0), values.front());
    EXPECT_EQ(histogram.percentile(1), values.back());
}

TEST(LatencyHistogram, isTheSameFromPartsAsFromTheWhole) {
    LatencyHistogram whole, first, second;
    for (int i = 1; i <= 1000; ++i) {
        whole.add(i * 1us);
        (i % 3 ? first : second).add(i * 1us);
    }
    first.add(second);
    EXPECT_EQ(first.count(), whole.count());
    EXPECT_EQ(first.least(), whole.least());
    EXPECT_EQ(first.most(), whole.most());
    EXPECT_EQ(first.mean(), whole.mean());
    for (const double share : {0.1, 0.5, 0.9})
        EXPECT_EQ(first.percentile(share), whole.percentile(share));
}

TEST(LatencyHistogram, takesNegativeLengthsForZeroAndTheLongestAsTheyAre) {
    LatencyHistogram histogram;
    histogram.add(-5ms);
    histogram.add(Duration::max());
    EXPECT_EQ(histogram.least(), 0ns);
    EXPECT_EQ(histogram.most(), Duration::max());
    EXPECT_EQ(histogram.percentile(1), Duration::max());
}

TEST(LatencyHistogram, countsWhatIsBelowABound) {
    LatencyHistogram histogram;
    for (int i = 1; i <= 1000; ++i)
        histogram.add(std::chrono::microseconds(i));
    EXPECT_EQ(histogram.countBelow(Duration{0}), 0u);
    EXPECT_EQ(histogram.countBelow(std::chrono::milliseconds(2)), 1000u);
    EXPECT_NEAR(static_cast<double>(histogram.countBelow(std::chrono::microseconds(500))), 499, 4);
}

} // namespace
} // namespace brokerscope
