// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/bounded_text.h"

#include "dissector/wire/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace brokerscope {

namespace {
constexpr std::string_view ellipsis = "\xe2\x80\xa6";
constexpr std::size_t dumpWidth = 16;

bool isControl(std::uint8_t byte) {
    return byte < 0x20 || byte == 0x7f;
}
} // namespace

bool looksLikeText(Bytes bytes) {
    constexpr std::string_view allowed = "\t\n\r";
    return !bytes.empty() && validUtf8Prefix(bytes) == bytes.size() &&
           std::none_of(bytes.begin(), bytes.end(), [&](std::uint8_t byte) {
               return isControl(byte) && allowed.find(static_cast<char>(byte)) == std::string_view::npos;
           });
}

void cutText(std::string& text, std::size_t most) {
    if (text.size() <= most) return;
    if (most < ellipsis.size()) return text.clear();
    std::size_t keep = most - ellipsis.size();
    while (keep > 0 && (static_cast<std::uint8_t>(text[keep]) & 0xc0) == 0x80)
        --keep; // inside a character
    text.resize(keep);
    text += ellipsis;
}

void appendLine(Bytes text, std::string& out, std::size_t most) {
    const std::size_t begin = out.size();
    text = text.first(std::min(text.size(), most + 1)); // one more than fits shows that it must be cut
    while (!text.empty()) {
        const auto control = std::find_if(text.begin(), text.end(), isControl);
        const auto plain = static_cast<std::size_t>(control - text.begin());
        appendUtf8(text.first(plain), out);
        text = text.subspan(plain);
        if (text.empty()) break;
        switch (text[0]) {
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", text[0]);
        }
        text = text.subspan(1);
    }
    std::string line = out.substr(begin);
    cutText(line, most);
    out.replace(begin, std::string::npos, line);
}

void appendHex(Bytes bytes, std::string& out, std::size_t most) {
    constexpr std::size_t width = 3; // with the space behind it
    const std::size_t begin = out.size();
    for (const std::uint8_t byte : bytes.first(std::min(bytes.size(), most / width + 1))) // one that must be cut
        fmt::format_to(std::back_inserter(out), "{}{:02x}", out.size() == begin ? "" : " ", byte);
    std::string hex = out.substr(begin);
    if (bytes.size() > most / width + 1) hex += ' ';
    cutText(hex, most);
    out.replace(begin, std::string::npos, hex);
}

std::string hexDump(Bytes bytes, std::size_t most) {
    std::string out;
    for (std::size_t begin = 0; begin < bytes.size() && out.size() < most; begin += dumpWidth) {
        const Bytes row = bytes.subspan(begin, std::min(dumpWidth, bytes.size() - begin));
        fmt::format_to(std::back_inserter(out), "{:06x}  {:02x}", begin, fmt::join(row, " "));
        out.append(3 * (dumpWidth - row.size()) + 2, ' ');
        for (const std::uint8_t byte : row)
            out += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
        out += '\n';
    }
    cutText(out, most);
    return out;
}

} // namespace brokerscope
