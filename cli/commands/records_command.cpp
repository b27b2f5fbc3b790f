// SPDX-License-Identifier: Apache-2.0
// `records`: one line a record, in the order of the exchanges that carried them.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/name_wait.h"
#include "cli/commands/record_columns.h"
#include "cli/input/capture_session.h"
#include "cli/output/line_output.h"
#include "cli/output/quantity_text.h"
#include "dissector/analysis/capture_names.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/record_json_line.h"
#include "dissector/exchange/in_order.h"
#include "dissector/message/secrets.h"
#include "dissector/payloads/record_payload_json.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

class RecordsSink final : public ReadingSink {
  public:
    RecordsSink(const Options& options, Console& console, const CaptureSession& session)
        : m_options(options), m_protocol(*console.protocol), m_session(session), m_names(m_protocol),
          m_facts(m_protocol), m_filter(*console.protocol, m_names.topics()), m_payloads(m_protocol),
          m_reader(options.format == Format::Table ? Reader::Person : Reader::Program),
          m_columns(recordColumns(options.columns, m_reader)),
          m_output(options, console, outputColumns(m_columns), TimeFormat::Absolute,
                   [&session] { return session.firstPacket(); }),
          m_inOrder([this](std::vector<OutputLine>&& lines) {
              for (OutputLine& line : lines)
                  m_output.print(std::move(line));
          }),
          m_wait(m_names.topics(), [this](EndedExchange&& ended) { print(ended.exchange); }) {}

    bool compileFilter(const Console& console) { return m_filter.compile(m_options, console); }

    void exchangeStarted(ExchangeId id, Timestamp time) override { m_inOrder.started(id, time); }

    void exchangeEnded(Exchange&& exchange) override {
        if (!wantsMore()) return;
        m_names.learnTopics(exchange);
        EndedExchange ended{std::move(exchange), std::nullopt};
        const ExchangeFacts& facts = m_facts.read(ended.exchange);
        std::set<TopicId> ids = topicIdsOf(ended, facts.request, facts.response);
        if (m_wait.isReady(ids)) return print(ended.exchange);
        m_wait.add(std::move(ended), std::move(ids));
    }

    bool wantsMore() const override { return m_output.wantsMore(); }
    void inputPaused() override {
        m_wait.finish();
        m_output.inputPaused();
    }

    std::uint64_t finish() {
        m_wait.finish();
        m_inOrder.finish();
        m_output.finish();
        return m_output.printed();
    }
    std::uint64_t problems() const { return m_problems; }

  private:
    void print(const Exchange& exchange) {
        if (!m_filter.matches(exchange, m_session.firstPacket(), nullptr, nullptr))
            return m_inOrder.skipped(exchange.id);
        std::vector<OutputLine> lines;
        if (exchange.header && exchange.request)
            addLines(exchange, *exchange.request, exchange.requestContext(), lines);
        if (exchange.header && exchange.response)
            addLines(exchange, *exchange.response, exchange.responseContext(), lines);
        if (lines.empty())
            m_inOrder.skipped(exchange.id);
        else
            m_inOrder.ended(exchange.id, std::move(lines));
    }

    static std::vector<OutputColumn> outputColumns(const std::vector<const RecordColumn*>& columns) {
        std::vector<OutputColumn> result;
        for (const RecordColumn* column : columns)
            result.push_back({column->name, column->look, column->value == nullptr});
        return result;
    }

    void addLines(const Exchange& exchange, const Frame& frame, const MessageContext& context,
                  std::vector<OutputLine>& lines) {
        skimMessage(m_protocol, frame.bytes, context, m_skim);
        if (m_skim.recordBytes == 0) return;
        decodeMessage(m_protocol, frame.bytes, context, m_message);
        RecordFacts facts;
        facts.protocol = &m_protocol;
        facts.exchange = &exchange;
        facts.direction = context.direction;
        for (const RecordSetPlace& place : recordSetsOf(frame.bytes, m_message, context.direction)) {
            facts.place = &place;
            facts.topic = topicText(place, m_names.topics());
            m_set.open(frame.bytes, place.begin, place.end);
            addSet(facts, lines);
        }
    }

    void addSet(RecordFacts& facts, std::vector<OutputLine>& lines) {
        facts.batch = &m_set.batch();
        facts.record = &m_set.record();
        while (m_set.nextBatch())
            while (m_set.nextRecord()) {
                openPayloads(facts);
                lines.push_back(makeLine(facts));
            }
        m_problems += m_set.problems().size();
    }

    void openPayloads(RecordFacts& facts) {
        const Record& record = *facts.record;
        const bool control = facts.batch->isControl;
        const bool key = !control && record.key && m_payloads.openKey(facts.topic, control, *record.key, m_key);
        const bool value =
            record.value && m_payloads.openValue(facts.topic, control, record.key, *record.value, m_value);
        facts.key = key ? &m_key : nullptr;
        facts.value = value ? &m_value : nullptr;
        facts.showSecrets = m_options.showSecrets;
        facts.format = m_format;
    }

    OutputLine makeLine(const RecordFacts& facts) {
        OutputLine line;
        line.timeDigits = 3;
        if (facts.record->timestamp >= 0) line.time = Timestamp{std::chrono::milliseconds(facts.record->timestamp)};
        if (m_options.format == Format::Ndjson) {
            line.json = writeRecordLine(facts, m_json);
            return line;
        }
        for (const RecordColumn* column : m_columns)
            line.cells.push_back(column->value ? column->value(facts, m_reader) : Cell());
        return line;
    }

    const Options& m_options;
    const Protocol& m_protocol;
    const CaptureSession& m_session;
    CaptureNames m_names;
    ExchangeFactsReader m_facts;
    ExchangeFilter m_filter;
    RecordPayloads m_payloads;
    std::optional<ValueFormat> m_format = valueFormatOf(m_options.valueFormat);
    RecordPayload m_key, m_value; // of the record that is being printed
    Reader m_reader;
    std::vector<const RecordColumn*> m_columns;
    JsonLine m_json;
    Skim m_skim;
    DecodedMessage m_message;
    RecordSetReader m_set;
    LineOutput m_output;
    InOrder<std::vector<OutputLine>> m_inOrder;
    NameWait m_wait;
    std::uint64_t m_problems = 0;
};

} // namespace

Ending runRecords(const Options& options, Console& console) {
    CaptureSession session(options, console);
    RecordsSink sink(options, console, session);
    if (!sink.compileFilter(console)) return Ending::Unusable;
    if (const Ending ending = session.open(options.arguments); ending != Ending::Done) return ending;
    const Ending ending = session.read(sink);
    if (sink.finish() == 0 && ending == Ending::Done && !session.stoppedEarly())
        console.messages.note("no records in this capture");
    if (sink.problems() != 0)
        console.messages.note(
            fmt::format("{} in the record sets; list --records says where", countOf(sink.problems(), "problem")));
    return ending;
}

} // namespace brokerscope
