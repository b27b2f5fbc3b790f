// SPDX-License-Identifier: Apache-2.0
#include "cli/output/quantity_text.h"

#include <fmt/format.h>

namespace brokerscope {

std::string countText(std::uint64_t count) {
    std::string text = fmt::format("{}", count);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

std::string countOf(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", countText(count), noun, count == 1 ? "" : "s");
}

std::string sizeText(std::uint64_t bytes) {
    if (bytes < 10'000) return countOf(bytes, "byte");
    const auto size = static_cast<double>(bytes);
    if (bytes < 999'500) return fmt::format("{:.3g} kB", size / 1e3);
    if (bytes < 999'500'000) return fmt::format("{:.3g} MB", size / 1e6);
    return fmt::format("{:.3g} GB", size / 1e9);
}

std::string percentText(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "";
    const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (part != 0 && share < 0.1) return "<0.1 %";
    return fmt::format("{:.1f} %", share);
}

} // namespace brokerscope
