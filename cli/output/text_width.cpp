// SPDX-License-Identifier: Apache-2.0
#include "cli/output/text_width.h"

#include "cli/output/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <cwchar>

namespace brokerscope {
namespace {

// The C library knows the widths, but only of the current locale; the C.UTF-8 one is always there.
class Utf8Locale {
  public:
    Utf8Locale() : m_before(::uselocale(handle())) {}
    ~Utf8Locale() { ::uselocale(m_before); }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

  private:
    static locale_t handle() {
        static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return utf8;
    }
    locale_t m_before;
};

std::size_t columnsOf(const Utf8Character& character) {
    if (!character.valid) return 1;
    const int width = ::wcwidth(static_cast<wchar_t>(character.code));
    return width < 0 ? 1 : static_cast<std::size_t>(width);
}

bool allAscii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Line and paragraph separators, and the marks that turn the direction of writing.
bool disturbs(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 || code == 0x200e ||
           code == 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

// As many whole characters as fit.
std::string_view beginningOf(std::string_view text, std::size_t width) {
    const Utf8Locale locale;
    std::size_t taken = 0, columns = 0;
    while (taken < text.size()) {
        const Utf8Character character = firstCharacter(text.substr(taken));
        columns += columnsOf(character);
        if (columns > width) break;
        taken += character.length;
    }
    return text.substr(0, taken);
}

} // namespace

std::size_t displayWidth(std::string_view text) {
    if (allAscii(text)) return text.size();
    const Utf8Locale locale;
    std::size_t width = 0;
    while (!text.empty()) {
        const Utf8Character character = firstCharacter(text);
        width += columnsOf(character);
        text.remove_prefix(character.length);
    }
    return width;
}

std::string elided(std::string_view text, std::size_t width) {
    if (text.size() <= width || displayWidth(text) <= width) return std::string(text);
    if (width == 0) return {};
    return std::string(beginningOf(text, width - 1)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, LongWords longWords) {
    std::vector<std::string> lines(1);
    std::size_t column = 0;
    const auto begin = [&] {
        lines.emplace_back();
        column = 0;
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const bool lineEnds = end < text.size() && text[end] == '\n';
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (column > 0 && column + 1 + displayWidth(word) > width) begin();
        if (column > 0) {
            lines.back() += ' ';
            ++column;
        }
        // Two columns hold any character.
        while (longWords == LongWords::Cut && width > 1 && displayWidth(word) > width) {
            lines.back() = beginningOf(word, width);
            word.remove_prefix(lines.back().size());
            begin();
        }
        lines.back() += word;
        column += displayWidth(word);
        if (lineEnds) begin();
    }
    return lines;
}

std::string wrapText(std::string_view text, std::size_t width, std::size_t indent) {
    return fmt::format("{}", fmt::join(wrapped(text, width, LongWords::Whole), '\n' + std::string(indent, ' ')));
}

std::string printable(std::string_view text) {
    const bool plain = std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
    if (plain) return std::string(text);
    std::string result;
    while (!text.empty()) {
        const Utf8Character character = firstCharacter(text);
        if (!character.valid)
            result += fmt::format("\\x{:02x}", static_cast<unsigned>(character.code));
        else if (character.code == '\n')
            result += "\\n";
        else if (character.code == '\r')
            result += "\\r";
        else if (character.code == '\t')
            result += "\\t";
        else if (disturbs(character.code))
            result += character.code < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(character.code))
                                            : fmt::format("\\u{{{:x}}}", static_cast<unsigned>(character.code));
        else
            result += text.substr(0, character.length);
        text.remove_prefix(character.length);
    }
    return result;
}

} // namespace brokerscope
