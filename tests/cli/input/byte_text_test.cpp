// SPDX-License-Identifier: Apache-2.0
#include "cli/input/byte_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::uint8_t> value(const Result<std::vector<std::uint8_t>>& result) {
    if (result) return result.value();
    ADD_FAILURE() << result.error().what;
    return {};
}

std::string reason(const Result<std::vector<std::uint8_t>>& result) {
    return result ? "(no error)" : result.error().what;
}

TEST(ByteText, readsHexInEveryWayItIsPasted) {
    for (const char* text : {"0012ffAB", "00 12 ff ab", "00:12:FF:AB", "0x0012ffab", "0x00,0x12,0xff,0xab",
                             " 00 12\r\n\tff ab\n", "0012\nffab", "0 0 1 2 f f a b"})
        EXPECT_THAT(value(bytesFromHex(text)), ElementsAre(0x00, 0x12, 0xff, 0xab)) << text;
    EXPECT_THAT(value(bytesFromHex("")), IsEmpty());
    EXPECT_THAT(value(bytesFromHex("0x")), IsEmpty());
}

TEST(ByteText, saysWhereHexIsWrong) {
    EXPECT_THAT(reason(bytesFromHex("00 1g")), HasSubstr("'g' at character 5 is no hex digit"));
    EXPECT_THAT(reason(bytesFromHex("00é1")), HasSubstr("'é' at character 3"));
    EXPECT_THAT(reason(bytesFromHex("00 1")), HasSubstr("half a byte is left over behind 1 whole"));
}

TEST(ByteText, readsBase64InBothAlphabetsWithAndWithoutPadding) {
    EXPECT_THAT(value(bytesFromBase64("+/8=")), ElementsAre(0xfb, 0xff));
    EXPECT_THAT(value(bytesFromBase64("-_8")), ElementsAre(0xfb, 0xff));
    EXPECT_THAT(value(bytesFromBase64("AAEC\nAw==\n")), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(value(bytesFromBase64("")), IsEmpty());
}

TEST(ByteText, saysWhereBase64IsWrong) {
    EXPECT_THAT(reason(bytesFromBase64("AA*A")), HasSubstr("'*' at character 3"));
    EXPECT_THAT(reason(bytesFromBase64("AA==AA")), HasSubstr("behind the padding"));
    EXPECT_THAT(reason(bytesFromBase64("AAAAA")), HasSubstr("cut"));
}

} // namespace
} // namespace brokerscope
