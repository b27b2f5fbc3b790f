// SPDX-License-Identifier: Apache-2.0
#include "cli/output/time_text.h"

#include "cli/output/ending.h"
#include "cli/output/quantity_text.h"
#include "cli/output/style.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

const Timestamp start{std::chrono::sys_days{std::chrono::year{2026} / 11 / 29} + 14h + 55min + 1s + 123456789ns};

std::string inForm(TimeFormat format, Timestamp time, int digits) {
    TimePrinter printer(format, start);
    std::string text;
    printer.append(text, time, digits);
    return text;
}

std::string iso(Timestamp time, int digits) {
    IsoTime printer;
    std::string text;
    printer.append(text, time, digits);
    return text;
}

std::string milliseconds(Duration duration) {
    std::string text;
    appendMilliseconds(text, duration);
    return text;
}

TEST(TimePrinter, countsFromTheStartInTheCapturesDigits) {
    EXPECT_EQ(inForm(TimeFormat::Relative, start + 12498us, 6), "0.012498");
    EXPECT_EQ(inForm(TimeFormat::Relative, start + 61s + 5ns, 9), "61.000000005");
    EXPECT_EQ(inForm(TimeFormat::Relative, start - 1500ms, 6), "-1.500000");
}

TEST(TimePrinter, printsDatesAndSecondsSince1970) {
    EXPECT_EQ(inForm(TimeFormat::Absolute, start, 9), "2026-11-29 14:55:01.123456789");
    EXPECT_EQ(inForm(TimeFormat::Absolute, start, 6), "2026-11-29 14:55:01.123456");
    EXPECT_EQ(inForm(TimeFormat::Epoch, start, 6), "1795964101.123456");
}

TEST(TimePrinter, countsDeltasFromTheLineBefore) {
    TimePrinter printer(TimeFormat::Delta, start);
    std::string text;
    printer.append(text, start + 2ms, 6);
    text += ' ';
    printer.append(text, start + 5ms, 6);
    text += ' ';
    printer.append(text, start + 4ms, 6);
    EXPECT_EQ(text, "0.002000 0.003000 -0.001000");
}

TEST(IsoTime, followsTheSecondsAcrossMidnightAndBackBefore1970) {
    EXPECT_EQ(iso(start, 9), "2026-11-29T14:55:01.123456789Z");
    EXPECT_EQ(iso(Timestamp{-1ns}, 9), "1969-12-31T23:59:59.999999999Z");
    IsoTime printer;
    std::string text;
    const Timestamp midnight{std::chrono::sys_days{std::chrono::year{2027} / 1 / 1}};
    printer.append(text, midnight - 1us, 6);
    printer.append(text, midnight, 6);
    printer.append(text, midnight + 1us, 6);
    EXPECT_EQ(text, "2026-12-31T23:59:59.999999Z2027-01-01T00:00:00.000000Z2027-01-01T00:00:00.000001Z");
}

TEST(Milliseconds, losesNoDigitAndPrintsNoNeedlessZero) {
    EXPECT_EQ(milliseconds(1234us), "1.234");
    EXPECT_EQ(milliseconds(10us), "0.01");
    EXPECT_EQ(milliseconds(0ns), "0");
    EXPECT_EQ(milliseconds(12ms), "12");
    EXPECT_EQ(milliseconds(1ns), "0.000001");
    EXPECT_EQ(milliseconds(-1500us), "-1.5");
    EXPECT_EQ(millisecondsText(1234us, 6), "1.234");
    EXPECT_EQ(millisecondsText(12ms, 6), "12.000");
    EXPECT_EQ(millisecondsText(12ms + 5ns, 9), "12.000005");
    EXPECT_EQ(millisecondsText(-5us, 6), "-0.005");
}

TEST(DurationText, keepsThreeDigitsInTheUnitThatFits) {
    EXPECT_EQ(durationText(870ns), "870 ns");
    EXPECT_EQ(durationText(12340ns), "12.3 µs");
    EXPECT_EQ(durationText(999'600ns), "1 ms");
    EXPECT_EQ(durationText(1234us), "1.23 ms");
    EXPECT_EQ(durationText(4500ms), "4.5 s");
    EXPECT_EQ(durationText(200s), "3 min 20 s");
    EXPECT_EQ(durationText(2h + 5min), "2 h 05 min");
}

TEST(QuantityText, hasTheNounInItsNumber) {
    EXPECT_EQ(countOf(0, "packet"), "0 packets");
    EXPECT_EQ(countOf(1, "packet"), "1 packet");
    EXPECT_EQ(countOf(18314, "packet"), "18,314 packets");
}

TEST(ExitStatus, isDecidedByTheWorstThatHappened) {
    EXPECT_EQ(exitStatus(Ending::Done), 0);
    EXPECT_EQ(exitStatus(Ending::Found), 1);
    EXPECT_EQ(exitStatus(Ending::Unusable), 2);
    EXPECT_EQ(exitStatus(Ending::Damaged), 3);
    EXPECT_EQ(worse(Ending::Damaged, Ending::Done), Ending::Damaged);
    EXPECT_EQ(worse(Ending::Damaged, Ending::Unusable), Ending::Unusable);
}

TEST(Style, colorsByDefaultOnlyATerminalThatWantsIt) {
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
    EXPECT_TRUE(Style::choose(When::Auto, true).colored());
    EXPECT_FALSE(Style::choose(When::Auto, false).colored());
    EXPECT_TRUE(Style::choose(When::Always, false).colored());
    ::setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(Style::choose(When::Auto, true).colored());
    EXPECT_TRUE(Style::choose(When::Always, true).colored());
    ::setenv("NO_COLOR", "", 1);
    EXPECT_TRUE(Style::choose(When::Auto, true).colored());
    ::setenv("TERM", "dumb", 1);
    EXPECT_FALSE(Style::choose(When::Auto, true).colored());
    EXPECT_FALSE(Style::choose(When::Never, true).colored());
}

TEST(Style, leavesTextAloneWithoutColour) {
    EXPECT_EQ(Style(false)(Role::Error, "x"), "x");
    EXPECT_EQ(Style(true)(Role::Plain, "x"), "x");
    EXPECT_EQ(Style(true)(Role::Dim, "x"), "\033[2mx\033[0m");
}

} // namespace
} // namespace brokerscope
