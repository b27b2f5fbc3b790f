// SPDX-License-Identifier: Apache-2.0
// Rows of named values in each of the three formats: a table for people (grouped digits, "1.23 ms", names of columns in
// words), csv and ndjson for programs (plain numbers, milliseconds). In ndjson what is not known is left out.
// Memory: see Table. Threads: one.
#pragma once

#include "cli/output/console.h"
#include "cli/output/csv.h"
#include "cli/output/table.h"
#include "cli/output/time_text.h"
#include "dissector/wire/json_line.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brokerscope {

struct ReportTime {
    Timestamp at;
    int digits = 6;
};

// std::uint64_t: an amount; std::int64_t: a number that is a name (a port, an epoch, an id), never grouped.
struct ReportValue {
    std::variant<std::monostate, std::string, std::int64_t, std::uint64_t, double, bool, Duration, ReportTime,
                 std::vector<std::string>>
        value;
    Role role = Role::Plain;
};

struct ReportColumn {
    std::string_view name;
    TableColumn look;
    bool onlyPrograms = false; // not in tables: said there in another column
};

class Report {
  public:
    // `start`: what relative times count from.
    Report(const Options& options, Console& console, std::vector<ReportColumn> columns, Timestamp start,
           std::size_t indent = 0);

    // `type` stands first in ndjson where one command writes rows of several kinds; empty: left out.
    void add(const std::vector<ReportValue>& values, std::string_view type = {});
    void finish();
    bool full() const { return m_options.limit && m_rows >= *m_options.limit; }

  private:
    void addJson(const std::vector<ReportValue>& values, std::string_view type);
    void addCsv(const std::vector<ReportValue>& values);
    void beginCsv();

    const Options& m_options;
    Console& m_console;
    std::vector<ReportColumn> m_columns;
    Table m_table;
    CsvLine m_csv;
    JsonLine m_json;
    TimePrinter m_times;
    std::uint64_t m_rows = 0;
    bool m_begun = false;
};

} // namespace brokerscope
