// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/join_tables.h"

#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

std::string share(Duration part, Duration whole) {
    if (whole <= Duration{} || part <= Duration{}) return "·";
    const double percent = 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count());
    return percent < 0.5 ? "<1%" : fmt::format("{:.0f}%", percent);
}

std::string short3(Duration duration) {
    return duration <= Duration{} ? "·" : fmt::format("{:.2f}", static_cast<double>(duration.count()) / 1e6);
}

} // namespace

void JoinTables::add(JoinRow row) {
    Api& api = m_apis[row.api];
    api.whole.add(row.whole);
    api.total += row.whole;
    api.parts.resize(m_parts.size());
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        api.parts[i] += row.parts[i];
    if (m_slowest.size() == m_most && (m_most == 0 || m_slowest.back().whole >= row.whole)) return;
    const auto place = std::ranges::upper_bound(m_slowest, row.whole, std::greater<>(), &JoinRow::whole);
    m_slowest.insert(place, std::move(row));
    if (m_slowest.size() > m_most) m_slowest.pop_back();
}

std::string_view JoinTables::largest(const std::vector<Duration>& parts) const {
    const auto most = std::ranges::max_element(parts);
    return most == parts.end() || *most <= Duration{} ? std::string_view("-")
                                                      : m_parts[static_cast<std::size_t>(most - parts.begin())];
}

void JoinTables::print(Console& console) const {
    if (m_apis.empty()) return;
    printApis(console);
    printSlowest(console);
}

// On a narrow terminal the parts with the least time go first.
std::vector<TableColumn> JoinTables::partColumns() const {
    std::vector<Duration> totals(m_parts.size());
    for (const auto& [name, api] : m_apis)
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            totals[i] += api.parts[i];
    std::vector<TableColumn> columns;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const auto larger = std::ranges::count_if(totals, [&](Duration total) { return total > totals[i]; });
        columns.push_back({std::string(m_parts[i]), true, 0, static_cast<unsigned>(1 + larger)});
    }
    return columns;
}

void JoinTables::printApis(Console& console) const {
    console.out.endLine();
    console.out.write(console.style(Role::Heading, "Where the time went") + ", by api\n");
    std::vector<TableColumn> columns{
        {"api"}, {"count", true}, {"median", true}, {"p99", true, 0, 21}, {"total", true, 0, 20}};
    std::ranges::move(partColumns(), std::back_inserter(columns));
    Table table(std::move(columns), console.out, console.style, console.width, 2);
    std::vector<std::pair<std::string_view, const Api*>> apis;
    for (const auto& [name, api] : m_apis)
        apis.emplace_back(name, &api);
    std::ranges::stable_sort(apis, [](const auto& a, const auto& b) { return a.second->total > b.second->total; });
    for (const auto& [name, api] : apis) {
        std::vector<Cell> cells{{std::string(name), Role::Name},
                                {grouped(api->whole.count())},
                                {durationText(api->whole.percentile(0.5))},
                                {durationText(api->whole.percentile(0.99))},
                                {durationText(api->total)}};
        const std::string_view most = largest(api->parts);
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            cells.push_back({share(api->parts[i], api->total), m_parts[i] == most ? Role::Warning : Role::Plain});
        table.addRow(std::move(cells));
    }
    table.finish();
}

void JoinTables::printSlowest(Console& console) const {
    if (m_slowest.empty()) return;
    console.out.endLine();
    console.out.write(console.style(Role::Heading, "The slowest") + ", in ms\n");
    std::vector<TableColumn> columns{{"exchange", true}, {"api"}, {"whole", true}, {"most of it", false, 0, 23}};
    std::ranges::move(partColumns(), std::back_inserter(columns));
    columns.push_back({"client", false, 8, 25});
    columns.push_back({"broker", false, 8, 24});
    Table table(std::move(columns), console.out, console.style, console.width, 2);
    for (const JoinRow& row : m_slowest) {
        std::vector<Cell> cells{{fmt::format("{}", row.exchange), Role::Dim},
                                {row.api, Role::Name},
                                {short3(row.whole)},
                                {std::string(largest(row.parts)), Role::Warning}};
        for (const Duration part : row.parts)
            cells.push_back({short3(part)});
        cells.push_back({printable(row.client), Role::Dim});
        cells.push_back({row.broker, Role::Dim});
        table.addRow(std::move(cells));
    }
    table.finish();
}

} // namespace brokerscope
