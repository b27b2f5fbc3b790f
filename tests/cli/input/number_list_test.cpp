// SPDX-License-Identifier: Apache-2.0
#include "cli/input/number_list.h"

#include <gtest/gtest.h>

#include <limits>

namespace brokerscope {
namespace {

TEST(NumberList, takesNumbersListsAndRanges) {
    const auto one = NumberList::parse("17");
    ASSERT_TRUE(one);
    EXPECT_TRUE(one.value().contains(17));
    EXPECT_FALSE(one.value().contains(16));
    EXPECT_EQ(one.value().count(), 1u);

    const auto several = NumberList::parse("3,10-12,5");
    ASSERT_TRUE(several);
    EXPECT_EQ(several.value().count(), 5u);
    for (const std::uint64_t number : {3, 5, 10, 11, 12})
        EXPECT_TRUE(several.value().contains(number)) << number;
    EXPECT_FALSE(several.value().contains(4));
}

TEST(NumberList, countsOverlappingRangesOnce) {
    const auto list = NumberList::parse("1-5,3,4-8");
    ASSERT_TRUE(list);
    EXPECT_EQ(list.value().count(), 8u);
}

TEST(NumberList, countsHugeRangesWithoutOverflow) {
    const auto list = NumberList::parse("1-18446744073709551615");
    ASSERT_TRUE(list);
    EXPECT_EQ(list.value().count(), std::numeric_limits<std::uint64_t>::max());
}

TEST(NumberList, refusesWhatIsNoNumber) {
    for (const char* text : {"", "0", "x", "1,", ",1", "5-3", "1-", "-3", "1 2", "99999999999999999999"})
        EXPECT_FALSE(NumberList::parse(text)) << text;
}

} // namespace
} // namespace brokerscope
