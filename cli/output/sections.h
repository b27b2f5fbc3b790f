// SPDX-License-Identifier: Apache-2.0
// Lines and headings between the tables of a command. Threads: one.
#pragma once

#include "cli/output/console.h"

#include <string_view>

namespace brokerscope {

void printLine(Console& console, std::string_view text);
// An empty line, and the heading of what follows.
void printSection(Console& console, std::string_view title);

} // namespace brokerscope
