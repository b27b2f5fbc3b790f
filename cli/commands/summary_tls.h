// SPDX-License-Identifier: Apache-2.0
// What the summary says about TLS: on the screen, and as JSON.
#pragma once

#include "cli/output/console.h"
#include "dissector/analysis/tls_summary.h"
#include "dissector/wire/json_line.h"

namespace brokerscope {

// Nothing when there was no TLS. `captureEnd` tells which certificates are past their end.
void printTlsSummary(const TlsSummary& summary, Timestamp captureEnd, Console& console, std::size_t width);
// The member "tls" of the open object.
void writeTlsSummary(const TlsSummary& summary, JsonLine& json);

} // namespace brokerscope
