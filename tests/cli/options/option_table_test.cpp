// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace brokerscope {
namespace {

TEST(OptionTable, givesNoCommandTwoOptionsOfOneName) {
    for (const CommandRow& command : commandRows()) {
        std::set<std::string_view> names;
        std::set<char> letters;
        for (const OptionRow* row : optionsOf(command.id)) {
            EXPECT_TRUE(names.insert(row->name).second) << command.name << " --" << row->name;
            EXPECT_TRUE(!row->letter || letters.insert(row->letter).second) << command.name << " -" << row->letter;
        }
    }
}

TEST(OptionTable, namesEveryValueAndNoSwitchsValue) {
    for (const OptionRow& row : optionRows())
        EXPECT_EQ(row.valueName.empty(), std::holds_alternative<bool Options::*>(row.target)) << row.name;
}

TEST(OptionTable, offersWordsExactlyWhereWordsAreTaken) {
    for (const OptionRow& row : optionRows()) {
        EXPECT_EQ(row.complete == Complete::Choices, !wordsOf(row).empty()) << row.name;
        EXPECT_NE(wordsOf(row).size(), 1u) << row.name;
    }
}

TEST(OptionTable, saysOfEveryRowWhatItDoesInOneLine) {
    for (const OptionRow& row : optionRows()) {
        ASSERT_FALSE(row.text.empty()) << row.name;
        EXPECT_LT(row.text.size(), 100u) << row.name;
        EXPECT_FALSE(std::isupper(static_cast<unsigned char>(row.text.front()))) << row.name;
        EXPECT_NE(row.text.back(), '.') << row.name;
    }
    for (const CommandRow& row : commandRows()) {
        EXPECT_FALSE(row.text.empty()) << row.name;
        EXPECT_LT(row.text.size(), 80u) << row.name;
        EXPECT_NE(row.text.back(), '.') << row.name;
    }
}

TEST(OptionTable, belongsToSomeCommandWithEveryRow) {
    CommandSet known = 0;
    for (const CommandRow& row : commandRows())
        known |= in(row.id);
    for (const OptionRow& row : optionRows())
        EXPECT_NE(row.commands & known, 0u) << row.name;
}

TEST(OptionTable, groupsEveryOptionUnderAHeading) {
    for (const OptionRow& row : optionRows())
        EXPECT_FALSE(heading(row.group).empty()) << row.name;
}

TEST(OptionTable, givesEveryCommandHelpAndAnExampleOfItsOwn) {
    for (const CommandRow& row : commandRows()) {
        EXPECT_TRUE(std::ranges::any_of(optionsOf(row.id), [](const OptionRow* o) { return o->name == "help"; }));
        EXPECT_TRUE(row.example.starts_with(row.name)) << row.example;
        EXPECT_LE(row.least, row.most) << row.name;
    }
}

TEST(OptionTable, findsCommandsByNameOnly) {
    ASSERT_NE(commandNamed("help"), nullptr);
    EXPECT_EQ(commandNamed("help")->id, CommandId::Help);
    EXPECT_EQ(commandNamed("Help"), nullptr);
    EXPECT_EQ(commandNamed(""), nullptr);
}

} // namespace
} // namespace brokerscope
