// SPDX-License-Identifier: Apache-2.0
// The columns of `stats`, one row each: name, look, value, and which of the tables shows it.
#pragma once

#include "cli/output/report.h"
#include "dissector/analysis/traffic_stats.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct StatsColumn {
    std::string_view name; // as in statsColumnNames
    TableColumn look;
    std::string_view views; // letters of StatsView: l p t r
    // `seconds`: what rates are taken over.
    ReportValue (*value)(const StatsRow& row, double seconds);

    bool needsRecords() const;     // batches have to be looked at
    bool needsOpenRecords() const; // and decompressed
};

std::span<const StatsColumn> allStatsColumns();
// Those named, else those of the view (a table), else all that cost little, with those of the view (programs).
std::vector<const StatsColumn*> statsColumns(const Options& options);

} // namespace brokerscope
