// SPDX-License-Identifier: Apache-2.0
// Text for people that ends with an ellipsis where it would become too long.
#pragma once

#include "capture/types/bytes.h"

#include <string>
#include <string_view>

namespace brokerscope {

// Not empty, valid UTF-8, no control characters but tabs and line breaks.
bool looksLikeText(Bytes bytes);

// Cuts to at most `most` bytes, the ellipsis included, between characters.
void cutText(std::string& text, std::size_t most);

// Appends text of one line: control characters become \n, \t, \x1f; what is no UTF-8 becomes U+FFFD.
void appendLine(Bytes text, std::string& out, std::size_t most);

// "0a 1b 2c", at most `most` bytes of text, then an ellipsis.
void appendHex(Bytes bytes, std::string& out, std::size_t most);

// Sixteen bytes a line: offset, hex, and the printable ones as ASCII.
std::string hexDump(Bytes bytes, std::size_t most);

} // namespace brokerscope
