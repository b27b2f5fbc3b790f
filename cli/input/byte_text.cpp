// SPDX-License-Identifier: Apache-2.0
#include "cli/input/byte_text.h"

#include "cli/output/text_width.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int base64Digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

Error strange(std::string_view what, std::string_view text, std::size_t at) {
    // A whole UTF-8 character, not its first byte.
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xc0) == 0x80)
        ++length;
    return Error{
        fmt::format("'{}' at character {} is no {}", printable(text.substr(at, length)), at + 1, what), {}, {}};
}

} // namespace

Result<std::vector<std::uint8_t>> bytesFromHex(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    int half = -1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isSpace(c) || c == ':' || c == ',') continue;
        // 0x in front of a byte; where one digit stands already, the 0 belongs to it.
        const bool prefix = half < 0 && c == '0' && i + 1 < text.size() && (text[i + 1] == 'x' || text[i + 1] == 'X');
        if (prefix) {
            ++i;
            continue;
        }
        const int digit = hexDigit(c);
        if (digit < 0) return strange("hex digit (is it --base64 or --raw?)", text, i);
        if (half < 0) {
            half = digit;
        } else {
            bytes.push_back(static_cast<std::uint8_t>(half << 4 | digit));
            half = -1;
        }
    }
    if (half >= 0)
        return Error{
            fmt::format("half a byte is left over behind {} whole ones: a hex digit is missing or one too many",
                        bytes.size()),
            {},
            {}};
    return bytes;
}

Result<std::vector<std::uint8_t>> bytesFromBase64(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isSpace(text[i])) continue;
        if (text[i] == '=') { // only padding may follow
            while (i < text.size() && (text[i] == '=' || isSpace(text[i])))
                ++i;
            if (i < text.size()) return strange("base64 behind the padding", text, i);
            break;
        }
        const int digit = base64Digit(text[i]);
        if (digit < 0) return strange("base64 character", text, i);
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::uint8_t>(bits >> count));
    }
    if (count == 6) return Error{"the last base64 character stands alone: the text is cut", {}, {}};
    return bytes;
}

} // namespace brokerscope
