// SPDX-License-Identifier: Apache-2.0
// The values that stand on the right of an operator, read as the name on the left wants them.
#pragma once

#include "dissector/filter/filter.h"
#include "dissector/filter/filter_lexer.h"

#include <optional>
#include <string>

namespace brokerscope {

struct Network {
    Address address;
    int prefix = 0; // bits

    bool contains(const Address& other) const;
};

struct FilterLiteral {
    std::optional<long double> number;
    std::string text;
    std::optional<Network> network;
    bool absoluteTime = false;
};

// The literal, or why it is none for this name. `token` is a word or a string.
std::variant<FilterLiteral, FilterError> readLiteral(const FilterToken& token, const FilterNameRow& name,
                                                     const Protocol& protocol);

} // namespace brokerscope
