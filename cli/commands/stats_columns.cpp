// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/stats_columns.h"

#include "cli/commands/column_names.h"

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

using R = const StatsRow&;

ReportValue amount(std::uint64_t number, Role role = Role::Plain) {
    return {number, number != 0 ? role : Role::Dim};
}

// An amount that is mostly 0: for people only where it is not.
ReportValue rare(std::uint64_t number, Role role) {
    return number == 0 ? ReportValue{std::uint64_t{0}, Role::Dim} : ReportValue{number, role};
}

ReportValue share(double sum, std::uint64_t count) {
    return count == 0 ? ReportValue{} : ReportValue{sum / static_cast<double>(count)};
}

ReportValue mean(Duration sum, std::uint64_t count) {
    return count == 0 ? ReportValue{} : ReportValue{Duration{sum.count() / static_cast<std::int64_t>(count)}};
}

ReportValue rate(std::uint64_t number, double seconds) {
    return seconds <= 0 ? ReportValue{} : ReportValue{static_cast<double>(number) / seconds};
}

ReportValue latency(const LatencyHistogram& histogram, Duration value) {
    return histogram.count() == 0 ? ReportValue{} : ReportValue{value};
}

template<int PerMille>
ReportValue percentile(R row, double) {
    return latency(row.latency, row.latency.percentile(PerMille / 1000.0));
}

template<Duration TimeParts::*Part>
ReportValue part(R row, double) {
    ReportValue value = mean(row.parts.*Part, row.parts.count);
    if (row.parts.*Part == Duration{}) value.role = Role::Dim;
    return value;
}

const std::array<StatsColumn, statsColumnNames.size()>& table() {
    static const std::array<StatsColumn, statsColumnNames.size()> rows = {{
        {"exchanges", {"Requests", true, 0, 1}, "lptr", [](R r, double) { return amount(r.exchanges); }},
        {"rate", {"per s", true, 0, 5}, "l", [](R r, double s) { return rate(r.exchanges, s); }},
        {"errors", {"Errors", true, 0, 2}, "l", [](R r, double) { return rare(r.withErrors, Role::Error); }},
        {"unanswered", {"Unanswered", true, 0, 6}, "", [](R r, double) { return rare(r.unanswered, Role::Warning); }},
        {"waitedByDesign", {"Waited", true, 0, 4}, "l", [](R r, double) { return rare(r.waitedByDesign, Role::Dim); }},
        {"inFlight",
         {"In flight", true, 0, 5},
         "t",
         [](R r, double) { return share(static_cast<double>(r.inFlight), r.requests); }},
        {"maxInFlight", {"at most", true, 0, 6}, "t", [](R r, double) { return amount(r.mostInFlight); }},
        {"minMs", {"min", true, 0, 6}, "", [](R r, double) { return latency(r.latency, r.latency.least()); }},
        {"meanMs", {"mean", true, 0, 6}, "", [](R r, double) { return latency(r.latency, r.latency.mean()); }},
        {"p50Ms", {"p50", true}, "l", percentile<500>},
        {"p90Ms", {"p90", true, 0, 3}, "l", percentile<900>},
        {"p99Ms", {"p99", true}, "l", percentile<990>},
        {"p999Ms", {"p99.9", true, 0, 6}, "l", percentile<999>},
        {"maxMs", {"max", true}, "l", [](R r, double) { return latency(r.latency, r.latency.most()); }},
        {"thinkMs", {"Thinking", true}, "p", [](R r, double) { return mean(r.parts.think, r.parts.thinkCount); }},
        {"requestTransferMs", {"Sending", true}, "p", part<&TimeParts::requestTransfer>},
        {"blockedMs", {"Blocked", true}, "p", part<&TimeParts::blocked>},
        {"byDesignMs", {"By design", true}, "p", part<&TimeParts::byDesign>},
        {"brokerMs", {"Broker", true}, "p", part<&TimeParts::broker>},
        {"responseTransferMs", {"Receiving", true}, "p", part<&TimeParts::responseTransfer>},
        {"sentAgain",
         {"Sent again", true, 0, 2},
         "p",
         [](R r, double) { return rare(r.parts.sentAgain, Role::Warning); }},
        {"roundTripMs",
         {"Round trip", true, 0, 3},
         "p",
         [](R r, double) { return mean(r.parts.roundTrip, r.parts.roundTripCount); }},
        {"requestBytes", {"Sent", true}, "t", [](R r, double) { return amount(r.requestBytes); }},
        {"responseBytes", {"Received", true}, "t", [](R r, double) { return amount(r.responseBytes); }},
        {"byteRate",
         {"Bytes/s", true, 0, 4},
         "t",
         [](R r, double s) { return rate(r.requestBytes + r.responseBytes, s); }},
        {"throttled", {"Throttled", true, 0, 2}, "t", [](R r, double) { return rare(r.throttled, Role::Warning); }},
        {"throttleMs", {"for", true, 0, 3}, "t", [](R r, double) { return mean(r.throttleTime, r.throttled); }},
        {"batches", {"Batches", true}, "r", [](R r, double) { return amount(r.records.batches); }},
        {"records", {"Records", true}, "r", [](R r, double) { return amount(r.records.records); }},
        {"recordRate", {"Records/s", true, 0, 3}, "r", [](R r, double s) { return rate(r.records.records, s); }},
        {"recordsPerBatch",
         {"per batch", true},
         "r",
         [](R r, double) { return share(static_cast<double>(r.records.records), r.records.batches); }},
        {"batchBytes",
         {"Batch size", true},
         "r",
         [](R r, double) { return share(static_cast<double>(r.records.bytes), r.records.batches); }},
        {"compressionRatio",
         {"Compression", true, 0, 2},
         "r",
         [](R r, double) { return share(static_cast<double>(r.records.openedBytes), r.records.bytes); }},
    }};
    return rows;
}

} // namespace

bool StatsColumn::needsRecords() const {
    return views == "r";
}

bool StatsColumn::needsOpenRecords() const {
    return name == "compressionRatio";
}

std::span<const StatsColumn> allStatsColumns() {
    return table();
}

std::vector<const StatsColumn*> statsColumns(const Options& options) {
    std::vector<const StatsColumn*> result;
    for (const std::string& name : options.columns)
        result.push_back(std::ranges::find(table(), name, &StatsColumn::name));
    if (!result.empty()) return result;
    const char view = statsViewNames[static_cast<std::size_t>(options.statsView)].front();
    for (const StatsColumn& column : table()) {
        const bool shown = column.views.find(view) != std::string_view::npos;
        const bool cheap = options.format != Format::Table && !column.needsRecords();
        if (shown || cheap) result.push_back(&column);
    }
    return result;
}

} // namespace brokerscope
