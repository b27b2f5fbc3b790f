// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/base64.h"

#include <string_view>

namespace brokerscope {

void appendBase64(Bytes bytes, std::string& text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::size_t at = text.size();
    text.resize(at + (bytes.size() + 2) / 3 * 4, '=');
    for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
        const unsigned three = bytes[0] << 16 | bytes[1] << 8 | bytes[2];
        for (int shift = 18; shift >= 0; shift -= 6)
            text[at++] = digits[three >> shift & 63];
    }
    if (bytes.empty()) return;
    const unsigned rest = bytes[0] << 16 | (bytes.size() == 2 ? bytes[1] << 8 : 0);
    text[at++] = digits[rest >> 18];
    text[at++] = digits[rest >> 12 & 63];
    if (bytes.size() == 2) text[at] = digits[rest >> 6 & 63];
}

} // namespace brokerscope
