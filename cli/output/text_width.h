// SPDX-License-Identifier: Apache-2.0
// How wide a text is on a terminal, and texts from the wire made safe to print. Texts are UTF-8; what is not counts and
// prints as an escape, so that no captured byte can move the cursor or forge a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

// In columns: East Asian wide characters and emoji take two, combining marks none.
std::size_t displayWidth(std::string_view text);
// Cut to `width` columns with … at its end when it is wider.
std::string elided(std::string_view text, std::size_t width);
enum class LongWords { Whole, Cut }; // words that are wider than a line
// Broken between words into lines of at most `width` columns; a line break in the text stays one.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, LongWords longWords);
// The same as one text, long words whole; its lines from the second on are indented.
std::string wrapText(std::string_view text, std::size_t width, std::size_t indent);
// Control characters, line separators, direction marks and invalid UTF-8 become \n, \t, \u{202e}, \xff.
std::string printable(std::string_view text);

} // namespace brokerscope
