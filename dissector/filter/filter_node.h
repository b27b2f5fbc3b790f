// SPDX-License-Identifier: Apache-2.0
// A compiled filter: a tree of tests. Internal to dissector/filter.
#pragma once

#include "dissector/filter/filter.h"
#include "dissector/filter/filter_literal.h"

#include <re2/re2.h>

#include <memory>
#include <vector>

namespace brokerscope {

struct Filter::Node {
    enum class Kind : std::uint8_t { And, Or, Not, Present, Compare, In, Contains, Matches } kind = Kind::Present;
    enum class Operator : std::uint8_t {
        Equal,
        NotEqual,
        Less,
        LessOrEqual,
        Greater,
        GreaterOrEqual
    } op = Operator::Equal;
    std::vector<std::shared_ptr<Node>> children; // And, Or, Not
    FilterField field = FilterField::Api;
    FilterType type = FilterType::Text;
    std::vector<std::string> path;
    std::vector<std::pair<FilterLiteral, FilterLiteral>> ranges; // In: low and high; Compare: the first's low
    std::shared_ptr<const RE2> pattern;
    FilterCost cost = FilterCost::Exchange;

    bool test(FilterSubject& subject) const;

  private:
    bool accepts(const FilterValue& value) const;
};

} // namespace brokerscope
