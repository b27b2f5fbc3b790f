// SPDX-License-Identifier: Apache-2.0
#include "capture/files/time_scale.h"

#include <limits>

namespace brokerscope {

namespace {

__extension__ using Wide = __int128;

constexpr std::uint64_t nanosecondsPerSecond = 1'000'000'000;

std::uint64_t powerOf10(unsigned exponent) {
    std::uint64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

} // namespace

TimeScale::TimeScale(TimeResolution resolution, std::int64_t offsetSeconds) : m_offsetSeconds(offsetSeconds) {
    const unsigned exponent = resolution.exponent;
    m_digits = exponent <= (resolution.binary ? 0 : 6) ? 6 : 9;
    if (resolution.binary) {
        m_factor = nanosecondsPerSecond;
        m_shift = exponent; // at most 127, as the field has 7 bits for it
    } else if (exponent <= 9) {
        m_factor = powerOf10(9 - exponent);
    } else if (exponent - 9 <= 19) {
        m_factor = 1;
        m_divisor = powerOf10(exponent - 9);
    } else {
        m_factor = 0; // units so small that 64 bits of them are less than a nanosecond
    }
}

Timestamp TimeScale::at(std::uint64_t units) const {
    Wide nanoseconds = static_cast<Wide>(units) * m_factor;
    if (m_divisor != 1) nanoseconds /= m_divisor;
    nanoseconds >>= m_shift;
    nanoseconds += static_cast<Wide>(m_offsetSeconds) * nanosecondsPerSecond;
    // Half of what 64 bits hold (the years 1824 to 2116): differences of times, and times to come, are times as well.
    constexpr Wide most = std::numeric_limits<std::int64_t>::max() / 2, least = -most;
    if (nanoseconds < least) nanoseconds = least;
    if (nanoseconds > most) nanoseconds = most;
    return Timestamp(Duration(static_cast<std::int64_t>(nanoseconds)));
}

} // namespace brokerscope
