// SPDX-License-Identifier: Apache-2.0
// A histogram of latencies as lines of text: a bar for each step of a 1-2-5 scale.
//
//       1 ms   2 ms  ########            1,204  12 %
#pragma once

#include "cli/output/style.h"
#include "dissector/analysis/latency_histogram.h"

#include <cstddef>
#include <string>
#include <vector>

namespace brokerscope {

// `width`: of the longest line, at least 60. No lines for an empty histogram.
std::vector<std::string> histogramLines(const LatencyHistogram& histogram, std::size_t width, const Style& style);

} // namespace brokerscope
