// SPDX-License-Identifier: Apache-2.0
// RFC 4180: fields with a comma, a quote or a line break stand in quotes, quotes are doubled, lines end with CR LF.
#pragma once

#include "cli/output/output_file.h"

#include <string_view>

namespace brokerscope {

class CsvLine {
  public:
    explicit CsvLine(OutputFile& out) : m_out(out) {}

    void field(std::string_view text);
    void end();

  private:
    OutputFile& m_out;
    bool m_first = true;
};

} // namespace brokerscope
