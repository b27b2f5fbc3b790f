// SPDX-License-Identifier: Apache-2.0
#include "cli/output/line_output.h"

namespace brokerscope {
namespace {

std::vector<TableColumn> looks(const std::vector<OutputColumn>& columns) {
    std::vector<TableColumn> result;
    for (const OutputColumn& column : columns)
        result.push_back(column.look);
    return result;
}

} // namespace

LineOutput::LineOutput(const Options& options, Console& console, std::vector<OutputColumn> columns,
                       TimeFormat usualTime, std::function<Timestamp()> start)
    : m_options(options), m_console(console), m_columns(std::move(columns)), m_usualTime(usualTime),
      m_start(std::move(start)), m_csv(console.out),
      m_table(looks(m_columns), console.out, console.style, console.width) {}

void LineOutput::print(OutputLine&& line) {
    if (!wantsMore()) return;
    if (!m_times) begin();
    ++m_printed;
    if (m_options.format == Format::Ndjson) {
        m_console.out.buffer() += line.json;
        m_console.out.endLine();
        return;
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (m_columns[i].isTime && line.time) m_times->append(line.cells[i].text, *line.time, line.timeDigits);
    if (m_options.format == Format::Table) return m_table.addRow(std::move(line.cells));
    for (const Cell& cell : line.cells)
        m_csv.field(cell.text);
    m_csv.end();
}

void LineOutput::begin() {
    // Programs want a time that means something without the other lines.
    const TimeFormat usual = m_options.format == Format::Table ? m_usualTime : TimeFormat::Epoch;
    m_times.emplace(m_options.time.value_or(usual), m_start());
    if (m_options.format != Format::Csv) return;
    for (const OutputColumn& column : m_columns)
        m_csv.field(column.name);
    m_csv.end();
}

void LineOutput::finish() {
    if (!m_times) begin(); // csv has its head also without lines
    m_table.finish();
}

} // namespace brokerscope
