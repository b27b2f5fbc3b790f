// SPDX-License-Identifier: Apache-2.0
#include "capture/files/spill_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace brokerscope {
namespace {

TEST(SpillFile, growsWithoutMovingAByte) {
    auto spill = SpillFile::create(testing::TempDir());
    ASSERT_TRUE(spill);
    const std::vector<std::uint8_t> piece(1'000'003, 7);
    ASSERT_FALSE(spill->append(piece));
    const std::uint8_t* first = spill->data();
    for (int i = 0; i < 20; ++i)
        ASSERT_FALSE(spill->append(std::vector<std::uint8_t>(100'000, static_cast<std::uint8_t>(i))));
    EXPECT_EQ(spill->data(), first);
    EXPECT_EQ(spill->size(), 3'000'003U);
    EXPECT_EQ(first[1'000'002], 7);
    EXPECT_EQ(first[1'000'003], 0);
    EXPECT_EQ(first[3'000'002], 19);
}

TEST(SpillFile, leavesNoNameBehind) {
    std::string folder = testing::TempDir() + "spill-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    {
        auto spill = SpillFile::create(folder);
        ASSERT_TRUE(spill);
        EXPECT_TRUE(std::filesystem::is_empty(folder));
    }
    std::filesystem::remove(folder);
}

TEST(SpillFile, keepsWhatComesBehindAReleasedPart) {
    auto spill = SpillFile::create("");
    ASSERT_TRUE(spill);
    const std::vector<std::uint8_t> piece(1 << 20, 9);
    for (int i = 0; i < 32; ++i)
        ASSERT_FALSE(spill->append(piece));
    const std::uint64_t before = spill->bytesOnDisk();
    spill->releaseBefore(17 << 20);
    EXPECT_EQ(spill->size(), 32U << 20);
    EXPECT_EQ(spill->data()[17 << 20], 9);
    EXPECT_EQ(spill->data()[(32 << 20) - 1], 9);
    EXPECT_LE(spill->bytesOnDisk() + (16 << 20), before) << "the disk got whole steps of 4 MiB back";
    spill->releaseBefore(3);
    EXPECT_EQ(spill->data()[17 << 20], 9);
}

} // namespace
} // namespace brokerscope
