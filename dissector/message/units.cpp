// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

namespace brokerscope {

namespace {

// At most one digit behind the point, and none when it is zero.
std::string inUnits(double value, std::string_view unit) {
    const double rounded = std::round(value * 10) / 10;
    return rounded == std::floor(rounded) ? fmt::format("{:.0f} {}", rounded, unit)
                                          : fmt::format("{:.1f} {}", rounded, unit);
}

} // namespace

std::string sizeWords(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    return inUnits(value, units[unit]);
}

std::string durationWords(std::int64_t milliseconds) {
    struct Unit {
        double size;
        std::string_view name;
    };
    static constexpr std::array<Unit, 4> units{{{86'400'000, "d"}, {3'600'000, "h"}, {60'000, "min"}, {1000, "s"}}};
    const auto value = static_cast<double>(milliseconds);
    for (const Unit& unit : units)
        if (std::abs(value) >= unit.size) return inUnits(value / unit.size, unit.name);
    return fmt::format("{} ms", milliseconds);
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t place = digits.size(); place > 3; place -= 3)
        digits.insert(place - 3, 1, ',');
    return digits;
}

std::string dateText(std::int64_t millisecondsSince1970) {
    constexpr std::int64_t day = 86'400'000, farthest = 11'000'000 * day; // about the year 32,000, as the calendar
    if (millisecondsSince1970 > farthest || millisecondsSince1970 < -farthest) return {};
    const std::int64_t days = millisecondsSince1970 / day - (millisecondsSince1970 % day < 0);
    const std::int64_t rest = millisecondsSince1970 - days * day;
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), rest / 3'600'000,
                       rest / 60'000 % 60, rest / 1000 % 60, rest % 1000);
}

} // namespace brokerscope
