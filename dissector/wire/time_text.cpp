// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/time_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

namespace brokerscope {
namespace {

constexpr std::int64_t perSecond = 1'000'000'000;

std::int64_t power10(int n) {
    std::int64_t result = 1;
    while (n-- > 0)
        result *= 10;
    return result;
}

// `value` in exactly `digits` digits.
void appendPadded(std::string& out, std::int64_t value, int digits) {
    char text[20];
    for (int i = digits - 1; i >= 0; --i) {
        text[i] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
    out.append(text, static_cast<std::size_t>(digits));
}

void appendFraction(std::string& out, std::int64_t nanoseconds, int digits) {
    out += '.';
    appendPadded(out, nanoseconds / power10(9 - digits), digits);
}

struct Split {
    std::int64_t seconds;
    std::int64_t nanoseconds; // 0 to 999,999,999, also before 1970
};

Split split(Timestamp time) {
    const std::int64_t all = time.time_since_epoch().count();
    std::int64_t seconds = all / perSecond, rest = all % perSecond;
    if (rest < 0) {
        rest += perSecond;
        --seconds;
    }
    return {seconds, rest};
}

void appendDateAndTime(std::string& out, std::int64_t second, char between) {
    using namespace std::chrono;
    const sys_seconds time{seconds{second}};
    const sys_days day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    appendPadded(out, int{date.year()}, 4);
    out += '-';
    appendPadded(out, unsigned{date.month()}, 2);
    out += '-';
    appendPadded(out, unsigned{date.day()}, 2);
    out += between;
    appendPadded(out, clock.hours().count(), 2);
    out += ':';
    appendPadded(out, clock.minutes().count(), 2);
    out += ':';
    appendPadded(out, clock.seconds().count(), 2);
}

} // namespace

void IsoTime::append(std::string& out, Timestamp time, int digits) {
    const Split parts = split(time);
    if (parts.seconds != m_second || m_second < 0) {
        std::string text;
        appendDateAndTime(text, parts.seconds, 'T');
        text.copy(m_text, 19);
        m_second = parts.seconds;
    }
    out.append(m_text, 19);
    appendFraction(out, parts.nanoseconds, digits);
    out += 'Z';
}

void appendDate(std::string& out, Timestamp time, int digits) {
    const Split parts = split(time);
    appendDateAndTime(out, parts.seconds, ' ');
    appendFraction(out, parts.nanoseconds, digits);
}

void appendSeconds(std::string& out, Duration duration, int digits) {
    std::int64_t count = duration.count();
    if (count < 0) {
        out += '-';
        count = -count;
    }
    const fmt::format_int seconds(count / perSecond);
    out.append(seconds.data(), seconds.size());
    appendFraction(out, count % perSecond, digits);
}

void appendMilliseconds(std::string& out, Duration duration) {
    std::int64_t count = duration.count();
    if (count < 0) {
        out += '-';
        count = -count;
    }
    const fmt::format_int whole(count / 1'000'000);
    out.append(whole.data(), whole.size());
    std::int64_t rest = count % 1'000'000;
    if (rest == 0) return;
    int digits = 6;
    while (rest % 10 == 0) {
        rest /= 10;
        --digits;
    }
    out += '.';
    appendPadded(out, rest, digits);
}

std::string millisecondsText(Duration duration, int digits) {
    std::string text;
    const std::int64_t count = duration.count();
    if (count < 0) text += '-';
    const std::int64_t size = count < 0 ? -count : count;
    text += fmt::format("{}", size / 1'000'000);
    text += '.';
    appendPadded(text, size % 1'000'000 / power10(9 - digits), digits - 3);
    return text;
}

std::string durationText(Duration duration) {
    const auto nanoseconds = static_cast<double>(duration.count());
    const double size = nanoseconds < 0 ? -nanoseconds : nanoseconds;
    if (size < 1e3) return fmt::format("{} ns", duration.count());
    if (size < 999.5e3) return fmt::format("{:.3g} µs", nanoseconds / 1e3);
    if (size < 999.5e6) return fmt::format("{:.3g} ms", nanoseconds / 1e6);
    if (size < 99.95e9) return fmt::format("{:.3g} s", nanoseconds / 1e9);
    const std::int64_t seconds = (duration.count() + (duration.count() < 0 ? -1 : 1) * perSecond / 2) / perSecond;
    if (size < 3600e9) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
    return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

} // namespace brokerscope
