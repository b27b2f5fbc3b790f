// SPDX-License-Identifier: Apache-2.0
#include "gui/models/byte_lines.h"

#include "gui/models/byte_formats.h"

#include <gtest/gtest.h>

#include <array>

namespace brokerscope {
namespace {

const std::array<std::uint8_t, 200> memory = [] {
    std::array<std::uint8_t, 200> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i);
    return bytes;
}();

ByteChain chain(std::initializer_list<std::pair<std::uint32_t, bool>> pieces) {
    ByteChain bytes;
    for (const auto& [length, here] : pieces) {
        Slice slice;
        slice.length = length;
        slice.data = here ? memory.data() + bytes.size() % 100 : nullptr;
        slice.hole = here ? Hole::None : Hole::Lost;
        bytes.append(slice);
    }
    return bytes;
}

TEST(ByteLines, countLinesAndFindEachByte) {
    const ByteLines lines(chain({{40, true}}), 16);
    EXPECT_EQ(lines.count(), 3);
    EXPECT_EQ(lines.line(0), (ByteLine{0, 16, false}));
    EXPECT_EQ(lines.line(2), (ByteLine{32, 40, false}));
    EXPECT_EQ(lines.lineOf(31), 1);
    EXPECT_EQ(lines.lineOf(39), 2);
}

TEST(ByteLines, leaveShortHolesInPlace) {
    const ByteLines lines(chain({{10, true}, {16, false}, {10, true}}), 16);
    EXPECT_EQ(lines.count(), 3);
    EXPECT_FALSE(lines.line(1).hole);
}

TEST(ByteLines, foldALongHoleIntoOneLineAndGoOnAtTheRightColumn) {
    const ByteLines lines(chain({{10, true}, {412, false}, {20, true}}), 16);
    ASSERT_EQ(lines.count(), 4);
    EXPECT_EQ(lines.line(0), (ByteLine{0, 10, false}));
    EXPECT_EQ(lines.line(1), (ByteLine{10, 422, true}));
    EXPECT_EQ(lines.line(2), (ByteLine{422, 432, false}));
    EXPECT_EQ(lines.line(3), (ByteLine{432, 442, false}));
    EXPECT_EQ(lines.lineOf(200), 1);
    EXPECT_EQ(lines.lineOf(422), 2);
    EXPECT_EQ(lines.lineOf(441), 3);
}

TEST(ByteLines, agreeWithThemselvesForEveryByte) {
    for (std::uint32_t perLine : {8U, 16U}) {
        const ByteLines lines(chain({{5, true}, {100, false}, {3, false}, {90, true}, {33, false}}), perLine);
        std::uint32_t next = 0;
        for (int i = 0; i < lines.count(); ++i) {
            EXPECT_EQ(lines.line(i).begin, next);
            for (std::uint32_t at = lines.line(i).begin; at < lines.line(i).end; ++at)
                EXPECT_EQ(lines.lineOf(at), i);
            next = lines.line(i).end;
        }
        EXPECT_EQ(next, 231U);
    }
}

TEST(ByteLines, ofNothingAreNone) {
    EXPECT_EQ(ByteLines(ByteChain{}, 16).count(), 0);
}

TEST(ByteFormats, writeMissingBytesAsDots) {
    const ByteChain bytes = chain({{2, true}, {2, false}, {1, true}});
    EXPECT_EQ(formatBytes(bytes, 0, 5, ByteFormat::Hex).toStdString(), "00 01 .. .. 04");
    EXPECT_EQ(formatBytes(bytes, 1, 3, ByteFormat::CArray).toStdString(), "{0x01, 0x00 /* missing */}");
}

TEST(ByteFormats, writeWhatOtherToolsRead) {
    const ByteChain bytes = chain({{70, true}});
    EXPECT_EQ(formatBytes(bytes, 0x30, 0x33, ByteFormat::Text).toStdString(), "012");
    EXPECT_EQ(formatBytes(bytes, 0x30, 0x33, ByteFormat::Base64).toStdString(), "MDEy");
    EXPECT_EQ(formatBytes(bytes, 0x40, 0x42, ByteFormat::HexDump).toStdString(),
              "000040  40 41                                             @A\n");
}

} // namespace
} // namespace brokerscope
