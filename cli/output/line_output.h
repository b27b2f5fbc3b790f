// SPDX-License-Identifier: Apache-2.0
// Where the commands that print a line for each thing (exchange, record) print it: as a row of a table, as csv or as
// ndjson, at most --limit of them. Times are written here, as they may count from the line before.
// Memory: see Table. Threads: one.
#pragma once

#include "cli/output/console.h"
#include "cli/output/csv.h"
#include "cli/output/table.h"
#include "cli/output/time_text.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct OutputLine {
    std::string json;        // for ndjson
    std::vector<Cell> cells; // else; those of time columns are empty
    std::optional<Timestamp> time;
    int timeDigits = 6;
};

struct OutputColumn {
    std::string_view name;
    TableColumn look;
    bool isTime = false;
};

class LineOutput {
  public:
    // `start`: the time that others count from; asked when the first line comes.
    LineOutput(const Options& options, Console& console, std::vector<OutputColumn> columns, TimeFormat usualTime,
               std::function<Timestamp()> start);

    void print(OutputLine&& line); // does nothing once the limit is reached
    bool wantsMore() const { return !m_options.limit || m_printed < *m_options.limit; }
    void inputPaused() { m_table.printWaiting(); }
    void finish();
    std::uint64_t printed() const { return m_printed; }

  private:
    void begin();

    const Options& m_options;
    Console& m_console;
    std::vector<OutputColumn> m_columns;
    TimeFormat m_usualTime;
    std::function<Timestamp()> m_start;
    CsvLine m_csv;
    Table m_table;
    std::optional<TimePrinter> m_times;
    std::uint64_t m_printed = 0;
};

} // namespace brokerscope
