// SPDX-License-Identifier: Apache-2.0
#include "cli/output/table.h"

#include "cli/output/text_width.h"

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::size_t gap = 2; // columns between two cells

} // namespace

Table::Table(std::vector<TableColumn> columns, OutputFile& out, const Style& style, std::size_t width,
             std::size_t indent)
    : m_columns(std::move(columns)), m_shown(m_columns.size(), true), m_out(out), m_style(style), m_width(width),
      m_indent(indent) {}

void Table::addRow(std::vector<Cell> cells) {
    cells.resize(m_columns.size());
    if (m_laidOut) {
        print(cells);
        return;
    }
    m_waiting.push_back(std::move(cells));
    if (m_waiting.size() >= sampleRows) printWaiting();
}

void Table::finish() {
    if (!m_waiting.empty()) {
        if (!m_laidOut) layOut(false);
        printWaiting();
    }
    m_out.flush();
}

void Table::printWaiting() {
    if (m_waiting.empty()) return;
    if (!m_laidOut) layOut(true);
    for (const auto& row : m_waiting)
        print(row);
    m_waiting.clear();
}

void Table::layOut(bool moreToCome) {
    m_laidOut = true;
    m_widths.clear();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        std::size_t widest = displayWidth(m_columns[i].title);
        for (const auto& row : m_waiting)
            widest = std::max(widest, displayWidth(row[i].text));
        if (m_withoutEmpty && !moreToCome)
            m_shown[i] = std::ranges::any_of(m_waiting, [&](const auto& row) { return !row[i].text.empty(); });
        m_widths.push_back(moreToCome ? std::max(widest, m_columns[i].reserve) : widest);
    }
    if (m_width > m_indent) shrink(m_width - m_indent);

    std::vector<Cell> titles;
    for (const TableColumn& column : m_columns)
        titles.push_back({column.title, Role::Heading});
    if (std::ranges::any_of(titles, [](const Cell& cell) { return !cell.text.empty(); })) print(titles);
}

std::size_t Table::total() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (m_shown[i]) sum += m_widths[i] + (sum ? gap : 0);
    return sum;
}

void Table::shrink(std::size_t available) {
    const auto natural = m_widths;
    while (true) {
        m_widths = natural;
        while (total() > available) {
            const std::size_t column = nextToGive();
            if (column == m_columns.size()) break;
            --m_widths[column];
        }
        if (total() <= available) return;
        const std::size_t victim = nextToDrop();
        if (victim == m_columns.size()) return; // too narrow for anything better
        m_shown[victim] = false;
    }
}

// The number of columns when none can.
std::size_t Table::nextToGive() const {
    std::size_t best = m_columns.size();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const TableColumn& column = m_columns[i];
        if (!m_shown[i] || column.least == 0 || m_widths[i] <= column.least) continue;
        const bool better = best == m_columns.size() || column.giveRank > m_columns[best].giveRank ||
                            (column.giveRank == m_columns[best].giveRank && m_widths[i] > m_widths[best]);
        if (better) best = i;
    }
    return best;
}

std::size_t Table::nextToDrop() const {
    std::size_t best = m_columns.size();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const unsigned rank = m_shown[i] ? m_columns[i].dropRank : 0;
        if (rank != 0 && (best == m_columns.size() || rank > m_columns[best].dropRank)) best = i;
    }
    return best;
}

void Table::print(const std::vector<Cell>& cells) {
    std::vector<std::vector<std::string>> pieces(cells.size());
    std::size_t lines = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!m_columns[i].wraps || !m_shown[i] || displayWidth(cells[i].text) <= m_widths[i]) continue;
        pieces[i] = wrapped(cells[i].text, m_widths[i], LongWords::Cut);
        lines = std::max(lines, pieces[i].size());
    }
    if (lines == 1) return printLine(cells);
    for (std::size_t line = 0; line < lines; ++line) {
        std::vector<Cell> part(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            part[i].role = cells[i].role;
            if (line < pieces[i].size())
                part[i].text = pieces[i][line];
            else if (line == 0)
                part[i].text = cells[i].text;
        }
        printLine(part);
    }
}

void Table::printLine(const std::vector<Cell>& cells) {
    std::string& line = m_out.buffer();
    line.append(m_indent, ' ');
    std::size_t last = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (m_shown[i] && (!cells[i].text.empty() || i == 0)) last = i;
    bool first = true;
    for (std::size_t i = 0; i <= last; ++i) {
        if (!m_shown[i]) continue;
        if (!first) line.append(gap, ' ');
        first = false;
        // A number is never cut: half a number is a wrong number.
        const bool cut = m_width != 0 && !m_columns[i].right && displayWidth(cells[i].text) > m_widths[i];
        const std::string text = cut ? elided(cells[i].text, m_widths[i]) : cells[i].text;
        const std::size_t width = displayWidth(text);
        const std::size_t padding = width < m_widths[i] ? m_widths[i] - width : 0;
        if (m_columns[i].right) line.append(padding, ' ');
        m_style.append(line, cells[i].role, text);
        if (!m_columns[i].right && i != last) line.append(padding, ' ');
    }
    m_out.endLine();
}

} // namespace brokerscope
