// SPDX-License-Identifier: Apache-2.0
// Findings for people, in the order of their questions: why does it fail, why is it slow, what may hurt later. Findings
// of one kind stand together, with why it matters and what to do said once.
#pragma once

#include "capture/types/time.h"
#include "cli/output/console.h"
#include "dissector/analysis/findings/finding.h"

#include <vector>

namespace brokerscope {

struct CheckFrame {
    std::string files;
    std::uint64_t exchanges = 0;
    Timestamp first, last; // of the capture
    Severity level = Severity::Warning;
    std::uint64_t below = 0; // findings under the level, which are not shown
};

void printFindingsScreen(const std::vector<Finding>& findings, const CheckFrame& frame, Console& console);

} // namespace brokerscope
