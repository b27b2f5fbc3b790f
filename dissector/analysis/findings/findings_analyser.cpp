// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/findings/findings_analyser.h"

namespace brokerscope {

FindingsAnalyser::FindingsAnalyser(const Protocol& protocol) : m_names(protocol), m_seen(protocol, m_names) {
    addErrorRules(m_rules);
    addConnectionRules(m_rules);
    addListenerRules(m_rules);
    addTlsRules(m_rules);
    addVersionRules(m_rules);
    addLatencyRules(m_rules);
    addProducerRules(m_rules);
    addBatchRules(m_rules);
    addTransactionRules(m_rules);
    addConsumerRules(m_rules);
    addGroupRules(m_rules);
    addClusterRules(m_rules);
}

void FindingsAnalyser::add(const ExchangeFacts& facts) {
    m_names.learn(*facts.exchange);
    m_seen.assign(facts);
    for (const auto& rule : m_rules)
        rule->exchange(m_seen, m_report);
}

void FindingsAnalyser::addConnection(const SeenConnection& connection) {
    for (const auto& rule : m_rules)
        rule->connection(connection, m_report);
}

void FindingsAnalyser::addForeign(const Connection& connection, std::string_view protocol) {
    for (const auto& rule : m_rules)
        rule->foreign(connection, protocol, m_report);
}

void FindingsAnalyser::addTls(const Connection& connection, const TlsFacts& facts) {
    for (const auto& rule : m_rules)
        rule->tls(connection, facts, m_report);
}

void FindingsAnalyser::addPassedOver(KafkaConnectionId connection, std::uint64_t bytes, Hole hole) {
    for (const auto& rule : m_rules)
        rule->passedOver(connection, bytes, hole, m_report);
}

std::vector<Finding> FindingsAnalyser::finish() {
    for (const auto& rule : m_rules)
        rule->finish(m_report);
    return m_report.findings();
}

} // namespace brokerscope
