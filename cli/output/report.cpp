// SPDX-License-Identifier: Apache-2.0
#include "cli/output/report.h"

#include "cli/output/text_width.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <cmath>

namespace brokerscope {
namespace {

std::vector<TableColumn> looks(const std::vector<ReportColumn>& columns) {
    std::vector<TableColumn> result;
    for (const ReportColumn& column : columns)
        if (!column.onlyPrograms) result.push_back(column.look);
    return result;
}

TimeFormat usualTime(Format format) {
    return format == Format::Table ? TimeFormat::Relative : TimeFormat::Epoch;
}

// Three significant digits, and all of a large number.
std::string forPeople(double number) {
    if (std::abs(number) >= 100) return grouped(static_cast<std::uint64_t>(std::llround(number)));
    return fmt::format("{:.3g}", number);
}

struct PeopleText {
    TimePrinter& times;

    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return printable(text); }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(std::uint64_t amount) const { return grouped(amount); }
    std::string operator()(double number) const { return forPeople(number); }
    std::string operator()(bool flag) const { return flag ? "yes" : "no"; }
    std::string operator()(Duration duration) const {
        return duration == Duration{} ? "0" : durationText(duration); // "0 ns" would boast of precision
    }
    std::string operator()(const ReportTime& time) const {
        std::string text;
        times.append(text, time.at, time.digits);
        return text;
    }
    std::string operator()(const std::vector<std::string>& list) const {
        return printable(fmt::format("{}", fmt::join(list, ", ")));
    }
};

struct CsvText {
    TimePrinter& times;

    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(std::uint64_t amount) const { return fmt::format("{}", amount); }
    std::string operator()(double number) const { return fmt::format("{:.6g}", number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(Duration duration) const {
        std::string text;
        appendMilliseconds(text, duration);
        return text;
    }
    std::string operator()(const ReportTime& time) const {
        std::string text;
        times.append(text, time.at, time.digits);
        return text;
    }
    std::string operator()(const std::vector<std::string>& list) const {
        return fmt::format("{}", fmt::join(list, " "));
    }
};

struct JsonMember {
    JsonLine& json;
    std::string_view name;

    void operator()(std::monostate) const {}
    void operator()(const std::string& text) const { json.string(name, text); }
    void operator()(std::int64_t number) const { json.number(name, number); }
    void operator()(std::uint64_t amount) const { json.number(name, static_cast<std::int64_t>(amount)); }
    void operator()(double number) const {
        json.key(name);
        json.writer().plainNumber(fmt::format("{:.6g}", number));
    }
    void operator()(bool flag) const { json.boolean(name, flag); }
    void operator()(Duration duration) const { json.milliseconds(name, duration); }
    void operator()(const ReportTime& time) const { json.time(name, time.at, time.digits); }
    void operator()(const std::vector<std::string>& list) const {
        json.key(name);
        json.writer().StartArray();
        for (const std::string& text : list)
            json.value(text);
        json.writer().EndArray();
    }
};

} // namespace

Report::Report(const Options& options, Console& console, std::vector<ReportColumn> columns, Timestamp start,
               std::size_t indent)
    : m_options(options), m_console(console), m_columns(std::move(columns)),
      m_table(looks(m_columns), console.out, console.style, console.width, indent), m_csv(console.out),
      m_times(options.time.value_or(usualTime(options.format)), start) {
    m_table.leaveOutEmptyColumns();
}

void Report::add(const std::vector<ReportValue>& values, std::string_view type) {
    if (full()) return;
    ++m_rows;
    if (m_options.format == Format::Ndjson) return addJson(values, type);
    if (m_options.format == Format::Csv) return addCsv(values);
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!m_columns[i].onlyPrograms)
            cells.push_back({std::visit(PeopleText{m_times}, values[i].value), values[i].role});
    m_table.addRow(std::move(cells));
}

void Report::addJson(const std::vector<ReportValue>& values, std::string_view type) {
    m_json.clear();
    m_json.writer().StartObject();
    if (!type.empty()) m_json.plain("type", type);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::visit(JsonMember{m_json, m_columns[i].name}, values[i].value);
    m_json.writer().EndObject();
    m_console.out.buffer() += m_json.text();
    m_console.out.endLine();
}

void Report::addCsv(const std::vector<ReportValue>& values) {
    beginCsv();
    for (const ReportValue& value : values)
        m_csv.field(std::visit(CsvText{m_times}, value.value));
    m_csv.end();
}

void Report::beginCsv() {
    if (m_begun) return;
    m_begun = true;
    for (const ReportColumn& column : m_columns)
        m_csv.field(column.name);
    m_csv.end();
}

void Report::finish() {
    if (m_options.format == Format::Csv) beginCsv();
    if (m_options.format == Format::Table) m_table.finish();
}

} // namespace brokerscope
