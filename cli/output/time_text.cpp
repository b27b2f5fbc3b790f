// SPDX-License-Identifier: Apache-2.0
#include "cli/output/time_text.h"

namespace brokerscope {

void TimePrinter::append(std::string& out, Timestamp time, int digits) {
    switch (m_format) {
    case TimeFormat::Relative:
        appendSeconds(out, time - m_start, digits);
        break;
    case TimeFormat::Absolute:
        appendDate(out, time, digits);
        break;
    case TimeFormat::Epoch:
        appendSeconds(out, time.time_since_epoch(), digits);
        break;
    case TimeFormat::Delta:
        appendSeconds(out, time - m_before, digits);
        break;
    }
    m_before = time;
}

} // namespace brokerscope
