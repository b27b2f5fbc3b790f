// SPDX-License-Identifier: Apache-2.0
// One step through a text that should be UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace brokerscope {

struct Utf8Character {
    char32_t code = 0;      // of an invalid one: the byte
    std::size_t length = 1; // bytes
    bool valid = false;
};

// The first character of a text that is not empty. Overlong forms and surrogates are not valid.
Utf8Character firstCharacter(std::string_view text);

} // namespace brokerscope
