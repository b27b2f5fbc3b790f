// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/list_columns.h"

#include "cli/commands/column_names.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

constexpr Duration slow = std::chrono::milliseconds(100);

template<class Number>
std::string number(Number value) {
    return fmt::format("{}", value);
}

std::string size(const std::optional<Frame>& frame, Reader reader) {
    if (!frame) return {};
    const std::uint32_t bytes = frame->bytes.size();
    return reader == Reader::Program ? number(bytes) : grouped(bytes);
}

std::string isoTime(Timestamp time, int digits) {
    std::string text;
    IsoTime().append(text, time, digits);
    return text;
}

std::string milliseconds(const ExchangeFacts& facts, std::optional<Duration> length, Reader reader) {
    if (!length) return {};
    if (reader == Reader::Person) return millisecondsText(*length, facts.timeDigits());
    std::string text;
    appendMilliseconds(text, *length);
    return text;
}

std::string milliseconds(const ExchangeFacts& facts, Duration Latency::*part, Reader reader) {
    return milliseconds(facts, facts.times ? std::optional((*facts.times).*part) : std::nullopt, reader);
}

// An amount that is mostly the same: people only see where it is not.
Cell unusual(std::uint32_t amount, std::uint32_t usual, Reader reader) {
    return {reader == Reader::Person && amount == usual ? std::string() : number(amount)};
}

Cell blockedCell(const ExchangeFacts& facts, const TopicNames&, Reader reader) {
    const bool shown = facts.times && (reader == Reader::Program || facts.blockedWait() > Duration{});
    return {milliseconds(facts, shown ? std::optional(facts.blockedWait()) : std::nullopt, reader)};
}

// Captured text: safe on a terminal, unchanged for programs.
std::string shown(const std::string& text, Reader reader) {
    return reader == Reader::Person ? printable(text) : text;
}

Cell latencyCell(const ExchangeFacts& facts, const TopicNames&, Reader reader) {
    Cell cell{milliseconds(facts, &Latency::total, reader)};
    if (!facts.times) return cell;
    if (facts.times->total - facts.waited.duration > slow)
        cell.role = Role::Warning;
    else if (facts.waited.reason != WaitReason::None)
        cell.role = Role::Dim;
    return cell;
}

Cell clientIdCell(const ExchangeFacts& facts, const TopicNames&, Reader reader) {
    const Exchange& exchange = *facts.exchange;
    if (exchange.header && exchange.header->clientId && !exchange.header->clientId->empty())
        return {shown(*exchange.header->clientId, reader)};
    return reader == Reader::Program ? Cell{} : Cell{toString(exchange.client), Role::Dim};
}

Cell topicCell(const ExchangeFacts& facts, const TopicNames& names, Reader reader) {
    if (reader == Reader::Person) return {subjectText(facts, names), Role::Name};
    std::vector<std::string> topics = facts.topical().topics;
    for (const TopicId& id : facts.topical().topicIds)
        if (id != TopicId{}) topics.push_back(names.nameOrId(id));
    return {fmt::format("{}", fmt::join(topics, " "))};
}

Cell errorCell(const ExchangeFacts& facts, const TopicNames&, Reader reader) {
    if (reader == Reader::Person) return remark(facts);
    if (facts.response.errors.empty()) return {};
    const std::int16_t code = facts.response.errors.front().code;
    const ErrorCode* error = facts.protocol->error(code);
    return {error ? error->name : number(code)};
}

Cell problemsCell(const ExchangeFacts& facts, const TopicNames&, Reader) {
    return {fmt::format("{}", fmt::join(problemKinds(facts), " ")), Role::Warning};
}

Cell packetsCell(const ExchangeFacts& facts, const TopicNames&, Reader) {
    std::vector<std::uint64_t> packets, part;
    for (const auto* frame : {&facts.exchange->request, &facts.exchange->response}) {
        if (!*frame) continue;
        packetsOf(**frame, part);
        packets.insert(packets.end(), part.begin(), part.end());
    }
    return {fmt::format("{}", fmt::join(packets, " "))};
}

Cell softwareCell(const ExchangeFacts& facts, const TopicNames&, Reader reader) {
    const auto& peer = facts.exchange->peer;
    if (!peer || peer->softwareName.empty()) return {};
    return {shown(peer->softwareName + " " + peer->softwareVersion, reader)};
}

constexpr auto headerOf = [](const ExchangeFacts& f) { return f.exchange->header ? &*f.exchange->header : nullptr; };

// Titles are short; the names are those of the ndjson form. drop: what a narrow terminal does without, highest first.
const std::array<ListColumn, listColumnNames.size()>& table() {
    using F = const ExchangeFacts&;
    using N = const TopicNames&;
    static const std::array<ListColumn, listColumnNames.size()> rows = {{
        {"exchange", {"No", true, 0, 0, 0, 5}, [](F f, N, Reader) { return Cell{number(f.exchange->id.value)}; }},
        {"time", {"Time", true, 0, 0, 0, 10}, nullptr},
        {"connection", {"Conn", true}, [](F f, N, Reader) { return Cell{number(f.exchange->connection.value)}; }},
        {"client", {"Client", false, 9, 0, 3}, [](F f, N, Reader) { return Cell{toString(f.exchange->client)}; }},
        {"clientId", {"Client", false, 10, 2, 3}, clientIdCell},
        {"software", {"Software", false, 10, 3, 3}, softwareCell},
        {"broker", {"Broker", false, 0, 4}, [](F f, N, Reader) { return Cell{toString(f.exchange->broker)}; }},
        {"api",
         {"API", false, 16, 0, 1},
         [](F f, N, Reader r) {
             if (r == Reader::Person) return Cell{apiText(f)};
             return Cell{f.api ? f.api->name : std::string()};
         }},
        {"apiKey",
         {"Key", true},
         [](F f, N, Reader) { return Cell{headerOf(f) ? number(headerOf(f)->apiKey) : std::string()}; }},
        {"version",
         {"Version", true},
         [](F f, N, Reader) { return Cell{headerOf(f) ? number(headerOf(f)->apiVersion) : std::string()}; }},
        {"topic", {"Topic", false, 10, 0, 3}, topicCell},
        {"correlationId", {"Corr. id", true}, [](F f, N, Reader) { return Cell{number(f.exchange->correlationId)}; }},
        {"status", {"Status"}, [](F f, N, Reader) { return Cell{std::string(name(f.exchange->status))}; }},
        {"requestTime",
         {"Request time"},
         [](F f, N, Reader) {
             return Cell{f.exchange->request ? isoTime(f.exchange->request->begin, f.timeDigits()) : std::string()};
         }},
        {"responseTime",
         {"Response time"},
         [](F f, N, Reader) {
             return Cell{f.exchange->response ? isoTime(f.exchange->response->end, f.timeDigits()) : std::string()};
         }},
        {"totalTimeMs", {"ms", true, 0, 0, 0, 8}, latencyCell},
        {"requestTransferMs",
         {"Sending ms", true},
         [](F f, N, Reader r) { return Cell{milliseconds(f, &Latency::requestTransfer, r)}; }},
        {"waitMs", {"Waiting ms", true}, [](F f, N, Reader r) { return Cell{milliseconds(f, &Latency::wait, r)}; }},
        {"responseTransferMs",
         {"Receiving ms", true},
         [](F f, N, Reader r) { return Cell{milliseconds(f, &Latency::responseTransfer, r)}; }},
        {"waitReason", {"Waited for"}, [](F f, N, Reader) { return Cell{std::string(name(f.waited.reason))}; }},
        {"blockedMs", {"Blocked ms", true}, blockedCell},
        {"thinkMs",
         {"Thinking ms", true},
         [](F f, N, Reader r) { return Cell{milliseconds(f, f.exchange->timing.think, r)}; }},
        {"inFlight", {"In flight", true}, [](F f, N, Reader r) { return unusual(f.exchange->timing.inFlight, 1, r); }},
        {"sentAgain",
         {"Sent again", true},
         [](F f, N, Reader r) { return unusual(f.exchange->timing.sentAgain, 0, r); }},
        {"roundTripMs",
         {"Round trip ms", true},
         [](F f, N, Reader r) { return Cell{milliseconds(f, f.exchange->timing.roundTrip, r)}; }},
        {"throttleTimeMs",
         {"Throttle ms", true},
         [](F f, N, Reader) {
             const auto& throttle = f.response.throttleMs;
             return Cell{throttle && *throttle > 0 ? number(*throttle) : std::string()};
         }},
        {"requestBytes", {"Request", true, 0, 6}, [](F f, N, Reader r) { return Cell{size(f.exchange->request, r)}; }},
        {"responseBytes",
         {"Response", true, 0, 5},
         [](F f, N, Reader r) { return Cell{size(f.exchange->response, r)}; }},
        {"error", {"Error or remark", false, 22, 0, 2}, errorCell},
        {"errors", {"Errors", true}, [](F f, N, Reader) { return Cell{number(f.response.errors.size())}; }},
        {"problems", {"Problems"}, problemsCell},
        {"packets", {"Packets", false, 8}, packetsCell},
    }};
    return rows;
}

} // namespace

std::span<const ListColumn> allListColumns() {
    return table();
}

std::vector<const ListColumn*> listColumns(const std::vector<std::string>& names, Reader reader) {
    static const std::vector<std::string> usual = {"exchange", "time",         "clientId",      "broker",      "api",
                                                   "topic",    "requestBytes", "responseBytes", "totalTimeMs", "error"};
    std::vector<const ListColumn*> result;
    if (names.empty() && reader == Reader::Program) {
        for (const ListColumn& column : table())
            result.push_back(&column);
        return result;
    }
    for (const std::string& name : names.empty() ? usual : names)
        result.push_back(std::ranges::find(table(), name, &ListColumn::name));
    return result;
}

std::string subjectText(const ExchangeFacts& facts, const TopicNames& names) {
    const Skim& topical = facts.topical();
    std::string first;
    if (!topical.topics.empty())
        first = topical.topics.front();
    else if (!topical.topicIds.empty())
        first = names.nameOrId(topical.topicIds.front());
    if (!first.empty()) {
        first = printable(first);
        return topical.topicCount > 1 ? fmt::format("{} +{}", first, topical.topicCount - 1) : first;
    }
    if (!facts.request.group.empty()) return "group " + printable(facts.request.group);
    if (!facts.request.transactionalId.empty()) return "txn " + printable(facts.request.transactionalId);
    return {};
}

} // namespace brokerscope
