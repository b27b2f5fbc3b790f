// SPDX-License-Identifier: Apache-2.0
// Counts what passes on its way to a command's own sink, and keeps the file of --metrics-file fresh.
// Threads: one.
#pragma once

#include "cli/metrics/exchange_metrics.h"
#include "dissector/exchange/exchange.h"

#include <chrono>
#include <memory>

namespace brokerscope {

class MetricsSink final : public ExchangeSink {
  public:
    // Null: something was wrong with the options, which was said.
    static std::unique_ptr<MetricsSink> make(ExchangeSink& next, const Options& options, const Console& console);

    void finish(); // writes the file a last time

    void exchangeStarted(ExchangeId id, Timestamp time) override { m_next.exchangeStarted(id, time); }
    void requestSeen(const Exchange& exchange) override { m_next.requestSeen(exchange); }
    void exchangeEnded(Exchange&& exchange) override;
    void foreignConnection(const Connection& connection, std::string_view protocol) override;
    void bytesPassedOver(KafkaConnectionId connection, Side side, std::uint64_t count, Hole hole) override;
    void tlsSeen(const Connection& connection, KafkaConnectionId kafka, const TlsFacts& facts) override {
        m_next.tlsSeen(connection, kafka, facts);
    }
    void connectionEnded(const Connection& connection, KafkaConnectionId kafka) override;

  private:
    MetricsSink(ExchangeSink& next, const Options& options, const Console& console)
        : m_next(next), m_options(options), m_console(console), m_metrics(*console.protocol),
          m_facts(*console.protocol) {}
    void write();

    ExchangeSink& m_next;
    const Options& m_options;
    const Console& m_console;
    ExchangeMetrics m_metrics;
    ExchangeFactsReader m_facts;
    std::chrono::steady_clock::time_point m_written = std::chrono::steady_clock::now();
    bool m_failed = false;
};

} // namespace brokerscope
