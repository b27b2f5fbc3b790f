// SPDX-License-Identifier: Apache-2.0
#include "cli/output/sections.h"

namespace brokerscope {

void printLine(Console& console, std::string_view text) {
    console.out.buffer() += text;
    console.out.endLine();
}

void printSection(Console& console, std::string_view title) {
    console.out.endLine();
    printLine(console, console.style(Role::Heading, title));
}

} // namespace brokerscope
