// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/analysis_sink.h"

namespace brokerscope {

AnalysisSink::AnalysisSink(const Options& options, Console& console, CaptureSession& session,
                           std::function<void(const ExchangeFacts&)> use)
    : m_options(options), m_console(console), m_session(session), m_use(std::move(use)), m_facts(*console.protocol),
      m_names(*console.protocol), m_filter(*console.protocol, m_names) {}

void AnalysisSink::exchangeEnded(Exchange&& exchange) {
    ++m_seen;
    const ExchangeFacts& facts = m_facts.read(exchange);
    if (m_filter.active()) m_names.learn(exchange);
    if (!m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response)) return;
    ++m_used;
    m_use(facts);
}

Ending AnalysisSink::run(const std::function<void()>& print) {
    if (!m_filter.compile(m_options, m_console)) return Ending::Unusable;
    if (const Ending ending = m_session.open(m_options.arguments); ending != Ending::Done) return ending;
    const Ending ending = m_session.read(*this);
    if (ending == Ending::Unusable) return ending;
    print();
    if (m_used == 0 && ending == Ending::Done)
        m_console.messages.note(m_seen == 0 ? m_session.nothingFound() : noneMatched(m_seen));
    return ending;
}

} // namespace brokerscope
