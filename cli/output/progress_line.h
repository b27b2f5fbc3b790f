// SPDX-License-Identifier: Apache-2.0
// A line on standard error that says how far a long run is; it is wiped away when the run ends. By default only on a
// terminal and only when the work takes more than a second. Asking it costs one comparison until then.
#pragma once

#include "cli/options/options.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace brokerscope {

class ProgressLine {
  public:
    ProgressLine(int descriptor, When when, bool quiet);
    ~ProgressLine(); // wipes the line

    // `total` 0: not known (standard input). Prints at most ten times a second.
    void update(std::uint64_t done, std::uint64_t total);
    void update(const std::function<std::string()>& text); // asked for when it is to be printed

  private:
    using Clock = std::chrono::steady_clock;
    bool isTime();
    void print(std::string_view text);

    int m_descriptor;
    bool m_active;
    bool m_terminal;
    bool m_shown = false;
    Clock::time_point m_next;
};

} // namespace brokerscope
