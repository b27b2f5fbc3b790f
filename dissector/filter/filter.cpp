// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/filter.h"

#include "dissector/filter/filter_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>

namespace brokerscope {

namespace {

// How a value stands to a literal; unordered when they cannot be compared.
std::partial_ordering compare(const FilterValue& value, const FilterLiteral& literal) {
    if (value.number && literal.number) return *value.number <=> *literal.number;
    if (value.text) return *value.text <=> std::string_view(literal.text);
    return std::partial_ordering::unordered;
}

bool holds(Filter::Node::Operator op, std::partial_ordering order) {
    using Operator = Filter::Node::Operator;
    if (order == std::partial_ordering::unordered) return false;
    switch (op) {
    case Operator::Equal:
        return order == 0;
    case Operator::NotEqual:
        return order != 0;
    case Operator::Less:
        return order < 0;
    case Operator::LessOrEqual:
        return order <= 0;
    case Operator::Greater:
        return order > 0;
    case Operator::GreaterOrEqual:
        return order >= 0;
    }
    return false;
}

} // namespace

bool Filter::Node::accepts(const FilterValue& value) const {
    switch (kind) {
    case Kind::Present:
        return type != FilterType::Flag || value.number.value_or(0) != 0;
    case Kind::Contains:
        return value.text && value.text->find(ranges.front().first.text) != std::string_view::npos;
    case Kind::Matches:
        return value.text && RE2::PartialMatch(re2::StringPiece(value.text->data(), value.text->size()), *pattern);
    case Kind::Compare: {
        const FilterLiteral& literal = ranges.front().first;
        if (literal.network && value.address)
            return literal.network->contains(*value.address) == (op == Operator::Equal);
        return holds(op, compare(value, literal));
    }
    case Kind::In:
        return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
            if (range.first.network && value.address) return range.first.network->contains(*value.address);
            return holds(Operator::GreaterOrEqual, compare(value, range.first)) &&
                   holds(Operator::LessOrEqual, compare(value, range.second));
        });
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
        break;
    }
    return false;
}

bool Filter::Node::test(FilterSubject& subject) const {
    const auto passes = [&](const std::shared_ptr<Node>& child) { return child->test(subject); };
    switch (kind) {
    case Kind::And:
        return std::all_of(children.begin(), children.end(), passes);
    case Kind::Or:
        return std::any_of(children.begin(), children.end(), passes);
    case Kind::Not:
        return !children.front()->test(subject);
    default:
        return subject.visitValues(field, path, [this](const FilterValue& value) { return accepts(value); });
    }
}

Filter::Filter(std::string text, std::shared_ptr<const Node> root) : m_text(std::move(text)), m_root(std::move(root)) {}
Filter::~Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;

bool Filter::matches(FilterSubject& subject) const {
    return m_root->test(subject);
}
FilterCost Filter::cost() const {
    return m_root->cost;
}

std::string describe(const FilterError& error, std::string_view text) {
    std::string marks(error.begin, ' ');
    marks.append(std::max<std::size_t>(1, error.end - error.begin), '^');
    std::string result = fmt::format("{}\n{}\n{}", text, marks, error.message);
    for (std::size_t i = 0; i < error.suggestions.size(); ++i)
        result += fmt::format("{}{}",
                              i == 0                              ? "; did you mean "
                              : i + 1 == error.suggestions.size() ? " or "
                                                                  : ", ",
                              error.suggestions[i]);
    if (!error.suggestions.empty()) result += "?";
    return result;
}

} // namespace brokerscope
