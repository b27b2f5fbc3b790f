// SPDX-License-Identifier: Apache-2.0
// A table for people: columns as wide as their content needs and the terminal allows, numbers at the right edge, what
// does not fit cut with … or, in columns that wrap, continued below. Rows stream: the widths come from the first rows
// (sampleRows) and hold from then on.
//
// Fitting, when the content is wider than the terminal: first the elastic columns give way down to their least width,
// those of the highest giveRank first and among them the widest; then whole columns are left out, the highest dropRank
// first (0: never). Without a width (output is no terminal) nothing is cut and nothing left out.
// Memory: the first sampleRows rows; afterwards nothing. Threads: one.
#pragma once

#include "cli/output/output_file.h"
#include "cli/output/style.h"

#include <cstddef>
#include <string>
#include <vector>

namespace brokerscope {

struct TableColumn {
    std::string title;
    bool right = false;    // numbers
    std::size_t least = 0; // an elastic column may shrink to this; 0: it may not shrink
    unsigned dropRank = 0;
    unsigned giveRank = 0;
    std::size_t reserve = 0; // at least so wide when more rows will come than the widths were taken from
    bool wraps = false;      // what does not fit goes on in the next lines
};

struct Cell {
    std::string text; // safe to print: see printable()
    Role role = Role::Plain;
};

class Table {
  public:
    static constexpr std::size_t sampleRows = 400;

    // `width` 0: as wide as it gets. `indent` columns stay free at the left.
    Table(std::vector<TableColumn> columns, OutputFile& out, const Style& style, std::size_t width,
          std::size_t indent = 0);

    // Columns in which no row has anything are not shown, unless more rows than the sample come.
    void leaveOutEmptyColumns() { m_withoutEmpty = true; }
    void addRow(std::vector<Cell> cells); // one for each column
    void finish();                        // prints what waits; an empty table prints nothing
    void printWaiting();                  // does not wait for more rows to find the widths

  private:
    void layOut(bool moreToCome);
    void shrink(std::size_t available);
    std::size_t nextToGive() const;
    std::size_t nextToDrop() const;
    void print(const std::vector<Cell>& cells);
    void printLine(const std::vector<Cell>& cells);
    std::size_t total() const;

    std::vector<TableColumn> m_columns;
    std::vector<std::size_t> m_widths;
    std::vector<bool> m_shown;
    std::vector<std::vector<Cell>> m_waiting;
    OutputFile& m_out;
    Style m_style;
    std::size_t m_width;
    std::size_t m_indent;
    bool m_withoutEmpty = false;
    bool m_laidOut = false;
};

} // namespace brokerscope
