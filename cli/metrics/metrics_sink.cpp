// SPDX-License-Identifier: Apache-2.0
#include "cli/metrics/metrics_sink.h"

namespace brokerscope {

std::unique_ptr<MetricsSink> MetricsSink::make(ExchangeSink& next, const Options& options, const Console& console) {
    std::unique_ptr<MetricsSink> sink(new MetricsSink(next, options, console));
    if (options.metricsListen.empty()) return sink;
    if (const auto failure = sink->m_metrics.listen(options.metricsListen)) {
        console.messages.error(*failure);
        return nullptr;
    }
    return sink;
}

void MetricsSink::write() {
    m_written = std::chrono::steady_clock::now();
    if (m_options.metricsFile.empty() || m_failed) return;
    if (const auto failure = m_metrics.writeTo(m_options.metricsFile)) {
        m_failed = true; // said once
        m_console.messages.error(*failure);
    }
}

void MetricsSink::finish() {
    write();
}

void MetricsSink::exchangeEnded(Exchange&& exchange) {
    constexpr auto writeEvery = std::chrono::seconds(10);
    m_metrics.add(m_facts.read(exchange));
    if (std::chrono::steady_clock::now() - m_written >= writeEvery) write();
    m_next.exchangeEnded(std::move(exchange));
}

void MetricsSink::foreignConnection(const Connection& connection, std::string_view protocol) {
    m_metrics.addForeign(protocol);
    m_next.foreignConnection(connection, protocol);
}

void MetricsSink::bytesPassedOver(KafkaConnectionId connection, Side side, std::uint64_t count, Hole hole) {
    if (hole != Hole::None) m_metrics.addLost(count);
    m_next.bytesPassedOver(connection, side, count, hole);
}

void MetricsSink::connectionEnded(const Connection& connection, KafkaConnectionId kafka) {
    if (kafka) m_metrics.addConnection();
    m_next.connectionEnded(connection, kafka);
}

} // namespace brokerscope
