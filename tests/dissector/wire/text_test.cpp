// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/base64.h"
#include "dissector/wire/java_text.h"
#include "dissector/wire/utf8.h"
#include "tests/support/record_bytes.h"

#include <gtest/gtest.h>

#include <string_view>

namespace brokerscope {
namespace {

std::string base64(std::string_view bytes) {
    std::string text = ">";
    appendBase64(bytesOf(bytes), text);
    return text.substr(1);
}

std::string utf8(std::string_view bytes) {
    std::string text;
    appendUtf8(bytesOf(bytes), text);
    return text;
}

TEST(Base64, isPaddedToFours) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64({"\xfb\xff\xfe\0", 4}), "+//+AA==");
}

TEST(Utf8, validTextStaysAsItIs) {
    const std::string_view text =
        "a\x7f \xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xef\xbf\xbf \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf";
    EXPECT_EQ(utf8(text), text);
    EXPECT_EQ(validUtf8Prefix(bytesOf(text)), text.size());
}

TEST(Utf8, bytesThatFitNowhereAreReplaced) {
    const std::string r = "\xef\xbf\xbd";
    EXPECT_EQ(utf8("a\xff z"), "a" + r + " z");
    EXPECT_EQ(utf8("\xc0\xaf"), r + r);                 // a long form of '/'
    EXPECT_EQ(utf8("\xed\xa0\x80"), r + r + r);         // a surrogate
    EXPECT_EQ(utf8("\xf4\x90\x80\x80"), r + r + r + r); // above U+10FFFF
    EXPECT_EQ(utf8("\xe2\x82"), r + r);                 // cut short
    EXPECT_EQ(utf8("\xe2\x82z"), r + r + "z");
    EXPECT_EQ(validUtf8Prefix(bytesOf("ab\xe2\x82")), 2u);
}

std::string text(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

TEST(JavaText, modifiedUtf8BecomesUtf8) {
    EXPECT_EQ(text(utf8OfJava(bytesOf("gr\xc3\xb6\xc3\x9f"
                                      "e"))),
              "gr\xc3\xb6\xc3\x9f"
              "e");
    EXPECT_EQ(text(utf8OfJava(bytesOf("\xc0\x80"))), std::string(1, '\0'));
    EXPECT_EQ(text(utf8OfJava(bytesOf("\xed\xa0\xbd\xed\xb8\x80"))), "\xf0\x9f\x98\x80");
}

TEST(JavaText, whatIsNoTextIsReplaced) {
    const std::string replaced = "\xef\xbf\xbd";
    EXPECT_EQ(text(utf8OfJava(bytesOf("a\xff"
                                      "b\xc3"))),
              "a" + replaced + "b" + replaced);
    EXPECT_EQ(text(utf8OfJava(bytesOf("\xed\xa0\xbdx"))), replaced + "x"); // half of a pair
    EXPECT_EQ(text(utf8OfJava(bytesOf("\xed\xb8\x80"))), replaced);
}

TEST(JavaText, utf16ComesInPairsOfBytes) {
    EXPECT_EQ(text(utf8OfUtf16(bytesOf(std::string_view("\0a\xd8\x3d\xde\0\0", 7)))), "a\xf0\x9f\x98\x80");
}

} // namespace
} // namespace brokerscope
