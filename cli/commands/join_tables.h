// SPDX-License-Identifier: Apache-2.0
// What both kinds of `join` print: where the time went by api, and the slowest exchanges with their parts. A part is a
// named share of an exchange's time; which ones there are is for the caller to say.
// Memory: a sum and a few numbers for each api, and the slowest rows.
#pragma once

#include "cli/output/console.h"
#include "dissector/analysis/latency_histogram.h"

#include "cli/output/table.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct JoinRow {
    std::uint64_t exchange = 0;
    std::string api, client, broker;
    Duration whole{};
    std::vector<Duration> parts;
};

class JoinTables {
  public:
    // `parts`: their names, in the order of time.
    JoinTables(std::vector<std::string_view> parts, std::size_t slowest) : m_parts(std::move(parts)), m_most(slowest) {}

    void add(JoinRow row);
    void print(Console& console) const;

  private:
    struct Api {
        LatencyHistogram whole;
        Duration total{};
        std::vector<Duration> parts;
    };
    void printApis(Console& console) const;
    void printSlowest(Console& console) const;
    std::vector<TableColumn> partColumns() const;
    std::string_view largest(const std::vector<Duration>& parts) const;

    std::vector<std::string_view> m_parts;
    std::size_t m_most;
    std::map<std::string, Api> m_apis;
    std::vector<JoinRow> m_slowest; // by whole, the slowest first
};

} // namespace brokerscope
