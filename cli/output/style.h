// SPDX-License-Identifier: Apache-2.0
// Colours by what a text is, not by which colour it has. Colour is never the only sign: whatever is red also says so in
// words or stands in a column of its own. A Style without colour gives the text back as it is.
#pragma once

#include "cli/options/options.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace brokerscope {

enum class Role : std::uint8_t { Plain, Heading, Name, Key, Good, Warning, Error, Dim };

class Style {
  public:
    explicit Style(bool colored) : m_colored(colored) {}
    // auto: on a terminal that can, unless NO_COLOR is set (no-color.org).
    static Style choose(When when, bool isTerminal);

    bool colored() const { return m_colored; }
    void append(std::string& out, Role role, std::string_view text) const;
    std::string operator()(Role role, std::string_view text) const;

  private:
    bool m_colored;
};

} // namespace brokerscope
