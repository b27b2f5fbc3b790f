// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/join_output.h"

#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <array>

namespace brokerscope {
namespace {

constexpr std::size_t usualSlowest = 10;

std::string apiName(const Console& console, std::int16_t key, std::int16_t version) {
    const Api* api = console.protocol->api(key);
    return api ? fmt::format("{} v{}", api->name, version) : fmt::format("key {} v{}", key, version);
}

std::size_t slowest(const Options& options) {
    return static_cast<std::size_t>(options.limit.value_or(usualSlowest));
}

void listLine(Console& console, const std::string& text) {
    const std::size_t width = console.width != 0 ? console.width : 120;
    console.out.write(fmt::format("  {}\n", wrapText(text, width - 4, 4)));
}

Options withoutLimit(Options options) {
    options.limit.reset();
    return options;
}

std::vector<ReportColumn> brokerColumns() {
    std::vector<ReportColumn> columns;
    for (const std::string_view name : {"exchange",
                                        "client",
                                        "broker",
                                        "correlationId",
                                        "apiKey",
                                        "api",
                                        "joined",
                                        "side",
                                        "reason",
                                        "totalTimeMs",
                                        "requestTransferMs",
                                        "blockedMs",
                                        "networkMs",
                                        "brokerTotalTimeMs",
                                        "requestQueueTimeMs",
                                        "localTimeMs",
                                        "remoteTimeMs",
                                        "throttleTimeMs",
                                        "responseQueueTimeMs",
                                        "sendTimeMs",
                                        "excessMs",
                                        "silenceAfterMs"})
        columns.push_back({name, {}});
    return columns;
}

std::vector<ReportColumn> captureColumns() {
    std::vector<ReportColumn> columns;
    for (const std::string_view name :
         {"exchange", "brokerExchange", "client", "broker", "apiKey", "joined", "totalTimeMs", "requestTransferMs",
          "requestPathMs", "brokerMs", "responsePathMs", "responseTransferMs", "fate"})
        columns.push_back({name, {}});
    return columns;
}

ReportValue number(std::int64_t value) {
    return {value};
}
ReportValue numberUnless0(std::uint64_t value) {
    return value == 0 ? ReportValue{} : number(static_cast<std::int64_t>(value));
}

// What all rows begin with: which exchange of the capture it is.
std::vector<ReportValue> headOf(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    return {number(static_cast<std::int64_t>(exchange.id.value)),
            {toString(exchange.client)},
            {toString(exchange.broker)},
            number(exchange.correlationId),
            exchange.header ? number(exchange.header->apiKey) : ReportValue{},
            {facts.api ? facts.api->name : std::string("?")}};
}

std::vector<ReportValue> rowOf(const ExchangeFacts& facts, const JoinedTimes& times) {
    const auto measured = [&](Duration value) { return facts.times ? ReportValue{value} : ReportValue{}; };
    const BrokerTimes& broker = times.broker;
    std::vector<ReportValue> row = headOf(facts);
    for (ReportValue value :
         {ReportValue{true}, ReportValue{}, ReportValue{}, measured(times.whole), measured(times.requestTransfer),
          measured(times.blocked), measured(times.network), ReportValue{broker.total}, ReportValue{broker.requestQueue},
          ReportValue{broker.local}, ReportValue{broker.remote}, ReportValue{broker.throttle},
          ReportValue{broker.responseQueue}, ReportValue{broker.send}, measured(times.excess),
          times.silence > Duration{} ? ReportValue{times.silence} : ReportValue{}})
        row.push_back(std::move(value));
    return row;
}

std::vector<ReportValue> rowOf(const LoggedRequest& logged) {
    return {{},
            {toString(logged.client)},
            logged.broker ? ReportValue{toString(*logged.broker)} : ReportValue{},
            number(logged.correlationId),
            number(logged.apiKey),
            {},
            {false},
            {std::string("log")},
            {},
            {},
            {},
            {},
            {},
            {logged.times.total}};
}

} // namespace

BrokerJoinOutput::BrokerJoinOutput(const Options& options, Console& console)
    : m_options(options), m_console(console), m_forRows(withoutLimit(options)),
      m_rows(m_forRows, console, brokerColumns(), {}),
      m_tables({"sending", "blocked", "network", "queue", "local", "remote", "throttle", "resp.queue", "send"},
               slowest(options)) {}

void BrokerJoinOutput::joined(const ExchangeFacts& facts, const JoinedTimes& times) {
    ++m_exchanges;
    ++m_joined;
    if (times.excess > Duration{} && facts.times) {
        ++m_over;
        m_excess = std::max(m_excess, times.excess);
    }
    if (m_options.format != Format::Table) return m_rows.add(rowOf(facts, times));
    if (!facts.times) return; // acks=0: nothing came back that could be measured
    const Exchange& exchange = *facts.exchange;
    const BrokerTimes& broker = times.broker;
    m_tables.add({exchange.id.value,
                  apiText(facts),
                  exchange.header->clientId.value_or(""),
                  toString(exchange.broker),
                  times.whole,
                  {times.requestTransfer, times.blocked, times.network, broker.requestQueue, broker.local,
                   broker.remote, broker.throttle, broker.responseQueue, broker.send}});
}

void BrokerJoinOutput::notLogged(const ExchangeFacts& facts, NotLogged reason) {
    ++m_exchanges;
    if (m_options.format != Format::Table) {
        std::vector<ReportValue> row = headOf(facts);
        row.push_back({false});
        row.push_back({std::string("capture")});
        row.push_back({std::string(text(reason))});
        row.resize(brokerColumns().size());
        return m_rows.add(row);
    }
    Rest& rest = m_notLogged[{apiText(facts), reason}];
    if (rest.count++ == 0) rest.first = facts.exchange->id.value;
}

void BrokerJoinOutput::finish(const BrokerJoin& join) {
    const BrokerJoin::Rest rest = join.rest();
    if (m_options.format == Format::Table) {
        printHead(join);
        m_tables.print(m_console);
        printRest(rest);
        return;
    }
    for (const LoggedRequest& logged : rest.ofCapture) {
        std::vector<ReportValue> row = rowOf(logged);
        row.resize(brokerColumns().size());
        m_rows.add(row);
    }
    m_rows.finish();
}

void BrokerJoinOutput::printHead(const BrokerJoin& join) {
    m_console.out.write(fmt::format("{} of {} joined with {} of the log\n", grouped(m_joined),
                                    countOf(m_exchanges, "exchange"), countOf(join.logged(), "line")));
    if (m_over != 0)
        m_console.out.write(
            wrapText(fmt::format("in {} the broker counted more than the wire saw, at most {}: its last bytes were on "
                                 "their way while it still counted them as send time",
                                 countOf(m_over, "exchange"), durationText(m_excess)),
                     m_console.width != 0 ? m_console.width : 120, 0) +
            '\n');
    if (join.leftOut() != 0)
        m_console.messages.note(
            fmt::format("{} of the log were left out: a bound was reached", countOf(join.leftOut(), "line")));
}

void BrokerJoinOutput::printRest(const BrokerJoin::Rest& rest) {
    if (m_notLogged.empty() && rest.ofCapture.empty()) return;
    m_console.out.endLine();
    m_console.out.write(m_console.style(Role::Heading, "Not joined") + '\n');
    for (const auto& [key, found] : m_notLogged)
        listLine(m_console, fmt::format("{} {} (from exchange {}): {}", grouped(found.count), key.first, found.first,
                                        text(key.second)));
    std::map<std::string, std::uint64_t> logged;
    for (const LoggedRequest& line : rest.ofCapture)
        ++logged[apiName(m_console, line.apiKey, line.apiVersion)];
    for (const auto& [api, count] : logged)
        listLine(m_console, fmt::format("{} {} of the log on connections of the capture: the capture does not have "
                                        "them (begun later, lost packets)",
                                        grouped(count), api));
    if (rest.elsewhere != 0)
        listLine(m_console, fmt::format("{} of the log on connections that the capture does not have",
                                        countOf(rest.elsewhere, "line")));
}

namespace {

template<class Row>
std::vector<ReportValue> headOf(const Row& row, bool joined) {
    return {numberUnless0(row.client.value),
            numberUnless0(row.broker.value),
            {toString(row.clientEnd)},
            {toString(row.brokerEnd)},
            number(row.apiKey),
            {joined}};
}

// In ndjson the clocks come first, in a line of their own; csv has no room for them.
void printRows(const CaptureJoin::Result& result, const Options& options, Console& console) {
    const ClockOffset& clock = result.clock;
    const Options rows = withoutLimit(options);
    if (options.format == Format::Ndjson) {
        Report report(rows, console,
                      {{"clockOffsetMs", {}}, {"uncertaintyMs", {}}, {"contradicts", {}}, {"exchanges", {}}}, {});
        report.add({{clock.offset}, {clock.uncertainty}, {clock.contradicts}, {clock.exchanges}});
    }
    Report report(rows, console, captureColumns(), {});
    for (const CaptureJoin::Joined& row : result.joined) {
        std::vector<ReportValue> values = headOf(row, true);
        for (const Duration part :
             {row.whole, row.requestTransfer, row.requestPath, row.atBroker, row.responsePath, row.responseTransfer})
            values.emplace_back().value = part;
        values.emplace_back();
        report.add(values);
    }
    for (const CaptureJoin::Single& row : result.singles) {
        std::vector<ReportValue> values = headOf(row, false);
        values.resize(captureColumns().size() - 1);
        values.emplace_back().value = std::string(name(row.fate));
        report.add(values);
    }
    report.finish();
}

void printClock(const ClockOffset& clock, Console& console) {
    if (clock.exchanges == 0) return;
    const bool ahead = clock.offset >= Duration{};
    console.out.write(fmt::format("the broker's clock is {} {} the client's, {} {}\n",
                                  durationText(ahead ? clock.offset : -clock.offset), ahead ? "ahead of" : "blocked",
                                  clock.contradicts ? "but no single offset fits: it drifts by" : "give or take",
                                  durationText(clock.uncertainty)));
}

void printSingles(const CaptureJoin::Result& result, Console& console) {
    if (result.singles.empty()) return;
    struct Group {
        std::uint64_t count = 0;
        const CaptureJoin::Single* first = nullptr;
    };
    std::map<std::pair<CaptureJoin::Fate, std::string>, Group> groups;
    for (const CaptureJoin::Single& single : result.singles) {
        Group& group = groups[{single.fate, apiName(console, single.apiKey, single.apiVersion)}];
        if (group.count++ == 0) group.first = &single;
    }
    console.out.endLine();
    console.out.write(console.style(Role::Heading, "Without the whole way") + '\n');
    for (const auto& [key, group] : groups) {
        const bool atClient = group.first->client.value != 0;
        listLine(console, fmt::format("{} {}: {} (from exchange {} of the {} capture, {} to {})", grouped(group.count),
                                      key.second, text(key.first),
                                      atClient ? group.first->client.value : group.first->broker.value,
                                      atClient ? "client's" : "broker's", toString(group.first->clientEnd),
                                      toString(group.first->brokerEnd)));
    }
}

} // namespace

void printCaptureJoin(const CaptureJoin::Result& result, const Options& options, Console& console) {
    if (options.format != Format::Table) return printRows(result, options, console);
    console.out.write(fmt::format("{} joined, {} without the whole way\n", countOf(result.joined.size(), "exchange"),
                                  grouped(result.singles.size())));
    printClock(result.clock, console);
    JoinTables tables({"sending", "way there", "broker", "way back", "receiving"}, slowest(options));
    for (const CaptureJoin::Joined& row : result.joined)
        tables.add({row.client.value,
                    apiName(console, row.apiKey, row.apiVersion),
                    toString(row.clientEnd),
                    toString(row.brokerEnd),
                    row.whole,
                    {row.requestTransfer, row.requestPath, row.atBroker, row.responsePath, row.responseTransfer}});
    tables.print(console);
    printSingles(result, console);
}

} // namespace brokerscope
