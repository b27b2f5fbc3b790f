// SPDX-License-Identifier: Apache-2.0
// `stats`: counts, sizes and times by api, topic, client, ... and over time.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/column_names.h"
#include "cli/commands/commands.h"
#include "cli/commands/stats_columns.h"
#include "cli/input/capture_session.h"
#include "cli/output/histogram_text.h"
#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace brokerscope {
namespace {

constexpr std::size_t usualWidth = 80, mostHistograms = 12;

// "1s", "500ms", "5min", "1h"; nullopt: none of those.
std::optional<Duration> parseInterval(std::string_view text) {
    struct Unit {
        std::string_view name;
        Duration length;
    };
    using namespace std::chrono_literals;
    static constexpr Unit units[] = {{"us", 1us}, {"ms", 1ms}, {"s", 1s}, {"min", 1min}, {"m", 1min}, {"h", 1h}};
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number == 0 || number > 1'000'000'000) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    for (const Unit& unit : units)
        if (text == unit.name) return unit.length * static_cast<std::int64_t>(number);
    return std::nullopt;
}

TableColumn lookOf(StatsKey key) {
    switch (key) {
    case StatsKey::Api:
        return {"API", false, 16};
    case StatsKey::Version:
        return {"Version", true};
    case StatsKey::Topic:
        return {"Topic", false, 12};
    case StatsKey::Partition:
        return {"Part", true};
    case StatsKey::ClientId:
        return {"Client", false, 12};
    case StatsKey::Software:
        return {"Software", false, 12};
    case StatsKey::Address:
        return {"Client address", false, 12};
    case StatsKey::Broker:
        return {"Broker", false, 12};
    case StatsKey::Connection:
        return {"Conn", true};
    case StatsKey::Group:
        return {"Group", false, 12};
    case StatsKey::Error:
        return {"Error", false, 20};
    }
    return {};
}

class StatsPrinter {
  public:
    StatsPrinter(const Options& options, Console& console, const CaptureSession& session, StatsSettings settings,
                 std::vector<const StatsColumn*> columns)
        : m_options(options), m_console(console), m_session(session), m_settings(std::move(settings)),
          m_columns(std::move(columns)) {}

    void print(const Stats& stats) {
        std::vector<ReportColumn> heads;
        if (m_settings.interval) heads.push_back({"time", {"Time", true}});
        for (const StatsKey key : m_settings.by)
            heads.push_back({statsKeyNames[static_cast<std::size_t>(key)], lookOf(key)});
        for (const StatsColumn* column : m_columns)
            heads.push_back({column->name, column->look});
        Report report(m_options, m_console, std::move(heads), m_session.firstPacket());
        const auto rows = ranked(stats);
        for (const auto* row : rows)
            report.add(values(*row));
        report.finish();
        if (m_options.format != Format::Table) return;
        if (m_options.histogram) histograms(stats, rows);
        notes(stats);
    }

  private:
    using Row = std::pair<const Stats::Key, StatsRow>;

    // Most requests first; in time order with --interval.
    std::vector<const Row*> ranked(const Stats& stats) const {
        std::vector<const Row*> rows;
        for (const Row& row : stats.rows)
            rows.push_back(&row);
        std::ranges::stable_sort(rows, [](const Row* a, const Row* b) {
            if (a->first.time != b->first.time) return a->first.time < b->first.time;
            return a->second.exchanges > b->second.exchanges;
        });
        return rows;
    }

    std::vector<ReportValue> values(const Row& row) const {
        const auto& [key, sums] = row;
        std::vector<ReportValue> result;
        if (m_settings.interval) result.push_back({ReportTime{key.time, timeDigits()}, Role::Dim});
        for (std::size_t i = 0; i < key.texts.size(); ++i)
            result.push_back(keyValue(m_settings.by[i], key.texts[i]));
        for (const StatsColumn* column : m_columns)
            result.push_back(column->value(sums, seconds()));
        return result;
    }

    ReportValue keyValue(StatsKey key, const std::string& text) const {
        if (text.empty()) return m_options.format == Format::Table ? ReportValue{"(none)", Role::Dim} : ReportValue{};
        const bool number = key == StatsKey::Version || key == StatsKey::Partition || key == StatsKey::Connection;
        if (number) return {static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10))};
        return {text, key == StatsKey::Error ? Role::Error : Role::Name};
    }

    double seconds() const {
        const Duration span =
            m_settings.interval ? *m_settings.interval : m_session.lastPacket() - m_session.firstPacket();
        return std::chrono::duration<double>(span).count();
    }

    // Whole seconds need no digits for people; programs get what the capture has.
    int timeDigits() const { return m_session.timeDigits(); }

    void histograms(const Stats& stats, const std::vector<const Row*>& rows) {
        const std::size_t width = m_console.width ? m_console.width : usualWidth;
        const bool each = rows.size() > 1 && rows.size() <= mostHistograms;
        const auto draw = [&](const std::string& title, const LatencyHistogram& histogram) {
            if (histogram.count() == 0) return;
            line({});
            line(m_console.style(Role::Heading, title));
            for (const std::string& text : histogramLines(histogram, width, m_console.style))
                line(text);
        };
        if (!each) return draw("Latency", stats.total.latency);
        for (const Row* row : rows)
            draw(fmt::format("Latency: {}", fmt::join(shownKey(row->first), ", ")), row->second.latency);
    }

    std::vector<std::string> shownKey(const Stats::Key& key) const {
        std::vector<std::string> texts;
        for (const std::string& text : key.texts)
            texts.push_back(text.empty() ? "(none)" : text);
        return texts;
    }

    void notes(const Stats& stats) {
        const std::size_t width = m_console.width ? m_console.width : usualWidth;
        const auto note = [&](const std::string& text) { line(m_console.style(Role::Dim, wrapText(text, width, 0))); };
        const bool times = m_options.statsView == StatsView::Latency;
        if (times && stats.total.waitedByDesign != 0)
            note(fmt::format("Not in the times: {} in which the broker waited as it was asked to (column Waited: long "
                             "polls, rebalances, throttling).",
                             countOf(stats.total.waitedByDesign, "exchange")));
        if (m_options.statsView == StatsView::Parts)
            note("Means. Thinking: from the answer before to this request. Sending and receiving: from the first "
                 "to "
                 "the last byte. Blocked: behind the answer before on the same connection. By design: long polls, "
                 "rebalances, throttling. Broker: the rest of the wait, with one round trip of the network.");
        if (stats.countedTwice)
            note(fmt::format("Exchanges with several topics, partitions or errors count in each of their rows; there "
                             "are {} in all.",
                             grouped(stats.total.exchanges)));
        if (stats.leftOut != 0)
            note(fmt::format("There are more than {} rows; {} more were left out.", grouped(StatsCollector::maxRows),
                             countOf(stats.leftOut, "count")));
    }

    void line(const std::string& text) {
        m_console.out.buffer() += text;
        m_console.out.endLine();
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    StatsSettings m_settings;
    std::vector<const StatsColumn*> m_columns;
};

// A partition means nothing without its topic.
std::vector<StatsKey> keysOf(const Options& options) {
    std::vector<StatsKey> keys;
    const auto add = [&](StatsKey key) {
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    };
    for (const std::string& name : options.by) {
        const auto key = static_cast<StatsKey>(std::ranges::find(statsKeyNames, name) - statsKeyNames.begin());
        if (key == StatsKey::Partition) add(StatsKey::Topic);
        add(key);
    }
    if (keys.empty() && options.interval.empty()) keys.push_back(StatsKey::Api);
    return keys;
}

} // namespace

Ending runStats(const Options& options, Console& console) {
    StatsSettings settings;
    settings.by = keysOf(options);
    if (!options.interval.empty()) {
        settings.interval = parseInterval(options.interval);
        if (!settings.interval) {
            console.messages.error(
                fmt::format("--interval needs a length of time such as 1s, 500ms or 5min, not '{}'", options.interval));
            return Ending::Unusable;
        }
    }
    const auto columns = statsColumns(options);
    for (const StatsColumn* column : columns) {
        settings.records = settings.records || column->needsRecords();
        settings.openRecords = settings.openRecords || column->needsOpenRecords();
    }
    CaptureSession session(options, console);
    StatsCollector collector(*console.protocol, settings);
    AnalysisSink sink(options, console, session,
                      [&](const ExchangeFacts& facts) { collector.add(facts, session.firstPacket()); });
    return sink.run([&] { StatsPrinter(options, console, session, settings, columns).print(collector.stats()); });
}

} // namespace brokerscope
