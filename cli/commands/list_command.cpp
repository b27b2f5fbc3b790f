// SPDX-License-Identifier: Apache-2.0
// `list`: one line an exchange, in the order of their numbers.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/list_columns.h"
#include "cli/commands/name_wait.h"
#include "cli/input/capture_session.h"
#include "cli/output/line_output.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/exchange_json.h"
#include "dissector/analysis/fetch_sessions.h"
#include "dissector/exchange/in_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

// "orders +2": what a Fetch asks for by its session, without naming it.
std::string fetchedText(const FetchScope& fetched, const TopicNames& names) {
    if (!fetched.incremental() || fetched.partitions.empty()) return {};
    const FetchedTopic& first = fetched.partitions.begin()->first;
    std::string text = printable(first.name.empty() ? names.nameOrId(first.id) : first.name);
    if (fetched.partitions.size() > 1) text += fmt::format(" +{}", fetched.partitions.size() - 1);
    return text;
}

class ListSink final : public ReadingSink {
  public:
    ListSink(const Options& options, Console& console, const CaptureSession& session)
        : m_options(options), m_session(session), m_facts(*console.protocol), m_names(*console.protocol),
          m_sessions(*console.protocol),
          m_json(*console.protocol, {!options.noBodies, options.records, options.expand, options.showSecrets},
                 &m_names),
          m_filter(*console.protocol, m_names.topics()),
          m_reader(options.format == Format::Table ? Reader::Person : Reader::Program),
          m_columns(listColumns(options.columns, m_reader)),
          m_output(options, console, outputColumns(m_columns), TimeFormat::Relative,
                   [&session] { return session.firstPacket(); }),
          m_inOrder([this](OutputLine&& line) { m_output.print(std::move(line)); }),
          m_wait(m_names.topics(), [this](EndedExchange&& ended) { print(ended, m_facts.read(ended.exchange)); }),
          m_opens(options.format == Format::Ndjson && !options.noBodies && (options.expand || options.records)) {}

    bool compileFilter(const Console& console) {
        const bool good = m_filter.compile(m_options, console);
        m_showsNames = m_opens || m_filter.active() || m_options.format != Format::Ndjson;
        return good;
    }

    void exchangeStarted(ExchangeId id, Timestamp time) override { m_inOrder.started(id, time); }

    void exchangeEnded(Exchange&& exchange) override {
        if (!wantsMore()) return;
        ++m_seen;
        learnNames(exchange);
        EndedExchange ended{std::move(exchange), std::nullopt};
        const ExchangeFacts& facts = m_facts.read(ended.exchange);
        if (!m_showsNames) return print(ended, facts);
        if (m_reader == Reader::Person || m_options.expand) ended.fetched = m_sessions.follow(ended.exchange);
        std::set<TopicId> ids = topicIdsOf(ended, facts.request, facts.response);
        if (m_wait.isReady(ids)) return print(ended, facts);
        m_wait.add(std::move(ended), std::move(ids));
    }

    bool wantsMore() const override { return m_output.wantsMore(); }
    // Somebody watches a growing input: what is complete comes at once, and what is open when it ends.
    void inputPaused() override {
        m_wait.finish();
        m_inOrder.finish();
        m_output.inputPaused();
    }

    std::uint64_t seen() const { return m_seen; }
    std::uint64_t finish() {
        m_wait.finish();
        m_inOrder.finish();
        m_output.finish();
        return m_output.printed();
    }

  private:
    void print(const EndedExchange& ended, const ExchangeFacts& facts) {
        const Exchange& exchange = ended.exchange;
        if (!m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response))
            return m_inOrder.skipped(exchange.id);
        OutputLine line;
        line.time = exchange.start();
        line.timeDigits = facts.timeDigits();
        if (m_options.format == Format::Ndjson) {
            line.json = m_json.write(facts, ended.fetched ? &*ended.fetched : nullptr);
        } else {
            for (const ListColumn* column : m_columns)
                line.cells.push_back(column->value ? column->value(facts, m_names.topics(), m_reader) : Cell());
            if (m_topicColumn < line.cells.size() && line.cells[m_topicColumn].text.empty() && ended.fetched)
                line.cells[m_topicColumn] = {fetchedText(*ended.fetched, m_names.topics()), Role::Dim};
        }
        m_inOrder.ended(exchange.id, std::move(line));
    }

    // Only what the output needs.
    void learnNames(const Exchange& exchange) {
        if (m_opens)
            m_names.learn(exchange);
        else if (m_showsNames)
            m_names.learnTopics(exchange);
    }

    static std::vector<OutputColumn> outputColumns(const std::vector<const ListColumn*>& columns) {
        std::vector<OutputColumn> result;
        for (const ListColumn* column : columns)
            result.push_back({column->name, column->look, column->value == nullptr});
        return result;
    }

    const Options& m_options;
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    CaptureNames m_names;
    FetchSessions m_sessions;
    ExchangeJson m_json;
    ExchangeFilter m_filter;
    Reader m_reader;
    std::vector<const ListColumn*> m_columns;
    // Where people look for topics; behind the last column when nobody does.
    std::size_t m_topicColumn =
        m_reader == Reader::Person
            ? static_cast<std::size_t>(std::ranges::find(m_columns, "topic", &ListColumn::name) - m_columns.begin())
            : m_columns.size();
    LineOutput m_output;
    InOrder<OutputLine> m_inOrder;
    NameWait m_wait;
    bool m_opens;              // payloads and records, which takes more than topic names
    bool m_showsNames = false; // or the filter asks for them
    std::uint64_t m_seen = 0;  // exchanges that the filter was asked about
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
