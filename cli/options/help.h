// SPDX-License-Identifier: Apache-2.0
// Help and the manual page, made from the rows of option_table.h. Plain text without colour, at most 80 columns wide.
#pragma once

#include "cli/options/option_table.h"

#include <string>

namespace brokerscope {

std::string overviewHelp(std::string_view version); // the list of commands
std::string commandHelp(CommandId id);              // one command with its options
std::string manualPage(std::string_view version);   // roff, for man(1)

} // namespace brokerscope
