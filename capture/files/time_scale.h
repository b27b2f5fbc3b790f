// SPDX-License-Identifier: Apache-2.0
// From the time units of a pcapng interface (64 bits, any power of 10 or 2 of a second, an offset in seconds) to points
// in time. What does not fit into a Timestamp becomes the nearest one that does.
#pragma once

#include "capture/packet_source.h"

#include <cstdint>

namespace brokerscope {

class TimeScale {
  public:
    explicit TimeScale(TimeResolution resolution = {}, std::int64_t offsetSeconds = 0);

    Timestamp at(std::uint64_t units) const;
    // How many digits behind the second are worth printing: 6 or 9.
    std::uint8_t digits() const { return m_digits; }

  private:
    // nanoseconds = units * m_factor / m_divisor >> m_shift, plus the offset
    std::uint64_t m_factor = 1000;
    std::uint64_t m_divisor = 1;
    unsigned m_shift = 0;
    std::int64_t m_offsetSeconds;
    std::uint8_t m_digits;
};

} // namespace brokerscope
