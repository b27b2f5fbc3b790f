// SPDX-License-Identifier: Apache-2.0
// Cuts a filter's text into words, strings and signs. Knows no names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct FilterToken {
    enum class Kind : std::uint8_t { Word, String, Sign, BadString, BadCharacter, End } kind = Kind::End;
    std::string text; // strings without quotes and escapes
    std::size_t begin = 0, end = 0;
};

// The last token is always of kind End.
std::vector<FilterToken> lexFilter(std::string_view text);

} // namespace brokerscope
