// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/base64.h"
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

} // namespace
} // namespace brokerscope
