// SPDX-License-Identifier: Apache-2.0
// `transactions`: each transaction with its producer, what it wrote and how it ended; with --details every step; and
// the idempotent producers with their sequence numbers.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/commands.h"
#include "cli/commands/partition_text.h"
#include "cli/output/quantity_text.h"
#include "cli/output/report.h"
#include "cli/output/sections.h"
#include "dissector/analysis/transaction_timeline.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

std::vector<ReportColumn> transactionColumns() {
    return {{"transactionalId", {"Txn id", false, 8, 0, 1}},
            {"producerId", {"Producer", true}},
            {"producerEpoch", {"Epoch", true}},
            {"clientId", {"Client id", false, 6, 2, 2}},
            {"time", {"Begin", true}},
            {"openMs", {"Open", true}},
            {"result", {"Result"}},
            {"partitions", {"Partitions", false, 14, 0, 3}},
            {"records", {"Records", true}},
            {"bytes", {"Bytes", true, 0, 3}},
            {"groups", {"Offsets of", false, 8, 4, 2}},
            {"firstExchange", {"First", true, 0, 5}},
            {"lastExchange", {"Last", true, 0, 5}},
            {"why", {"Why", false, 12, 1, 2, 0, true}}};
}

std::vector<ReportColumn> eventColumns() {
    return {{"time", {"Time", true}},
            {"exchange", {"No", true, 0, 2}},
            {"transactionalId", {"Txn id", false, 9}},
            {"producerId", {"Producer", true}},
            {"producerEpoch", {"Epoch", true}},
            {"event", {"Event"}},
            {"times", {}, true},
            {"records", {"Records", true, 0, 1}},
            {"text", {"What", false, 22, 0, 1, 0, true}},
            {"error", {}, true},
            {"errorCode", {}, true},
            {"group", {}, true},
            {"partitions", {}, true},
            {"offset", {}, true},
            {"outcome", {}, true},
            {"nextProducerId", {}, true},
            {"nextProducerEpoch", {}, true}};
}

std::string_view outcome(bool committed) {
    return committed ? "COMMIT" : "ABORT";
}

std::string errorName(std::int16_t code) {
    const ErrorCode* error = Protocol::builtin().error(code);
    return error ? error->name : std::string();
}

std::string whatText(const TransactionEvent& event) {
    const std::string partitions = partitionsForPeople(event.partitions);
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
    case TransactionEventKind::Produce:
        return event.times == 1 ? partitions : fmt::format("{} batches to {}", grouped(event.times), partitions);
    case TransactionEventKind::Failed:
        return fmt::format("{}: {} {}", event.api, event.error, errorName(event.error));
    default:
        return partitions;
    }
}

std::vector<ReportColumn> producerColumns() {
    return {{"producerId", {"Producer", true}},
            {"producerEpoch", {"Epoch", true}},
            {"transactionalId", {"Txn id", false, 8, 2}},
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
            printLine(m_console, fmt::format("{} could not be kept.", countOf(m_timeline.leftOut, "more entry")));
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
                        partitionsValue(partitionTexts(one.partitions)),
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

    ReportValue partitionsValue(const std::vector<std::string>& partitions) const {
        if (m_options.format != Format::Table) return {partitions, Role::Name};
        return {partitionsForPeople(partitions), Role::Name};
    }

    void events() {
        section("Steps");
        Report report(m_options, m_console, eventColumns(), m_session.firstPacket());
        for (const TransactionEvent& event : m_timeline.events)
            report.add(valuesOf(event), "event");
        report.finish();
    }

    std::vector<ReportValue> valuesOf(const TransactionEvent& event) const {
        const bool people = m_options.format == Format::Table;
        return {{ReportTime{event.time, digits()}},
                number(static_cast<std::int64_t>(event.exchange.value)),
                optionalText(event.transactionalId),
                number(event.producer.id),
                number(event.producer.epoch),
                {std::string(name(event.kind)), event.error ? Role::Error : Role::Plain},
                event.times > 1 ? ReportValue{event.times} : ReportValue{},
                event.records != 0 ? ReportValue{event.records} : ReportValue{},
                people ? ReportValue{whatText(event), event.error ? Role::Error : Role::Plain}
                       : optionalText(event.error ? event.api : whatText(event)),
                event.error ? ReportValue{errorName(event.error)} : ReportValue{},
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
        // Since Kafka 4 each transaction has an epoch of its own: people see those of a producer together.
        const bool together = m_options.format == Format::Table && !m_options.details;
        std::vector<ReportColumn> columns = producerColumns();
        if (together) std::erase_if(columns, [](const ReportColumn& column) { return column.name == "nextSequence"; });
        Report report(m_options, m_console, columns, m_session.firstPacket());
        if (together)
            sums(report);
        else
            eachEpoch(report);
        report.finish();
    }

    struct Sum {
        Producer first, last;
        const TransactionTimeline::Writer* writer = nullptr;
        SequenceState state;
    };

    void sums(Report& report) const {
        std::map<std::tuple<std::int64_t, std::string, std::pair<std::string, std::int32_t>>, Sum> sums;
        for (const auto& [producer, writer] : m_timeline.producers)
            for (const auto& [place, state] : writer.partitions) {
                Sum& sum = sums.try_emplace({producer.id, writer.clientId, place}, Sum{producer, {}, &writer, {}})
                               .first->second;
                sum.last = producer;
                sum.state.batches += state.batches;
                sum.state.records += state.records;
                sum.state.duplicates += state.duplicates;
                sum.state.gaps += state.gaps;
            }
        for (const auto& [key, sum] : sums) {
            const auto& [topic, partition] = std::get<2>(key);
            report.add({number(sum.first.id),
                        {sum.first.epoch == sum.last.epoch ? fmt::format("{}", sum.first.epoch)
                                                           : fmt::format("{}-{}", sum.first.epoch, sum.last.epoch)},
                        optionalText(sum.writer->transactionalId),
                        optionalText(sum.writer->clientId),
                        optionalText(sum.writer->software),
                        {topic, Role::Name},
                        number(partition),
                        {sum.state.batches},
                        {sum.state.records},
                        rare(sum.state.duplicates),
                        rare(sum.state.gaps)},
                       "producer");
        }
    }

    void eachEpoch(Report& report) const {
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
    }

    int digits() const { return m_session.timeDigits(); }

    void section(std::string_view title) {
        if (m_options.format == Format::Table) printSection(m_console, title);
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
