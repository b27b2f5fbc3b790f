// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/partition_text.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

TEST(PartitionsForPeople, namesATopicOnceAndJoinsNumbersInARow) {
    EXPECT_EQ(partitionsForPeople({"orders-0", "orders-2", "bills-4", "orders-1"}), "orders 0-2, bills 4");
    EXPECT_EQ(partitionsForPeople({"with-dashes-7"}), "with-dashes 7");
    EXPECT_EQ(partitionsForPeople({}), "");
}

TEST(PartitionsForPeople, keepsTheOffsetsInTheOrderOfPartitions) {
    EXPECT_EQ(partitionsForPeople({"orders-1@20", "orders-0@15", "bills-3@9"}), "orders 0@15 1@20, bills 3@9");
}

} // namespace
} // namespace brokerscope
