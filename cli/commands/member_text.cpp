// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/member_text.h"

#include <algorithm>
#include <cctype>

namespace brokerscope {
namespace {

constexpr std::size_t uuidLength = 36, base64Length = 22, kept = 4;

bool isHex(char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

// 8-4-4-4-12 hexadecimal digits.
bool isUuid(std::string_view text) {
    if (text.size() != uuidLength) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !isHex(text[i])) return false;
    }
    return true;
}

// Kafka's own short form of a uuid.
bool isBase64(std::string_view text) {
    return text.size() == base64Length && std::ranges::all_of(text, [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
           });
}

} // namespace

std::string memberText(std::string_view id) {
    std::size_t cut = id.size();
    if (id.size() >= uuidLength && isUuid(id.substr(id.size() - uuidLength)))
        cut = id.size() - uuidLength + kept;
    else if (isBase64(id))
        cut = kept;
    return cut == id.size() ? std::string(id) : std::string(id.substr(0, cut)) + "…";
}

std::string withShortIds(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        result += memberText(text.substr(0, space));
        text.remove_prefix(space);
        if (text.empty()) break;
        result += ' ';
        text.remove_prefix(1);
    }
    return result;
}

} // namespace brokerscope
