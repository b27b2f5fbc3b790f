// SPDX-License-Identifier: Apache-2.0
#include "gui/models/texts.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

std::string ascii(const QString& text) {
    return text.toStdString();
}

TEST(Texts, groupThousandsWithCommas) {
    EXPECT_EQ(ascii(texts::grouped(0)), "0");
    EXPECT_EQ(ascii(texts::grouped(999)), "999");
    EXPECT_EQ(ascii(texts::grouped(1000)), "1,000");
    EXPECT_EQ(ascii(texts::grouped(1234567)), "1,234,567");
}

TEST(Texts, writeSecondsWithTheDigitsOfTheCapture) {
    EXPECT_EQ(ascii(texts::seconds(12498us, 6)), "0.012498");
    EXPECT_EQ(ascii(texts::seconds(1s + 1ns, 9)), "1.000000001");
    EXPECT_EQ(ascii(texts::seconds(-1500ms, 6)), "-1.500000");
}

TEST(Texts, writeDatesAndClocks) {
    const Timestamp time{1764429301123456789ns};
    EXPECT_EQ(ascii(texts::date(time, 6, false)), "2025-11-29 15:15:01.123456");
    EXPECT_EQ(ascii(texts::clock(time, 9, false)), "15:15:01.123456789");
}

TEST(Texts, writeSpansInTheUnitThatReads) {
    EXPECT_EQ(ascii(texts::span(1500us)), "1.500 ms");
    EXPECT_EQ(ascii(texts::span(842118ms)), "842.118 s");
    EXPECT_EQ(ascii(texts::span(2h + 4min)), "2 h 4 min");
}

TEST(Texts, writeSizes) {
    EXPECT_EQ(ascii(texts::bytes(1)), "1 byte");
    EXPECT_EQ(ascii(texts::bytes(4388)), "4,388 bytes");
    EXPECT_EQ(ascii(texts::bytesShort(812)), "812 B");
    EXPECT_EQ(ascii(texts::bytesShort(4388)), "4.3 KiB");
    EXPECT_EQ(ascii(texts::bytesShort(52428800)), "50 MiB");
}

TEST(Texts, quoteAndEscapeWhatCannotBeSeen) {
    EXPECT_EQ(ascii(texts::quoted("orders")), "\"orders\"");
    EXPECT_EQ(ascii(texts::quoted("a\nb\t\x07")), "\"a\\nb\\t\\u{7}\"");
    EXPECT_EQ(ascii(texts::quoted(R"({"id":17})")), R"("{"id":17}")"); // easier to read than {\"id\":17}
    EXPECT_EQ(ascii(texts::quoted(std::string(300, 'x'))), "\"" + std::string(256, 'x') + "…\"");
}

TEST(Texts, tellTextFromBytes) {
    const std::uint8_t word[] = {'k', '1'}, umlaut[] = {0xc3, 0xa4}, broken[] = {0xc3}, control[] = {'a', 0};
    EXPECT_TRUE(texts::printable(word));
    EXPECT_TRUE(texts::printable(umlaut));
    EXPECT_FALSE(texts::printable(broken));
    EXPECT_FALSE(texts::printable(control));
}

TEST(Texts, areOrderedAsAPersonWouldOrderThem) {
    const char* const inOrder[] = {"", "a", "a-2", "a-10", "a-10b", "B", "c"};
    for (std::size_t i = 0; i < std::size(inOrder); ++i)
        for (std::size_t j = 0; j < std::size(inOrder); ++j) {
            const int order = texts::naturalOrder(QString::fromLatin1(inOrder[i]), QString::fromLatin1(inOrder[j]));
            EXPECT_EQ(order < 0, i < j) << inOrder[i] << " " << inOrder[j];
            EXPECT_EQ(order == 0, i == j) << inOrder[i] << " " << inOrder[j];
        }
    EXPECT_NE(texts::naturalOrder(u"a-2", u"a-002"), 0);
    EXPECT_NE(texts::naturalOrder(u"a", u"A"), 0);
}

TEST(Texts, writeHexUpToABound) {
    const std::uint8_t bytes[] = {0, 0x12, 0xff};
    EXPECT_EQ(ascii(texts::hex(bytes)), "00 12 ff");
    EXPECT_EQ(ascii(texts::hex(bytes, 2)), "00 12 …");
}

} // namespace
} // namespace brokerscope
