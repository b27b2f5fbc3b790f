// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/filter_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace brokerscope {

namespace {

constexpr std::array<std::string_view, 14> signs{"==", "!=", "<=", ">=", "&&", "||", "<",
                                                 ">",  "!",  "(",  ")",  "{",  "}",  ","};

// Names, numbers with units, addresses with ports and masks, uuids, dates.
bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_.:-/*[]+").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

FilterToken lexString(std::string_view text, std::size_t& at) {
    FilterToken token;
    token.begin = at;
    const bool raw = text[at] == 'r';
    if (raw) ++at;
    const char quote = text[at++];
    token.kind = FilterToken::Kind::BadString;
    while (at < text.size()) {
        char c = text[at++];
        if (c == quote) {
            token.kind = FilterToken::Kind::String;
            break;
        }
        if (c == '\\' && !raw && at < text.size()) {
            c = text[at++];
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c != '\\' && c != quote)
                token.text += '\\'; // left as it is for regular expressions
        }
        token.text += c;
    }
    token.end = at;
    return token;
}

} // namespace

std::vector<FilterToken> lexFilter(std::string_view text) {
    std::vector<FilterToken> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        if (std::isspace(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        const bool rawString = text[at] == 'r' && at + 1 < text.size() && text[at + 1] == '"';
        if (text[at] == '"' || text[at] == '\'' || rawString) {
            tokens.push_back(lexString(text, at));
            continue;
        }
        FilterToken token;
        token.begin = at;
        const auto sign = std::find_if(signs.begin(), signs.end(),
                                       [&](std::string_view s) { return text.substr(at).starts_with(s); });
        if (sign != signs.end()) {
            token.kind = FilterToken::Kind::Sign;
            at += sign->size();
        } else if (isWordCharacter(text[at])) {
            token.kind = FilterToken::Kind::Word;
            while (at < text.size() && isWordCharacter(text[at]))
                ++at;
        } else {
            token.kind = FilterToken::Kind::BadCharacter;
            ++at;
        }
        token.end = at;
        token.text = text.substr(token.begin, at - token.begin);
        tokens.push_back(std::move(token));
    }
    FilterToken last;
    last.begin = last.end = text.size();
    tokens.push_back(last);
    return tokens;
}

} // namespace brokerscope
