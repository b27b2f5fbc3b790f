// SPDX-License-Identifier: Apache-2.0
// `summary`: what is in a capture, on one screen.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/summary_screen.h"
#include "cli/input/capture_session.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/traffic_summary.h"

namespace brokerscope {
namespace {

class SummarySink final : public ReadingSink {
  public:
    SummarySink(const Protocol& protocol, const CaptureSession& session)
        : m_session(session), m_facts(protocol), m_names(protocol), m_filter(protocol, m_names), m_collector(protocol) {
    }

    bool compileFilter(const Options& options, const Console& console) { return m_filter.compile(options, console); }

    void exchangeEnded(Exchange&& exchange) override {
        const ExchangeFacts& facts = m_facts.read(exchange);
        if (m_filter.active()) m_names.learn(exchange);
        if (!m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response)) return;
        m_collector.add(exchange, facts.request, facts.response);
    }
    void foreignConnection(const Connection& connection, std::string_view protocol) override {
        m_collector.addForeign(connection, protocol);
    }
    void tlsSeen(const Connection& connection, KafkaConnectionId, const TlsFacts& facts) override {
        m_collector.addTls(connection, facts);
    }
    void bytesPassedOver(KafkaConnectionId, Side, std::uint64_t count, Hole hole) override {
        m_collector.addPassedOver(count, hole);
    }

    TrafficSummary summary() const { return m_collector.summary(); }

  private:
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    TopicNames m_names; // for the filter
    ExchangeFilter m_filter;
    SummaryCollector m_collector;
};

} // namespace

Ending runSummary(const Options& options, Console& console) {
    CaptureSession session(options, console);
    SummarySink sink(*console.protocol, session);
    if (!sink.compileFilter(options, console)) return Ending::Unusable;
    if (const Ending ending = session.open(options.arguments); ending != Ending::Done) return ending;
    const Ending ending = session.read(sink);
    if (ending == Ending::Unusable) return ending;
    const CaptureFrame frame{options.interfaces.empty() ? options.arguments : options.interfaces,
                             session.firstPacket(),
                             session.lastPacket(),
                             session.timeDigits(),
                             session.info(),
                             session.report()};
    if (options.format == Format::Ndjson)
        printSummaryJson(*console.protocol, sink.summary(), frame, console.out);
    else
        printSummaryScreen(sink.summary(), frame, options, console);
    return ending;
}

} // namespace brokerscope
