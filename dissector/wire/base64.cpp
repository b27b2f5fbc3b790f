// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/base64.h"

#include <algorithm>
#include <string_view>

namespace brokerscope {

void writeBase64(Bytes bytes, char* to) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto digit = [&](unsigned bits) { *to++ = digits[bits & 63]; };
    for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
        const unsigned three = bytes[0] << 16 | bytes[1] << 8 | bytes[2];
        digit(three >> 18);
        digit(three >> 12);
        digit(three >> 6);
        digit(three);
    }
    if (bytes.empty()) return;
    const unsigned rest = bytes[0] << 16 | (bytes.size() == 2 ? bytes[1] << 8 : 0);
    digit(rest >> 18);
    digit(rest >> 12);
    if (bytes.size() == 2) digit(rest >> 6);
    std::fill_n(to, 3 - bytes.size(), '=');
}

void appendBase64(Bytes bytes, std::string& text) {
    const std::size_t at = text.size();
    text.resize(at + base64Length(bytes.size()));
    writeBase64(bytes, text.data() + at);
}

} // namespace brokerscope
