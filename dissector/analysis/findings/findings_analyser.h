// SPDX-License-Identifier: Apache-2.0
// All rules at once: what `check` and the window feed with the exchanges and connections of a capture.
//
// Memory:  what the rules remember, each within its own bound (Slots: at most 1,000 subjects a rule unless said there),
//          and the report's bound: some 30 MB at the very most, whatever is read.
// Bytes:   nothing of an exchange is kept. Threads: one.
#pragma once

#include "dissector/analysis/findings/finding_rule.h"

#include <vector>

namespace brokerscope {

class FindingsAnalyser {
  public:
    explicit FindingsAnalyser(const Protocol& protocol);

    void add(const ExchangeFacts& facts);
    void addConnection(const SeenConnection& connection);
    void addForeign(const Connection& connection, std::string_view protocol);
    void addTls(const Connection& connection, const TlsFacts& facts);
    void addPassedOver(KafkaConnectionId connection, std::uint64_t bytes, Hole hole);

    // Call once, when all was added.
    std::vector<Finding> finish();
    std::uint64_t leftOut() const { return m_report.leftOut(); }

  private:
    TopicNames m_names;
    SeenExchange m_seen;
    FindingRules m_rules;
    FindingReport m_report;
};

} // namespace brokerscope
