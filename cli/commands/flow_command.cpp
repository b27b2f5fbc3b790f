// SPDX-License-Identifier: Apache-2.0
// `flow`: who talks to whom in which order.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/flow_text.h"
#include "cli/input/capture_session.h"
#include "cli/output/quantity_text.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/flow/flow.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

class FlowSink final : public ReadingSink {
  public:
    FlowSink(const Protocol& protocol, const Options& options, const CaptureSession& session)
        : m_options(options), m_session(session), m_facts(protocol), m_names(protocol), m_filter(protocol, m_names),
          m_flow(protocol) {}

    bool compileFilter(const Console& console) { return m_filter.compile(m_options, console); }
    void exchangeEnded(Exchange&& exchange) override {
        ++m_seen;
        const ExchangeFacts& facts = m_facts.read(exchange);
        m_names.learn(exchange);
        if (!wantsMore() || !m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response))
            return;
        ++m_taken;
        m_flow.add(facts, m_names);
    }
    bool wantsMore() const override { return !m_options.limit || m_taken < *m_options.limit; }

    Flow finish() { return m_flow.finish(); }
    std::uint64_t seen() const { return m_seen; }

  private:
    const Options& m_options;
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    TopicNames m_names;
    ExchangeFilter m_filter;
    FlowCollector m_flow;
    std::uint64_t m_seen = 0, m_taken = 0;
};

// --group, --transactional-id and --connection are short for a filter.
Options withShortcuts(const Options& options) {
    Options all = options;
    const auto also = [&all](const std::string& condition) {
        all.filter = all.filter.empty() ? condition : fmt::format("({}) and {}", all.filter, condition);
    };
    if (!options.group.empty()) also(fmt::format("group == \"{}\"", options.group));
    if (!options.transactionalId.empty()) also(fmt::format("transactional.id == \"{}\"", options.transactionalId));
    if (options.connection) also(fmt::format("conn == {}", *options.connection));
    return all;
}

} // namespace

Ending runFlow(const Options& typed, Console& console) {
    const Options options = withShortcuts(typed);
    CaptureSession session(options, console);
    FlowSink sink(*console.protocol, options, session);
    if (!sink.compileFilter(console)) return Ending::Unusable;
    if (const Ending opened = session.open(options.arguments); opened != Ending::Done) return opened;
    const Ending ending = session.read(sink);
    if (ending == Ending::Unusable) return ending;
    const Flow flow = sink.finish();
    if (flow.events.empty()) {
        console.messages.note(sink.seen() == 0 ? session.nothingFound() : noneMatched(sink.seen()));
        return ending;
    }
    switch (options.diagram) {
    case Diagram::Text:
        printLadder(flow, options, session.firstPacket(), console.width != 0 ? console.width : 120, console);
        break;
    case Diagram::Mermaid:
        console.out.write(mermaidText(flow));
        break;
    case Diagram::PlantUml:
        console.out.write(plantUmlText(flow));
        break;
    }
    if (flow.leftOut != 0)
        console.messages.note(fmt::format("{} more than fit in a diagram were left out: narrow it with -Y",
                                          countOf(flow.leftOut, "exchange")));
    return ending;
}

} // namespace brokerscope
