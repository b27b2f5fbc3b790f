// SPDX-License-Identifier: Apache-2.0
#include "cli/input/live_input.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

Endpoint endpoint(std::initializer_list<std::uint8_t> address, std::uint16_t port) {
    Endpoint made;
    std::copy(address.begin(), address.end(), made.address.bytes.begin());
    made.address.v6 = address.size() == 16;
    made.port = port;
    return made;
}

TEST(ReadRing, takesAFileCountWithASizeOrATime) {
    const auto bySize = readRing("10x100MB");
    ASSERT_TRUE(bySize);
    EXPECT_EQ(bySize->files, 10u);
    EXPECT_EQ(bySize->bytes, 100'000'000u);
    EXPECT_EQ(bySize->seconds, 0u);
    const auto byTime = readRing("24x1h");
    ASSERT_TRUE(byTime);
    EXPECT_EQ(byTime->files, 24u);
    EXPECT_EQ(byTime->seconds, 3600u);
    EXPECT_EQ(readRing("3x20kB")->bytes, 20'000u);
    EXPECT_EQ(readRing("3x2GB")->bytes, 2'000'000'000u);
    EXPECT_EQ(readRing("3x5min")->seconds, 300u);
}

TEST(ReadRing, keepsAllFilesWithoutACount) {
    const auto ring = readRing("100MB");
    ASSERT_TRUE(ring);
    EXPECT_EQ(ring->files, 0u);
    EXPECT_EQ(ring->bytes, 100'000'000u);
    EXPECT_TRUE(ring->rotates());
    EXPECT_FALSE(RingSettings().rotates());
}

TEST(ReadRing, refusesWhatIsNoneOfThese) {
    for (const char* text :
         {"", "x", "10x", "x100MB", "0x100MB", "10x0MB", "10x100", "10x100mb", "-1x1MB", "10x1MBs", "tenx1MB"})
        EXPECT_FALSE(readRing(text)) << text;
}

TEST(FilterFor, namesEachBrokerWithItsPort) {
    EXPECT_EQ(filterFor({endpoint({10, 0, 0, 1}, 9092)}), "tcp and ((host 10.0.0.1 and port 9092))");
    EXPECT_EQ(filterFor({endpoint({10, 0, 0, 1}, 9092),
                         endpoint({0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x13}, 9097)}),
              "tcp and ((host 10.0.0.1 and port 9092) or (host fd77::13 and port 9097))");
}

} // namespace
} // namespace brokerscope
