// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/summary_screen.h"

#include "cli/commands/summary_tls.h"
#include "cli/output/quantity_text.h"
#include "cli/output/table.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/units.h"
#include "dissector/schema/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brokerscope {
namespace {

constexpr std::size_t labelWidth = 10;
constexpr std::size_t mostApis = 10, mostErrors = 5, mostClients = 3; // lines; a screen has 24 to 40

std::string apiName(const Protocol& protocol, std::int16_t key) {
    const Api* api = protocol.api(key);
    return api ? api->name : fmt::format("key {}", key);
}

std::string versionsText(const std::set<std::int16_t>& versions) {
    if (versions.empty()) return {};
    if (versions.size() == 1) return fmt::format("{}", *versions.begin());
    const int span = *versions.rbegin() - *versions.begin() + 1;
    if (static_cast<std::size_t>(span) == versions.size())
        return fmt::format("{}-{}", *versions.begin(), *versions.rbegin());
    std::string text = fmt::format("{}", fmt::join(versions, ","));
    return text.size() <= 10 ? text : fmt::format("{}..{}", *versions.begin(), *versions.rbegin());
}

// The entries of a map, those with most `count` first.
template<class Map, class Count>
auto ranked(const Map& map, Count count) {
    std::vector<const typename Map::value_type*> entries;
    for (const auto& entry : map)
        entries.push_back(&entry);
    std::ranges::stable_sort(entries, [&](const auto* a, const auto* b) { return count(*a) > count(*b); });
    return entries;
}

class Screen {
  public:
    Screen(const TrafficSummary& summary, const CaptureFrame& frame, const Options& options, Console& console)
        : m_summary(summary), m_frame(frame), m_options(options), m_console(console),
          m_width(console.width != 0 ? std::min<std::size_t>(console.width, 120) : 80) {}

    void print() {
        head();
        if (m_summary.exchanges != 0) {
            counts();
            brokers();
            clients();
            topics();
            apis();
            errors();
        }
        damage();
        printTlsSummary(m_summary.tls, m_frame.last, m_console, m_width);
        foreign();
        if (m_console.out.isTerminal() && m_options.interfaces.empty()) hint();
    }

  private:
    void line(const std::string& text = {}) {
        m_console.out.buffer() += text;
        m_console.out.endLine();
    }

    void section(std::string_view title) {
        line();
        line(m_console.style(Role::Heading, title));
    }

    void head() {
        const auto& info = m_frame.info;
        std::string files = printable(m_frame.files.front());
        if (m_frame.files.size() > 1) files += fmt::format(" and {} more", m_frame.files.size() - 1);
        std::string text = m_console.style(Role::Heading, files);
        text += fmt::format(": {}, {}", countOf(info.packets, "packet"), sizeWords(info.capturedBytes));
        line(text);
        if (info.packets == 0) return;
        std::string date;
        const TimeFormat form = m_options.time.value_or(TimeFormat::Absolute);
        TimePrinter(form == TimeFormat::Epoch ? form : TimeFormat::Absolute, m_frame.first)
            .append(date, m_frame.first, m_frame.timeDigits);
        line(fmt::format("{} from {}{}", durationText(m_frame.last - m_frame.first), date,
                         form == TimeFormat::Epoch ? "" : " UTC"));
    }

    void counts() {
        const auto of = [&](ExchangeStatus status) { return m_summary.byStatus[static_cast<std::size_t>(status)]; };
        std::vector<std::string> parts;
        const auto part = [&](std::uint64_t count, std::string_view what) {
            if (count != 0) parts.push_back(fmt::format("{} {}", grouped(count), what));
        };
        part(of(ExchangeStatus::Paired), "answered");
        part(of(ExchangeStatus::NoResponseExpected), "without an answer by design (acks=0)");
        part(of(ExchangeStatus::Unanswered), "unanswered");
        part(of(ExchangeStatus::Open), "still open at the end");
        part(of(ExchangeStatus::OrphanResponse) + of(ExchangeStatus::Inferred), "answers without their request");
        part(of(ExchangeStatus::SaslToken), "SASL tokens without a header");
        part(m_summary.withErrors, "with errors");
        line();
        line(fmt::format("{} in {}:", countOf(m_summary.exchanges, "exchange"),
                         countOf(m_summary.kafkaConnections, "connection")));
        list("", parts, 3);
    }

    void brokers() {
        std::vector<std::string> items;
        for (const auto* entry : ranked(m_summary.brokers, [](const auto& e) { return e.second.exchanges; }))
            items.push_back(fmt::format("{} ({})", toString(entry->first), grouped(entry->second.exchanges)));
        line();
        list("Brokers", items, 2);
    }

    // One line for each software, with its client ids.
    void clients() {
        struct Software {
            std::uint64_t exchanges = 0;
            std::set<Address> addresses;
            std::vector<std::string> ids;
        };
        std::map<std::string, Software> bySoftware;
        for (const auto* entry : ranked(m_summary.clients, [](const auto& e) { return e.second.exchanges; })) {
            const auto& [key, client] = *entry;
            const std::string name = key.softwareName.empty()
                                         ? std::string("unknown software")
                                         : fmt::format("{} {}", key.softwareName, key.softwareVersion);
            Software& software = bySoftware[name];
            software.exchanges += client.exchanges;
            software.addresses.insert(client.addresses.begin(), client.addresses.end());
            software.ids.push_back(key.clientId.empty() ? "(no client id)" : printable(key.clientId));
        }
        std::size_t shown = 0;
        for (const auto* entry : ranked(bySoftware, [](const auto& e) { return e.second.exchanges; })) {
            if (shown == mostClients) {
                list("", {countOf(bySoftware.size() - shown, "more kind") + " of client software"}, 1);
                break;
            }
            const Software& software = entry->second;
            std::vector<std::string> items = software.ids;
            const std::string from = software.addresses.size() == 1 ? toString(*software.addresses.begin())
                                                                    : countOf(software.addresses.size(), "host");
            items.front() = fmt::format("{} from {}: {}", printable(entry->first), from, items.front());
            list(shown == 0 ? "Clients" : "", items, 2);
            ++shown;
        }
    }

    // Topics that records went to or came from stand in front of those that were only talked about.
    void topics() {
        std::vector<std::string> items;
        for (const bool used : {true, false})
            for (const auto* entry : ranked(m_summary.topics, [](const auto& e) {
                     return e.second.produces + e.second.fetches + e.second.others;
                 }))
                if (used == (entry->second.produces + entry->second.fetches != 0))
                    items.push_back(printable(entry->first));
        if (!items.empty()) list("Topics", items, 2);
    }

    void apis() {
        line();
        Table table({{"API", false, 12},
                     {"Versions", false, 0, 1},
                     {"Requests", true},
                     {"Errors", true},
                     {"p50", true},
                     {"p90", true},
                     {"p99", true},
                     {"max", true}},
                    m_console.out, m_console.style, m_width);
        std::size_t shown = 0;
        std::vector<std::string> rest, waited;
        for (const auto* entry : ranked(m_summary.apis, [](const auto& e) { return e.second.exchanges; })) {
            const auto& [key, row] = *entry;
            if (row.waitedByDesign != 0)
                waited.push_back(fmt::format("{} {}", apiName(*m_console.protocol, key), grouped(row.waitedByDesign)));
            if (shown++ >= mostApis) {
                rest.push_back(fmt::format("{} ({})", apiName(*m_console.protocol, key), grouped(row.exchanges)));
                continue;
            }
            const auto percentile = [&](double share) {
                return Cell{row.latency.count() ? durationText(row.latency.percentile(share)) : std::string()};
            };
            table.addRow({{apiName(*m_console.protocol, key), Role::Name},
                          {versionsText(row.versions)},
                          {grouped(row.exchanges)},
                          row.withErrors ? Cell{grouped(row.withErrors), Role::Error} : Cell{},
                          percentile(0.5),
                          percentile(0.9),
                          percentile(0.99),
                          percentile(1)});
        }
        table.finish();
        if (!rest.empty()) list("and", rest, 1);
        if (waited.empty()) return;
        const std::string note = fmt::format("Not in the times: {}, where the broker waited as it was asked to "
                                             "(long polls, rebalances).",
                                             fmt::join(waited, ", "));
        line(m_console.style(Role::Dim, wrapText(note, m_width, 0)));
    }

    void errors() {
        if (m_summary.errors.empty()) return;
        section("Errors");
        Table table({{"", true}, {"", false, 20}, {"", true}, {"", false, 10}, {"", false, 0, 1}}, m_console.out,
                    m_console.style, m_width, 2);
        std::size_t shown = 0;
        for (const auto* entry : ranked(m_summary.errors, [](const auto& e) { return e.second.exchanges; })) {
            if (shown++ == mostErrors) break;
            const auto& [code, row] = *entry;
            const ErrorCode* error = m_console.protocol->error(code);
            std::vector<std::string> names;
            for (const std::int16_t api : row.apis)
                names.push_back(apiName(*m_console.protocol, api));
            std::string name = error ? error->name : "unknown error";
            if (error && error->retriable) name += " ↻";
            table.addRow({{fmt::format("{}", code)},
                          {std::move(name), Role::Error},
                          {fmt::format("{}×", grouped(row.exchanges))},
                          {fmt::format("{}", fmt::join(names, ", "))},
                          {fmt::format("first in {}", row.first.value), Role::Dim}});
        }
        table.finish();
        if (m_summary.errors.size() > mostErrors)
            line(fmt::format("  and {}", countOf(m_summary.errors.size() - mostErrors, "other kind")));
    }

    void damage() {
        const auto& info = m_frame.info;
        if (m_summary.problems.empty() && m_summary.lostBytes == 0 && m_summary.garbageBytes == 0 &&
            info.cutPackets == 0 && info.dropped() == 0)
            return;
        section("Damaged or unusual");
        Table table({{"", true}, {"", false, 30}}, m_console.out, m_console.style, m_width, 2);
        for (const auto& [kind, count] : m_summary.problems)
            table.addRow({{grouped(count)},
                          {fmt::format("{}: {}", row(kind).name, row(kind).sentence),
                           row(kind).damage ? Role::Warning : Role::Plain}});
        if (info.dropped() != 0)
            table.addRow({{grouped(info.dropped())}, {"packets dropped while they were captured", Role::Warning}});
        if (info.cutPackets != 0)
            table.addRow({{grouped(info.cutPackets)}, {"packets cut by the snap length", Role::Warning}});
        if (m_summary.lostBytes != 0)
            table.addRow({{grouped(m_summary.lostBytes)}, {"bytes lost between messages", Role::Warning}});
        if (m_summary.garbageBytes != 0)
            table.addRow({{grouped(m_summary.garbageBytes)}, {"bytes that belong to no message", Role::Warning}});
        table.finish();
    }

    void foreign() {
        if (m_summary.foreign.empty()) {
            if (m_summary.exchanges == 0)
                line(m_frame.report.tcp == 0 ? "No TCP in this capture." : "No Kafka in this capture.");
            return;
        }
        section("Not Kafka");
        Table table({{""}, {"", true}, {"", false, 20}}, m_console.out, m_console.style, m_width, 2);
        for (const auto* entry : ranked(m_summary.foreign, [](const auto& e) { return e.second.connections; })) {
            std::vector<std::string> servers;
            for (const Endpoint& server : entry->second.servers)
                servers.push_back(toString(server));
            table.addRow({{entry->first.empty() ? "unknown" : entry->first, Role::Name},
                          {countOf(entry->second.connections, "connection")},
                          {fmt::format("to {}", fmt::join(servers, ", "))}});
        }
        table.finish();
    }

    void hint() {
        const std::string file = printable(m_frame.files.front());
        line();
        line(m_console.style(
            Role::Dim,
            elided(fmt::format("Next: brokerscope list {} | show {} N | records {}", file, file, file), m_width)));
    }

    // "Label     item, item,\n          item", at most so many lines; what does not fit is counted.
    void list(std::string_view label, const std::vector<std::string>& items, std::size_t mostLines) {
        std::string text = m_console.style(Role::Heading, label);
        text.append(labelWidth - std::min(labelWidth, label.size()), ' ');
        std::size_t column = labelWidth, lines = 1, shown = 0;
        for (const std::string& item : items) {
            const bool last = shown + 1 == items.size();
            const std::string piece = item + (last ? "" : ",");
            const std::size_t width = displayWidth(piece);
            const std::size_t reserve = lines == mostLines && !last ? 16 : 0; // for "and 12,345 more"
            if (shown != 0 && column + 1 + width + reserve > m_width) {
                if (lines == mostLines) {
                    text += fmt::format(" and {} more", grouped(items.size() - shown));
                    break;
                }
                text += '\n';
                text.append(labelWidth, ' ');
                column = labelWidth;
                ++lines;
            } else if (shown != 0) {
                text += ' ';
                ++column;
            }
            text += column + width > m_width ? elided(piece, m_width - column) : piece;
            column += width;
            ++shown;
        }
        line(text);
    }

    const TrafficSummary& m_summary;
    const CaptureFrame& m_frame;
    const Options& m_options;
    Console& m_console;
    std::size_t m_width;
};

} // namespace

void printSummaryScreen(const TrafficSummary& summary, const CaptureFrame& frame, const Options& options,
                        Console& console) {
    Screen(summary, frame, options, console).print();
}

} // namespace brokerscope
