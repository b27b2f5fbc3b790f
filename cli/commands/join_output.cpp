// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/join_output.h"

#include "cli/options/help.h"
#include "cli/output/quantity_text.h"
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

} // namespace

BrokerJoinOutput::BrokerJoinOutput(const Options& options, Console& console)
    : m_options(options), m_console(console),
      m_tables({"sending", "network", "queue", "local", "remote", "throttle", "resp.queue", "send"}, slowest(options)) {
}

void BrokerJoinOutput::headOf(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_json.clear();
    m_json.writer().StartObject();
    m_json.number("exchange", static_cast<std::int64_t>(exchange.id.value));
    m_json.plain("client", toString(exchange.client));
    m_json.plain("broker", toString(exchange.broker));
    m_json.number("correlationId", exchange.correlationId);
    if (exchange.header) m_json.number("apiKey", exchange.header->apiKey);
    m_json.plain("api", facts.api ? facts.api->name : std::string("?"));
}

void BrokerJoinOutput::endLine() {
    m_json.writer().EndObject();
    m_console.out.buffer() += m_json.text();
    m_console.out.endLine();
}

void BrokerJoinOutput::joined(const ExchangeFacts& facts, const JoinedTimes& times) {
    ++m_exchanges;
    ++m_joined;
    if (times.excess > Duration{} && facts.times) {
        ++m_over;
        m_excess = std::max(m_excess, times.excess);
    }
    const BrokerTimes& broker = times.broker;
    if (m_options.format == Format::Ndjson) {
        headOf(facts);
        m_json.boolean("joined", true);
        if (facts.times) {
            m_json.milliseconds("totalTimeMs", times.whole);
            m_json.milliseconds("requestTransferMs", times.requestTransfer);
            m_json.milliseconds("networkMs", times.network);
        }
        m_json.milliseconds("brokerTotalTimeMs", broker.total);
        m_json.milliseconds("requestQueueTimeMs", broker.requestQueue);
        m_json.milliseconds("localTimeMs", broker.local);
        m_json.milliseconds("remoteTimeMs", broker.remote);
        m_json.milliseconds("throttleTimeMs", broker.throttle);
        m_json.milliseconds("responseQueueTimeMs", broker.responseQueue);
        m_json.milliseconds("sendTimeMs", broker.send);
        if (facts.times) m_json.milliseconds("excessMs", times.excess);
        if (times.silence > Duration{}) m_json.milliseconds("silenceAfterMs", times.silence);
        return endLine();
    }
    if (!facts.times) return; // acks=0: nothing came back that could be measured
    const Exchange& exchange = *facts.exchange;
    m_tables.add({exchange.id.value,
                  apiText(facts),
                  exchange.header->clientId.value_or(""),
                  toString(exchange.broker),
                  times.whole,
                  {times.requestTransfer, times.network, broker.requestQueue, broker.local, broker.remote,
                   broker.throttle, broker.responseQueue, broker.send}});
}

void BrokerJoinOutput::notLogged(const ExchangeFacts& facts, NotLogged reason) {
    ++m_exchanges;
    if (m_options.format == Format::Ndjson) {
        headOf(facts);
        m_json.boolean("joined", false);
        m_json.plain("side", "capture");
        m_json.plain("reason", text(reason));
        return endLine();
    }
    Rest& rest = m_notLogged[{apiText(facts), reason}];
    if (rest.count++ == 0) rest.first = facts.exchange->id.value;
}

void BrokerJoinOutput::finish(const BrokerJoin& join) {
    const BrokerJoin::Rest rest = join.rest();
    if (m_options.format != Format::Ndjson) {
        printHead(join);
        m_tables.print(m_console);
        printRest(rest);
        return;
    }
    for (const LoggedRequest& logged : rest.ofCapture) {
        m_json.clear();
        m_json.writer().StartObject();
        m_json.plain("client", toString(logged.client));
        if (logged.broker) m_json.plain("broker", toString(*logged.broker));
        m_json.number("correlationId", logged.correlationId);
        m_json.number("apiKey", logged.apiKey);
        m_json.boolean("joined", false);
        m_json.plain("side", "log");
        m_json.milliseconds("brokerTotalTimeMs", logged.times.total);
        endLine();
    }
}

void BrokerJoinOutput::printHead(const BrokerJoin& join) {
    m_console.out.write(fmt::format("{} of {} joined with {} of the log\n", grouped(m_joined),
                                    countOf(m_exchanges, "exchange"), countOf(join.logged(), "line")));
    if (m_over != 0)
        m_console.out.write(
            fmt::format("in {} the broker counted more than the wire saw, at most {}: its last bytes were "
                        "on their way while it still counted them as send time\n",
                        countOf(m_over, "exchange"), durationText(m_excess)));
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

void printJson(const CaptureJoin::Result& result, Console& console) {
    JsonLine json;
    const auto begin = [&](const auto& row) {
        json.clear();
        json.writer().StartObject();
        if (row.client) json.number("exchange", static_cast<std::int64_t>(row.client.value));
        if (row.broker) json.number("brokerExchange", static_cast<std::int64_t>(row.broker.value));
        json.plain("client", toString(row.clientEnd));
        json.plain("broker", toString(row.brokerEnd));
        json.number("apiKey", row.apiKey);
    };
    const auto end = [&] {
        json.writer().EndObject();
        console.out.buffer() += json.text();
        console.out.endLine();
    };
    json.clear();
    json.writer().StartObject();
    json.milliseconds("clockOffsetMs", result.clock.offset);
    json.milliseconds("uncertaintyMs", result.clock.uncertainty);
    json.boolean("contradicts", result.clock.contradicts);
    json.number("exchanges", static_cast<std::int64_t>(result.clock.exchanges));
    end();
    for (const CaptureJoin::Joined& row : result.joined) {
        begin(row);
        json.boolean("joined", true);
        json.milliseconds("totalTimeMs", row.whole);
        json.milliseconds("requestTransferMs", row.requestTransfer);
        json.milliseconds("requestPathMs", row.requestPath);
        json.milliseconds("brokerMs", row.atBroker);
        json.milliseconds("responsePathMs", row.responsePath);
        json.milliseconds("responseTransferMs", row.responseTransfer);
        end();
    }
    for (const CaptureJoin::Single& row : result.singles) {
        begin(row);
        json.boolean("joined", false);
        json.plain("fate", name(row.fate));
        end();
    }
}

void printClock(const ClockOffset& clock, Console& console) {
    if (clock.exchanges == 0) return;
    const bool ahead = clock.offset >= Duration{};
    console.out.write(fmt::format("the broker's clock is {} {} the client's, {} {}\n",
                                  durationText(ahead ? clock.offset : -clock.offset), ahead ? "ahead of" : "behind",
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
    if (options.format == Format::Ndjson) return printJson(result, console);
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
