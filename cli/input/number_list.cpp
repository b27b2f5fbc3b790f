// SPDX-License-Identifier: Apache-2.0
#include "cli/input/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace brokerscope {
namespace {

bool readNumber(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number != 0;
}

} // namespace

Result<NumberList> NumberList::parse(std::string_view text) {
    const Error wrong{fmt::format("'{}' names no exchanges: write a number, 3,5,9 or 10-20", text), {}, {}};
    NumberList list;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        const std::size_t dash = part.find('-');
        std::uint64_t first = 0, last = 0;
        if (!readNumber(part.substr(0, dash), first)) return wrong;
        if (dash == std::string_view::npos)
            last = first;
        else if (!readNumber(part.substr(dash + 1), last) || last < first)
            return wrong;
        list.m_ranges.emplace_back(first, last);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    // Overlapping ranges become one, so that counting counts each number once.
    std::ranges::sort(list.m_ranges);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> apart;
    for (const auto& range : list.m_ranges) {
        if (!apart.empty() && range.first <= apart.back().second)
            apart.back().second = std::max(apart.back().second, range.second);
        else
            apart.push_back(range);
    }
    list.m_ranges = std::move(apart);
    return list;
}

bool NumberList::contains(std::uint64_t number) const {
    return std::ranges::any_of(m_ranges,
                               [&](const auto& range) { return number >= range.first && number <= range.second; });
}

std::uint64_t NumberList::count() const {
    std::uint64_t sum = 0;
    for (const auto& [first, last] : m_ranges) {
        const std::uint64_t size = last - first;
        if (size >= std::numeric_limits<std::uint64_t>::max() - 1 - sum)
            return std::numeric_limits<std::uint64_t>::max();
        sum += size + 1;
    }
    return sum;
}

} // namespace brokerscope
