// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/member_text.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

TEST(MemberText, keepsTheNameAndFourSignsOfTheUuid) {
    EXPECT_EQ(memberText("range-a-996f2d23-d1fa-4086-a289-6206933a2d81"), "range-a-996f…");
    EXPECT_EQ(memberText("996f2d23-d1fa-4086-a289-6206933a2d81"), "996f…");
    EXPECT_EQ(memberText("YUudESIzRFVmd4iZqrvM3Q"), "YUud…");
}

TEST(MemberText, leavesOtherIdsAlone) {
    for (const char* id : {"", "m", "consumer-1", "996f2d23-d1fa-4086-a289-6206933a2dzz"})
        EXPECT_EQ(memberText(id), id);
}

TEST(MemberText, findsIdsInsideASentence) {
    EXPECT_EQ(withShortIds("a-996f2d23-d1fa-4086-a289-6206933a2d81 joined again"), "a-996f… joined again");
    EXPECT_EQ(withShortIds(" two  spaces "), " two  spaces ");
}

} // namespace
} // namespace brokerscope
