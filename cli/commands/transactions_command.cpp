// SPDX-License-Identifier: Apache-2.0
// `transactions`: each transaction with its producer, what it wrote and how it ended; with --details every step; and
// the idempotent producers with their sequence numbers.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/commands.h"
#include "cli/output/quantity_text.h"
#include "cli/output/report.h"
#include "dissector/analysis/transaction_timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

std::vector<ReportColumn> transactionColumns() {
    return {{"transactionalId", {"Transactional id", false, 8, 0, 1}},
            {"producerId", {"Producer", true}},
            {"producerEpoch", {"Epoch", true}},
            {"clientId", {"Client id", false, 6, 2, 2}},
            {"time", {"Begin", true}},
            {"openMs", {"Open", true}},
            {"result", {"Result"}},
            {"partitions", {"Partitions", false, 10, 0, 3}},
            {"records", {"Records", true}},
            {"bytes", {"Bytes", true, 0, 3}},
            {"groups", {"Offsets of", false, 8, 4, 2}},
            {"firstExchange", {"First", true, 0, 5}},
            {"lastExchange", {"Last", true, 0, 5}},
            {"why", {"Why", false, 10, 1, 2}}};
}

std::vector<ReportColumn> eventColumns() {
    return {{"time", {"Time", true}},
            {"exchange", {"Exchange", true, 0, 1}},
            {"transactionalId", {"Transactional id", false, 8}},
            {"producerId", {"Producer", true}},
            {"producerEpoch", {"Epoch", true}},
            {"event", {"Event"}},
            {"times", {"×", true}},
            {"records", {"Records", true, 0, 2}},
            {"text", {"What", false, 20}},
            {"error", {"Error", false, 12}},
            {"errorCode", {""}},
            {"group", {""}},
            {"partitions", {""}},
            {"offset", {""}},
            {"outcome", {""}},
            {"nextProducerId", {""}},
            {"nextProducerEpoch", {""}}};
}
constexpr std::size_t forPrograms = 7; // the last ones: what stands in the sentence already

std::string_view outcome(bool committed) {
    return committed ? "COMMIT" : "ABORT";
}

std::string whatText(const TransactionEvent& event) {
    const std::string partitions = fmt::format("{}", fmt::join(event.partitions, ", "));
    switch (event.kind) {
    case TransactionEventKind::AddOffsets:
        return fmt::format("group {}", event.group);
    case TransactionEventKind::CommitOffsets:
        return fmt::format("group {}: {}", event.group, partitions);
    case TransactionEventKind::Commit:
    case TransactionEventKind::Abort:
        return event.next ? fmt::format("goes on as {} epoch {}", event.next->id, event.next->epoch) : std::string();
    case TransactionEventKind::WriteMarkers:
        return fmt::format("{} to {}", outcome(event.committed.value_or(false)), partitions);
    case TransactionEventKind::Marker:
        return fmt::format("{} in {} at {}", outcome(event.committed.value_or(false)), partitions,
                           event.offset.value_or(-1));
    case TransactionEventKind::Failed:
        return event.api;
    default:
        return partitions;
    }
}

std::vector<ReportColumn> producerColumns() {
    return {{"producerId", {"Producer", true}},
            {"producerEpoch", {"Epoch", true}},
            {"transactionalId", {"Transactional id", false, 8, 2}},
            {"clientId", {"Client id", false, 8}},
            {"software", {"Software", false, 8, 3}},
            {"topic", {"Topic", false, 10}},
            {"partition", {"Part", true}},
            {"batches", {"Batches", true}},
            {"records", {"Records", true}},
            {"nextSequence", {"Next", true, 0, 1}},
            {"duplicates", {"Again", true}},
            {"gaps", {"Gaps", true}}};
}

ReportValue optionalText(const std::string& text) {
    return text.empty() ? ReportValue{} : ReportValue{text};
}

ReportValue number(std::int64_t value) {
    return {value};
}

ReportValue rare(std::uint64_t amount) {
    return {amount, amount == 0 ? Role::Dim : Role::Warning};
}

std::vector<std::string> partitionTexts(const std::set<std::pair<std::string, std::int32_t>>& partitions) {
    std::vector<std::string> texts;
    for (const auto& [topic, partition] : partitions)
        texts.push_back(fmt::format("{}-{}", topic, partition));
    return texts;
}

Role roleOf(TransactionEnd result) {
    switch (result) {
    case TransactionEnd::Committed:
        return Role::Good;
    case TransactionEnd::Aborted:
    case TransactionEnd::Open:
        return Role::Warning;
    case TransactionEnd::Fenced:
        return Role::Error;
    }
    return Role::Plain;
}

class TransactionPrinter {
  public:
    TransactionPrinter(const Options& options, Console& console, const CaptureSession& session,
                       const TransactionTimeline& timeline)
        : m_options(options), m_console(console), m_session(session), m_timeline(timeline) {}

    void print() {
        const bool table = m_options.format == Format::Table, json = m_options.format == Format::Ndjson;
        transactions();
        if (json || (table && m_options.details)) events();
        if (json || table) producers();
        if (table && m_timeline.leftOut != 0)
            line(fmt::format("{} could not be kept.", countOf(m_timeline.leftOut, "more entry")));
    }

  private:
    void transactions() {
        Report report(m_options, m_console, transactionColumns(), m_session.firstPacket());
        for (const Transaction& one : m_timeline.transactions) {
            const std::vector<std::string> groups(one.groups.begin(), one.groups.end());
            const bool open = one.result == TransactionEnd::Open;
            report.add({optionalText(one.transactionalId),
                        number(one.producer.id),
                        number(one.producer.epoch),
                        optionalText(one.clientId),
                        {ReportTime{one.begin, digits()}},
                        {(open ? m_session.lastPacket() : one.end) - one.begin},
                        {std::string(name(one.result)), roleOf(one.result)},
                        {partitionTexts(one.partitions), Role::Name},
                        {one.records},
                        {one.bytes},
                        {groups},
                        number(static_cast<std::int64_t>(one.first.value)),
                        number(static_cast<std::int64_t>(one.last.value)),
                        optionalText(one.why)},
                       "transaction");
        }
        report.finish();
    }

    void events() {
        section("Steps");
        const std::size_t left = m_options.format == Format::Table ? forPrograms : 0;
        std::vector<ReportColumn> columns = eventColumns();
        columns.resize(columns.size() - left);
        Report report(m_options, m_console, columns, m_session.firstPacket());
        for (const TransactionEvent& event : m_timeline.events) {
            std::vector<ReportValue> values = valuesOf(event);
            values.resize(values.size() - left);
            report.add(values, "event");
        }
        report.finish();
    }

    std::vector<ReportValue> valuesOf(const TransactionEvent& event) const {
        const ErrorCode* error = event.error ? Protocol::builtin().error(event.error) : nullptr;
        return {{ReportTime{event.time, digits()}},
                number(static_cast<std::int64_t>(event.exchange.value)),
                optionalText(event.transactionalId),
                number(event.producer.id),
                number(event.producer.epoch),
                {std::string(name(event.kind)), event.error ? Role::Error : Role::Plain},
                event.times > 1 ? ReportValue{event.times} : ReportValue{},
                event.records != 0 ? ReportValue{event.records} : ReportValue{},
                optionalText(whatText(event)),
                event.error ? ReportValue{error ? error->name : fmt::format("{}", event.error), Role::Error}
                            : ReportValue{},
                event.error ? number(event.error) : ReportValue{},
                optionalText(event.group),
                event.partitions.empty() ? ReportValue{} : ReportValue{event.partitions},
                event.offset ? number(*event.offset) : ReportValue{},
                event.committed ? ReportValue{std::string(outcome(*event.committed))} : ReportValue{},
                event.next ? number(event.next->id) : ReportValue{},
                event.next ? number(event.next->epoch) : ReportValue{}};
    }

    void producers() {
        const bool any = std::ranges::any_of(m_timeline.producers,
                                             [](const auto& entry) { return !entry.second.partitions.empty(); });
        if (!any) return;
        section("Idempotent producers");
        Report report(m_options, m_console, producerColumns(), m_session.firstPacket());
        for (const auto& [producer, writer] : m_timeline.producers)
            for (const auto& [place, state] : writer.partitions)
                report.add({number(producer.id),
                            number(producer.epoch),
                            optionalText(writer.transactionalId),
                            optionalText(writer.clientId),
                            optionalText(writer.software),
                            {place.first, Role::Name},
                            number(place.second),
                            {state.batches},
                            {state.records},
                            state.next >= 0 ? number(state.next) : ReportValue{},
                            rare(state.duplicates),
                            rare(state.gaps)},
                           "producer");
        report.finish();
    }

    int digits() const { return m_session.timeDigits(); }

    void section(std::string_view title) {
        if (m_options.format != Format::Table) return;
        line({});
        line(m_console.style(Role::Heading, title));
    }

    void line(const std::string& text) {
        m_console.out.buffer() += text;
        m_console.out.endLine();
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    const TransactionTimeline& m_timeline;
};

} // namespace

Ending runTransactions(const Options& options, Console& console) {
    CaptureSession session(options, console);
    TransactionCollector collector(*console.protocol);
    AnalysisSink sink(options, console, session, [&](const ExchangeFacts& facts) { collector.add(facts); });
    return sink.run([&] {
        const TransactionTimeline timeline = collector.timeline();
        TransactionPrinter(options, console, session, timeline).print();
        if (timeline.transactions.empty() && timeline.producers.empty() && options.format == Format::Table)
            console.messages.note("no transaction and no idempotent producer shows in this capture");
    });
}

} // namespace brokerscope
