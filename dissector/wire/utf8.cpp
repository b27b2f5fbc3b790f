// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/utf8.h"

#include <string_view>

namespace brokerscope {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

// Of the character that begins here, 0 when none does. The second byte carries all the restrictions.
std::size_t characterLength(Bytes bytes) {
    const std::uint8_t lead = bytes[0];
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    std::uint8_t low = 0x80, high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
    } else {
        return 0;
    }
    if (bytes.size() < length || bytes[1] < low || bytes[1] > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if (bytes[i] < 0x80 || bytes[i] > 0xbf) return 0;
    return length;
}

} // namespace

std::size_t validUtf8Prefix(Bytes bytes) {
    std::size_t valid = 0;
    while (valid < bytes.size()) {
        const std::size_t length = characterLength(bytes.subspan(valid));
        if (length == 0) break;
        valid += length;
    }
    return valid;
}

void appendUtf8(Bytes bytes, std::string& text) {
    while (!bytes.empty()) {
        const std::size_t valid = validUtf8Prefix(bytes);
        text.append(reinterpret_cast<const char*>(bytes.data()), valid);
        bytes = bytes.subspan(valid);
        if (bytes.empty()) return;
        text.append(replacement);
        bytes = bytes.subspan(1);
    }
}

} // namespace brokerscope
