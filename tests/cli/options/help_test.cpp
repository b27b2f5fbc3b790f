// SPDX-License-Identifier: Apache-2.0
#include "cli/options/help.h"

#include "cli/options/completions.h"
#include "cli/output/text_width.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace brokerscope {
namespace {

using testing::HasSubstr;

std::size_t widestLine(const std::string& text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);)
        widest = std::max(widest, displayWidth(line));
    return widest;
}

TEST(Help, namesEveryCommandAndFitsEightyColumns) {
    const std::string overview = overviewHelp("1.2.3");
    for (const CommandRow& row : commandRows())
        EXPECT_THAT(overview, HasSubstr("\n  " + std::string(row.name)));
    EXPECT_THAT(overview, HasSubstr("1.2.3"));
    EXPECT_LE(widestLine(overview), 80u);
}

TEST(Help, namesEveryOptionOfACommandWithItsWords) {
    for (const CommandRow& row : commandRows()) {
        const std::string help = commandHelp(row.id);
        for (const OptionRow* option : optionsOf(row.id)) {
            EXPECT_THAT(help, HasSubstr("--" + std::string(option->name)));
            for (const std::string_view word : wordsOf(*option))
                EXPECT_THAT(help, HasSubstr(std::string(word)));
        }
    }
}

TEST(Help, fitsEightyColumnsButForExamples) {
    for (const CommandRow& row : commandRows()) {
        const std::string help = commandHelp(row.id);
        EXPECT_LE(widestLine(help.substr(0, help.find("\nExample:"))), 80u) << row.name;
    }
}

TEST(ManualPage, hasEveryCommandAndOptionAndEscapesDashes) {
    const std::string page = manualPage("1.2.3");
    for (const CommandRow& row : commandRows())
        EXPECT_THAT(page, HasSubstr(".SS " + std::string(row.name)));
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-help\\fR"));
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS"));
}

TEST(Completions, holdEveryCommandAndOptionInEveryShell) {
    for (const Shell shell : {Shell::Bash, Shell::Zsh, Shell::Fish}) {
        const std::string script = completions(shell);
        for (const CommandRow& row : commandRows())
            EXPECT_THAT(script, HasSubstr(std::string(row.name)));
        for (const OptionRow& row : optionRows()) {
            EXPECT_THAT(script, HasSubstr((shell == Shell::Fish ? "-l " : "--") + std::string(row.name)));
            for (const std::string_view word : wordsOf(row))
                EXPECT_THAT(script, HasSubstr(std::string(word)));
        }
    }
}

} // namespace
} // namespace brokerscope
