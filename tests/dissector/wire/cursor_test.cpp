// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/cursor.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace brokerscope {
namespace {

ByteChain cutEverywhere(const std::vector<std::uint8_t>& bytes) {
    ByteChain chain;
    for (const std::uint8_t& byte : bytes) {
        Slice s;
        s.data = &byte;
        s.length = 1;
        chain.append(s);
    }
    return chain;
}

TEST(Cursor, readsTheSameInOnePieceAndByteByByte) {
    const std::vector<std::uint8_t> bytes{0x01, 0xff, 0xfe, 0x00, 0x00, 0x01, 0x00, 0x80, 0,    0,    0,   0,
                                          0,    0,    0,    0xac, 0x02, 0x03, 0xfe, 0xff, 0xff, 0xff, 0x0f};
    for (const ByteChain& chain : {ByteChain::of(bytes), cutEverywhere(bytes)}) {
        Cursor cursor(chain);
        EXPECT_EQ(cursor.readI8(), 1);
        EXPECT_EQ(cursor.readI16(), -2);
        EXPECT_EQ(cursor.readI32(), 256);
        EXPECT_EQ(cursor.readI64(), std::numeric_limits<std::int64_t>::min());
        EXPECT_EQ(cursor.readUvarint(), 300u);
        EXPECT_EQ(cursor.readVarint(), -2);
        EXPECT_EQ(cursor.readVarint(), std::numeric_limits<std::int32_t>::max());
        EXPECT_TRUE(cursor.ok());
        EXPECT_EQ(cursor.remaining(), 0u);
    }
}

TEST(Cursor, failureIsStickyAndKeepsThePlace) {
    const std::vector<std::uint8_t> bytes{0, 0, 0};
    const ByteChain chain = ByteChain::of(bytes);
    Cursor cursor(chain);
    EXPECT_EQ(cursor.readI16(), 0);
    cursor.readI32();
    EXPECT_EQ(cursor.failure(), Cursor::Failure::End);
    EXPECT_EQ(cursor.position(), 2u);
    cursor.readI8();
    EXPECT_EQ(cursor.position(), 2u);
}

TEST(Cursor, aHoleFailsReadsButNotSkips) {
    const std::vector<std::uint8_t> bytes{1, 2};
    ByteChain chain = ByteChain::of(bytes);
    Slice missing;
    missing.length = 4;
    missing.hole = Hole::Cut;
    chain.append(missing);
    Slice more;
    more.data = bytes.data();
    more.length = 2;
    chain.append(more);
    Cursor skipping(chain, 2, 8);
    skipping.skip(4);
    EXPECT_EQ(skipping.readI16(), 0x0102);
    Cursor reading(chain, 1, 8);
    reading.readI32();
    EXPECT_EQ(reading.failure(), Cursor::Failure::Cut);
}

TEST(Cursor, varintsOfMoreThanFiveBytesAreRefused) {
    const std::vector<std::uint8_t> bytes(6, 0x80);
    const ByteChain chain = ByteChain::of(bytes);
    Cursor cursor(chain);
    cursor.readUvarint();
    EXPECT_EQ(cursor.position(), 0u);
    EXPECT_FALSE(cursor.ok());
}

} // namespace
} // namespace brokerscope
