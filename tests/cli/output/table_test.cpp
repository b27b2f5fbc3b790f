// SPDX-License-Identifier: Apache-2.0
#include "cli/output/table.h"

#include "cli/output/text_width.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>

namespace brokerscope {
namespace {

std::string printed(std::vector<TableColumn> columns, const std::vector<std::vector<Cell>>& rows, std::size_t width,
                    bool colored = false, std::size_t indent = 0) {
    std::FILE* file = std::tmpfile();
    {
        OutputFile out(::fileno(file));
        Table table(std::move(columns), out, Style(colored), width, indent);
        for (const auto& row : rows)
            table.addRow(row);
        table.finish();
    }
    std::string text;
    std::rewind(file);
    for (int c; (c = std::fgetc(file)) != EOF;)
        text += static_cast<char>(c);
    std::fclose(file);
    return text;
}

TEST(Table, setsNumbersAtTheRightAndTextAtTheLeft) {
    EXPECT_EQ(printed({{"Topic"}, {"Bytes", true}}, {{{"orders"}, {"12"}}, {{"a"}, {"123,456"}}}, 0),
              "Topic     Bytes\n"
              "orders       12\n"
              "a       123,456\n");
}

TEST(Table, leavesNoSpacesAtTheEndOfALine) {
    EXPECT_EQ(printed({{"A"}, {"Error"}}, {{{"x"}, {""}}, {{"yy"}, {"BAD"}}}, 0), "A   Error\nx\nyy  BAD\n");
}

TEST(Table, shrinksTheWidestElasticColumnFirst) {
    EXPECT_EQ(printed({{"No", true}, {"Name", false, 4}, {"Other", false, 5}},
                      {{{"1"}, {"a-very-long-name"}, {"short"}}}, 20),
              "No  Name       Other\n"
              " 1  a-very-l…  short\n");
}

TEST(Table, shrinksTheHighestGiveRankBeforeTheOthers) {
    EXPECT_EQ(
        printed({{"Topic", false, 5, 0, 2}, {"Error", false, 6, 0, 1}}, {{{"abcdefgh"}, {"0123456789abcdef"}}}, 20),
        "Topic  Error\n"
        "abcd…  0123456789ab…\n");
}

TEST(Table, leavesOutTheHighestRankWhenNothingElseHelps) {
    EXPECT_EQ(printed({{"No", true}, {"Name", false, 4, 1}, {"Extra", false, 0, 2}},
                      {{{"1"}, {"abcdef"}, {"0123456789"}}}, 12),
              "No  Name\n"
              " 1  abcdef\n");
}

TEST(Table, cutsNothingWithoutAWidth) {
    const std::string text(500, 'x');
    EXPECT_EQ(printed({{"T", false, 4}}, {{{text}}}, 0), "T\n" + text + "\n");
}

TEST(Table, neverCutsANumberThatCameLate) {
    std::vector<std::vector<Cell>> rows(Table::sampleRows, {{"1"}, {"x"}});
    rows.push_back({{"1234567"}, {"abcdef"}});
    const std::string text = printed({{"N", true}, {"Text", false, 4}}, rows, 20);
    EXPECT_TRUE(text.ends_with("\n1234567  abc…\n")) << text.substr(text.size() - 30);
}

TEST(Table, keepsRoomForLongerNumbersWhenMoreRowsWillCome) {
    const std::vector<TableColumn> columns = {{"N", true, 0, 0, 0, 5}, {"Text"}};
    EXPECT_EQ(printed(columns, {{{"1"}, {"x"}}}, 0), "N  Text\n1  x\n");
    const std::string many = printed(columns, std::vector<std::vector<Cell>>(Table::sampleRows + 1, {{"1"}, {"x"}}), 0);
    EXPECT_TRUE(many.starts_with("    N  Text\n    1  x\n")) << many.substr(0, 30);
}

TEST(Table, alignsByDisplayWidthNotByBytes) {
    EXPECT_EQ(printed({{"A"}, {"B"}}, {{{"日本"}, {"1"}}, {{"é"}, {"2"}}, {{"abcd"}, {"3"}}}, 0), "A     B\n"
                                                                                                  "日本  1\n"
                                                                                                  "é     2\n"
                                                                                                  "abcd  3\n");
}

TEST(Table, putsColourAroundTheTextAndNotAroundThePadding) {
    EXPECT_EQ(printed({{"A"}, {"B"}}, {{{"x", Role::Error}, {"y"}}}, 0, true),
              "\033[1mA\033[0m  \033[1mB\033[0m\n\033[1;31mx\033[0m  y\n");
}

TEST(Table, printsNothingWithoutRowsAndNoHeadWithoutTitles) {
    EXPECT_EQ(printed({{"A"}}, {}, 0), "");
    EXPECT_EQ(printed({{""}, {""}}, {{{"a"}, {"b"}}}, 0, false, 2), "  a  b\n");
}

TEST(Table, goesOnInTheNextLinesWhereAColumnWraps) {
    EXPECT_EQ(printed({{"No", true}, {"What", false, 6, 0, 0, 0, true}, {"End"}},
                      {{{"1"}, {"one two three"}, {"x"}}, {{"2"}, {"four"}, {"y"}}}, 16),
              "No  What     End\n"
              " 1  one two  x\n"
              "    three\n"
              " 2  four     y\n");
}

TEST(Table, leavesOutColumnsWithoutContentWhenToldTo) {
    std::FILE* file = std::tmpfile();
    OutputFile out(::fileno(file));
    Table table({{"A"}, {"Empty"}, {"B"}}, out, Style(false), 0);
    table.leaveOutEmptyColumns();
    table.addRow({{"x"}, {""}, {"y"}});
    table.finish();
    char text[32] = {};
    std::rewind(file);
    EXPECT_EQ(std::string(text, std::fread(text, 1, sizeof text, file)), "A  B\nx  y\n");
    std::fclose(file);
}

TEST(TextWidth, wrapsBetweenWordsAndInsideLongOnes) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(wrapped("one two three", 7, LongWords::Cut), (Lines{"one two", "three"}));
    EXPECT_EQ(wrapped("abcdefgh ij", 3, LongWords::Cut), (Lines{"abc", "def", "gh", "ij"}));
    EXPECT_EQ(wrapped("a bcdef", 4, LongWords::Cut), (Lines{"a", "bcde", "f"}));
    EXPECT_EQ(wrapped("abcdefgh ij", 3, LongWords::Whole), (Lines{"abcdefgh", "ij"}));
    EXPECT_EQ(wrapped("one\n\ntwo three", 9, LongWords::Whole), (Lines{"one", "", "two three"}));
    EXPECT_EQ(wrapped("", 4, LongWords::Cut), Lines{""});
    EXPECT_EQ(wrapped("日本語 日", 5, LongWords::Cut), (Lines{"日本", "語 日"}));
}

TEST(TextWidth, indentsAWrappedTextFromTheSecondLineOn) {
    EXPECT_EQ(wrapText("one two three", 7, 2), "one two\n  three");
    EXPECT_EQ(wrapText("één twee", 8, 0), "één twee");
    EXPECT_EQ(wrapText("", 5, 0), "");
}

TEST(TextWidth, countsWideAndCombiningCharacters) {
    EXPECT_EQ(displayWidth("abc"), 3u);
    EXPECT_EQ(displayWidth("日本"), 4u);
    EXPECT_EQ(displayWidth("e\u0301"), 1u);
    EXPECT_EQ(displayWidth("\xff\xfe"), 2u);
}

TEST(TextWidth, elidesBetweenCharacters) {
    EXPECT_EQ(elided("abcdef", 6), "abcdef");
    EXPECT_EQ(elided("abcdef", 4), "abc…");
    EXPECT_EQ(elided("日本語", 4), "日…");
    EXPECT_EQ(elided("日本語", 6), "日本語");
    EXPECT_EQ(elided("abc", 0), "");
}

TEST(TextWidth, letsNoCapturedByteReachTheTerminalAsAControl) {
    EXPECT_EQ(printable("plain text"), "plain text");
    EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
    EXPECT_EQ(printable("\033[2J"), "\\x1b[2J");
    EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
    EXPECT_EQ(printable("\u202eabc\u2028"), "\\u{202e}abc\\u{2028}");
    EXPECT_EQ(printable("\u009b"), "\\u{9b}");
    EXPECT_EQ(printable("ok\xff\xc3"), "ok\\xff\\xc3");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");
    EXPECT_EQ(printable("grüße 日本 😀"), "grüße 日本 😀");
}

} // namespace
} // namespace brokerscope
