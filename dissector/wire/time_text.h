// SPDX-License-Identifier: Apache-2.0
// Points in time and lengths of time as text, with the digits that the capture really has.
// Threads: one per object. No allocation beyond the text that is appended to.
#pragma once

#include "capture/types/time.h"

#include <cstdint>
#include <string>

namespace brokerscope {

// "2026-11-29T14:55:01.123456Z". Remembers the date of the last second, as times come in order.
class IsoTime {
  public:
    void append(std::string& out, Timestamp time, int digits);

  private:
    std::int64_t m_second = -1;
    char m_text[20]; // "2026-11-29T14:55:01"
};

// "2026-11-29 14:55:01.123456"
void appendDate(std::string& out, Timestamp time, int digits);
// Seconds with a fraction: "0.012498", "-3.000001".
void appendSeconds(std::string& out, Duration duration, int digits);
// Milliseconds as a JSON number without needless zeros: "1.234", "0.01", "12", "0".
void appendMilliseconds(std::string& out, Duration duration);
// Milliseconds for a column: always three (or six) decimals.
std::string millisecondsText(Duration duration, int digits);
// For people, three significant digits: "870 ns", "12.3 µs", "1.23 ms", "4.5 s", "3 min 20 s", "2 h 05 min".
std::string durationText(Duration duration);

} // namespace brokerscope
