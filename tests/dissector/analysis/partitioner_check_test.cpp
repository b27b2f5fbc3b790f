// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/partitioner_check.h"

#include <gtest/gtest.h>

#include <string>

namespace brokerscope {
namespace {

Bytes bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Values that Kafka's own test of the function holds.
TEST(Murmur2, isThatOfKafkasClients) {
    EXPECT_EQ(static_cast<std::int32_t>(murmur2(bytesOf("21"))), -973932308);
    EXPECT_EQ(static_cast<std::int32_t>(murmur2(bytesOf("foobar"))), -790332482);
    EXPECT_EQ(static_cast<std::int32_t>(murmur2(bytesOf("a-little-bit-long-string"))), -985981536);
    EXPECT_EQ(static_cast<std::int32_t>(murmur2(bytesOf("a-little-bit-longer-string"))), -1486304829);
    EXPECT_EQ(static_cast<std::int32_t>(murmur2(bytesOf("abc"))), 479470107);
}

TEST(PartitionerCheck, namesTheRuleThatExplainsThePartitions) {
    PartitionerCheck java, random;
    for (int i = 0; i < 200; ++i) {
        const std::string key = "customer-" + std::to_string(i);
        java.add(bytesOf(key), static_cast<std::int32_t>((murmur2(bytesOf(key)) & 0x7fffffff) % 6), 6);
        random.add(bytesOf(key), i % 6, 6);
    }
    EXPECT_EQ(java.verdict(), "murmur2");
    EXPECT_EQ(random.verdict(), "other");
    PartitionerCheck few;
    few.add(bytesOf("k"), 0, 6);
    EXPECT_EQ(few.verdict(), "");
}

} // namespace
} // namespace brokerscope
