// SPDX-License-Identifier: Apache-2.0
// The summary as a person sees it, 24 to 40 lines of 80 columns, and as one JSON object.
#pragma once

#include "capture/packet_source.h"
#include "capture/stream_reader.h"
#include "cli/output/console.h"
#include "dissector/analysis/traffic_summary.h"

#include <string>
#include <vector>

namespace brokerscope {

// What the capture itself tells, beside the exchanges in it.
struct CaptureFrame {
    const std::vector<std::string>& files;
    Timestamp first, last; // packets
    int timeDigits;
    const CaptureInfo& info;
    const ReadReport& report;
};

void printSummaryScreen(const TrafficSummary& summary, const CaptureFrame& frame, const Options& options,
                        Console& console);
void printSummaryJson(const Protocol& protocol, const TrafficSummary& summary, const CaptureFrame& frame,
                      OutputFile& out);

} // namespace brokerscope
