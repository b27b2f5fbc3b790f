// SPDX-License-Identifier: Apache-2.0
// `list`: one line an exchange, in the order of their numbers.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/exchange_json.h"
#include "cli/commands/list_columns.h"
#include "cli/input/capture_session.h"
#include "cli/output/line_output.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/exchange/in_order.h"

namespace brokerscope {
namespace {

class ListSink final : public ReadingSink {
  public:
    ListSink(const Options& options, Console& console, const CaptureSession& session)
        : m_options(options), m_session(session), m_facts(Protocol::builtin()),
          m_json(Protocol::builtin(), {!options.noBodies, options.records, options.showSecrets}),
          m_names(Protocol::builtin()), m_filter(m_names),
          m_reader(options.format == Format::Table ? Reader::Person : Reader::Program),
          m_columns(listColumns(options.columns, m_reader)),
          m_output(options, console, outputColumns(m_columns), TimeFormat::Relative,
                   [&session] { return session.firstPacket(); }),
          m_inOrder([this](OutputLine&& line) { m_output.print(std::move(line)); }) {}

    bool compileFilter(const Console& console) { return m_filter.compile(m_options, console); }

    void exchangeStarted(ExchangeId id, Timestamp time) override { m_inOrder.started(id, time); }

    void exchangeEnded(Exchange&& exchange) override {
        if (!wantsMore()) return;
        ++m_seen;
        const ExchangeFacts& facts = m_facts.read(exchange);
        if (m_filter.active() || m_options.format != Format::Ndjson) m_names.learn(exchange);
        if (!m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response))
            return m_inOrder.skipped(exchange.id);
        OutputLine line;
        line.time = exchange.start();
        line.timeDigits = facts.timeDigits();
        if (m_options.format == Format::Ndjson) {
            line.json = m_json.write(facts);
        } else {
            for (const ListColumn* column : m_columns)
                line.cells.push_back(column->value ? column->value(facts, m_names, m_reader) : Cell());
        }
        m_inOrder.ended(exchange.id, std::move(line));
    }

    bool wantsMore() const override { return m_output.wantsMore(); }
    // Somebody watches a growing input: what is complete comes at once, and what is open when it ends.
    void inputPaused() override {
        m_inOrder.finish();
        m_output.inputPaused();
    }

    std::uint64_t seen() const { return m_seen; }
    std::uint64_t finish() {
        m_inOrder.finish();
        m_output.finish();
        return m_output.printed();
    }

  private:
    static std::vector<OutputColumn> outputColumns(const std::vector<const ListColumn*>& columns) {
        std::vector<OutputColumn> result;
        for (const ListColumn* column : columns)
            result.push_back({column->name, column->look, column->value == nullptr});
        return result;
    }

    const Options& m_options;
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    ExchangeJson m_json;
    TopicNames m_names;
    ExchangeFilter m_filter;
    Reader m_reader;
    std::vector<const ListColumn*> m_columns;
    LineOutput m_output;
    InOrder<OutputLine> m_inOrder;
    std::uint64_t m_seen = 0; // exchanges that the filter was asked about
};

} // namespace

Ending runList(const Options& options, Console& console) {
    CaptureSession session(options, console);
    ListSink sink(options, console, session);
    if (!sink.compileFilter(console)) return Ending::Unusable;
    if (const Ending ending = session.open(options.arguments); ending != Ending::Done) return ending;
    const Ending ending = session.read(sink);
    if (sink.finish() == 0 && ending == Ending::Done && !session.stoppedEarly())
        console.messages.note(sink.seen() == 0 ? session.nothingFound() : noneMatched(sink.seen()));
    return ending;
}

} // namespace brokerscope
