// SPDX-License-Identifier: Apache-2.0
// Points in time in one of the forms of --time. Threads: one per object.
#pragma once

#include "cli/options/options.h"
#include "dissector/wire/time_text.h"

#include <string>

namespace brokerscope {

class TimePrinter {
  public:
    TimePrinter(TimeFormat format, Timestamp start) : m_format(format), m_start(start), m_before(start) {}

    // `digits` behind the second: 6 or 9. Delta counts from the time before, the first one from the start.
    void append(std::string& out, Timestamp time, int digits);

  private:
    TimeFormat m_format;
    Timestamp m_start;
    Timestamp m_before;
};

} // namespace brokerscope
