// SPDX-License-Identifier: Apache-2.0
// Transactions: how long they stay open, how many are aborted. A transaction begins with its first AddPartitionsToTxn
// or, since KIP-890, with its first batch; it ends with the answer to EndTxn.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/records/record_set.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

using enum FindingId;

class TransactionRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        m_now = std::max(m_now, seen.exchange().start());
        const std::string& id = seen.facts().request.transactionalId;
        if (id.empty()) return;
        Producer* producer = m_producers[id];
        if (!producer) return;
        producer->client = seen.client();
        if (seen.is(apikey::EndTxn)) return end(id, *producer, seen, report);
        const bool begins = (seen.is(apikey::AddPartitionsToTxn) || seen.is(apikey::Produce) ||
                             seen.is(apikey::AddOffsetsToTxn) || seen.is(apikey::TxnOffsetCommit)) &&
                            seen.facts().response.errors.empty();
        if (begins && !producer->open) {
            producer->open = true;
            producer->begin = {};
            producer->begin.add(seen.exchange());
        }
    }

    void finish(FindingReport& report) override {
        for (auto& [id, producer] : m_producers) {
            if (producer.open) tooLong(report, id, producer, m_now, "is still open at the end of the capture");
            if (producer.aborts.count == 0) continue;
            const bool many = producer.aborts.count >= manyAborts && producer.aborts.count * 5 >= producer.ended;
            report.add(AbortedTransactions, subject(id, producer),
                       fmt::format("{} of {} aborted", producer.aborts.count, counted(producer.ended, "transaction")),
                       producer.aborts, many ? std::nullopt : std::optional(Severity::Note));
        }
    }

  private:
    static constexpr std::uint64_t manyAborts = 5;
    static constexpr Duration longOpen = std::chrono::seconds(30);
    struct Producer {
        std::string client;
        bool open = false;
        Occurrences begin, aborts;
        std::uint64_t ended = 0;
    };

    static std::string subject(const std::string& id, const Producer& producer) {
        return fmt::format("transactional id \"{}\", {}", id, producer.client);
    }

    static void end(const std::string& id, Producer& producer, SeenExchange& seen, FindingReport& report) {
        if (!seen.exchange().response || !seen.facts().response.errors.empty()) return;
        if (producer.open) tooLong(report, id, producer, seen.exchange().start(), "was open");
        producer.open = false;
        ++producer.ended;
        if (seen.request()["committed"].number(0) == 0) producer.aborts.add(seen.exchange());
    }

    static void tooLong(FindingReport& report, const std::string& id, const Producer& producer, Timestamp until,
                        std::string_view how) {
        const Duration open = until - producer.begin.first;
        const bool stillOpen = until != producer.begin.first && how != "was open";
        if (open < longOpen && !stillOpen) return;
        report.add(OpenTransaction, subject(id, producer),
                   fmt::format("a transaction {}, {} after its begin", how, spanWords(open)), producer.begin,
                   open < longOpen ? std::optional(Severity::Note) : std::nullopt);
    }

    Slots<std::string, Producer> m_producers;
    Timestamp m_now{};
};

} // namespace

void addTransactionRules(FindingRules& rules) {
    rules.push_back(std::make_unique<TransactionRule>());
}

} // namespace brokerscope
