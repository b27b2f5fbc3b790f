// SPDX-License-Identifier: Apache-2.0
#include "capture/files/time_scale.h"

#include <gtest/gtest.h>

#include <limits>

namespace brokerscope {
namespace {

constexpr std::uint64_t mostUnits = std::numeric_limits<std::uint64_t>::max();

std::int64_t nanoseconds(TimeScale scale, std::uint64_t units) {
    return scale.at(units).time_since_epoch().count();
}

TEST(TimeScale, takesAnyPowerOfTen) {
    EXPECT_EQ(nanoseconds(TimeScale({false, 0}), 5), 5'000'000'000);
    EXPECT_EQ(nanoseconds(TimeScale({false, 3}), 5), 5'000'000);
    EXPECT_EQ(nanoseconds(TimeScale({false, 6}), 1'700'000'000'123'456), 1'700'000'000'123'456'000);
    EXPECT_EQ(nanoseconds(TimeScale({false, 9}), 1'700'000'000'123'456'789), 1'700'000'000'123'456'789);
    EXPECT_EQ(nanoseconds(TimeScale({false, 12}), 5'999), 5);
    EXPECT_EQ(nanoseconds(TimeScale({false, 28}), mostUnits), 1);
    EXPECT_EQ(nanoseconds(TimeScale({false, 127}), mostUnits), 0);
}

TEST(TimeScale, takesAnyPowerOfTwo) {
    EXPECT_EQ(nanoseconds(TimeScale({true, 0}), 5), 5'000'000'000);
    EXPECT_EQ(nanoseconds(TimeScale({true, 1}), 3), 1'500'000'000);
    EXPECT_EQ(nanoseconds(TimeScale({true, 20}), 1'700'000'000ULL << 20), 1'700'000'000'000'000'000);
    EXPECT_EQ(nanoseconds(TimeScale({true, 64}), mostUnits), 999'999'999);
    EXPECT_EQ(nanoseconds(TimeScale({true, 127}), mostUnits), 0);
}

TEST(TimeScale, addsASignedOffset) {
    EXPECT_EQ(nanoseconds(TimeScale({false, 6}, -10), 2'500'000), -7'500'000'000);
    EXPECT_EQ(nanoseconds(TimeScale({false, 6}, 10), 2'500'000), 12'500'000'000);
}

TEST(TimeScale, staysAtTheEndsOfTimeInsteadOfWrappingAround) {
    constexpr auto last = std::numeric_limits<std::int64_t>::max() / 2, first = -last;
    EXPECT_EQ(nanoseconds(TimeScale({false, 0}), mostUnits), last);
    EXPECT_EQ(nanoseconds(TimeScale({false, 6}, last), mostUnits), last);
    EXPECT_EQ(nanoseconds(TimeScale({false, 6}, first), 0), first);
}

TEST(TimeScale, printsSixDigitsWhereSixAreEnough) {
    EXPECT_EQ(TimeScale({false, 0}).digits(), 6);
    EXPECT_EQ(TimeScale({false, 6}).digits(), 6);
    EXPECT_EQ(TimeScale({false, 7}).digits(), 9);
    EXPECT_EQ(TimeScale({false, 12}).digits(), 9);
    EXPECT_EQ(TimeScale({true, 0}).digits(), 6);
    EXPECT_EQ(TimeScale({true, 10}).digits(), 9);
}

} // namespace
} // namespace brokerscope
