// SPDX-License-Identifier: Apache-2.0
#include "cli/output/csv.h"

namespace brokerscope {

void CsvLine::field(std::string_view text) {
    std::string& out = m_out.buffer();
    if (!m_first) out += ',';
    m_first = false;
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

void CsvLine::end() {
    m_out.buffer() += '\r';
    m_out.endLine();
    m_first = true;
}

} // namespace brokerscope
