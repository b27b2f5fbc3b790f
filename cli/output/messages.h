// SPDX-License-Identifier: Apache-2.0
// What a command has to say besides its data: on standard error, one line each, "brokerscope: what, where, what to do".
#pragma once

#include "capture/types/result.h"
#include "cli/output/style.h"

#include <string_view>

namespace brokerscope {

class Messages {
  public:
    Messages(int descriptor, const Style& style, bool quiet)
        : m_descriptor(descriptor), m_style(style), m_quiet(quiet) {}

    void error(const Error& error) const;
    void error(std::string_view text) const;
    void note(std::string_view text) const; // silent with -q
    // An error with lines of its own below it, as they are.
    void explain(std::string_view text, std::string_view lines) const;

  private:
    void line(Role role, std::string_view word, std::string_view text) const;
    void write(std::string_view text) const;

    int m_descriptor;
    Style m_style;
    bool m_quiet;
};

} // namespace brokerscope
