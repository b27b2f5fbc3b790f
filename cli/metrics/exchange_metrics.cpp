// SPDX-License-Identifier: Apache-2.0
#include "cli/metrics/exchange_metrics.h"

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>

namespace brokerscope {
namespace {

using Counters = prometheus::Family<prometheus::Counter>;
using Histograms = prometheus::Family<prometheus::Histogram>;

// The values that one label has had; those that come too late are "other".
class LabelValues {
  public:
    std::string of(const std::string& value) {
        if (m_values.contains(value)) return value;
        if (m_values.size() >= ExchangeMetrics::mostValues) return "other";
        m_values.insert(value);
        return value;
    }

  private:
    std::set<std::string> m_values;
};

// From a tenth of a millisecond to a minute, each about three times the one before.
const prometheus::Histogram::BucketBoundaries buckets = {0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1,
                                                         0.3,    1,      3,     10,    30,   60};

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

} // namespace

struct ExchangeMetrics::Content {
    std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
    std::unique_ptr<prometheus::Exposer> exposer;

    Counters& counters(const char* name, const char* help) {
        return prometheus::BuildCounter().Name(name).Help(help).Register(*registry);
    }
    Counters& exchanges = counters("brokerscope_exchanges_total", "Kafka exchanges seen, by status.");
    Counters& errors = counters("brokerscope_errors_total", "Exchanges whose answer holds this error code.");
    Counters& requestBytes = counters("brokerscope_request_bytes_total", "Bytes of requests, lengths included.");
    Counters& responseBytes = counters("brokerscope_response_bytes_total", "Bytes of responses, lengths included.");
    Counters& clients = counters("brokerscope_client_exchanges_total", "Kafka exchanges seen, by client id.");
    Counters& throttle = counters("brokerscope_throttle_seconds_total", "ThrottleTimeMs of answers, added up.");
    Counters& topics = counters("brokerscope_topic_exchanges_total", "Exchanges that name the topic.");
    Counters& connections = counters("brokerscope_connections_total", "Kafka connections that ended.");
    Counters& foreign = counters("brokerscope_foreign_connections_total", "Connections that are not Kafka.");
    Counters& lost = counters("brokerscope_lost_bytes_total", "Bytes of Kafka streams that were not captured.");
    Histograms& wait = prometheus::BuildHistogram()
                           .Name("brokerscope_wait_seconds")
                           .Help("From a request's last byte to its answer's first, less what the broker waited by "
                                 "design (long polls, rebalances, throttling).")
                           .Register(*registry);
    LabelValues brokers, clientIds, topicNames, errorNames, apis;
};

ExchangeMetrics::ExchangeMetrics(const Protocol& protocol)
    : m_protocol(protocol), m_content(std::make_unique<Content>()) {}

ExchangeMetrics::~ExchangeMetrics() = default;

void ExchangeMetrics::add(const ExchangeFacts& facts) {
    Content& all = *m_content;
    const Exchange& exchange = *facts.exchange;
    const std::string api = all.apis.of(facts.api ? facts.api->name : "unknown");
    const std::string broker = all.brokers.of(toString(exchange.broker));
    all.exchanges.Add({{"api", api}, {"broker", broker}, {"status", std::string(name(exchange.status))}}).Increment();
    if (exchange.request)
        all.requestBytes.Add({{"api", api}, {"broker", broker}}).Increment(exchange.request->bytes.size());
    if (exchange.response)
        all.responseBytes.Add({{"api", api}, {"broker", broker}}).Increment(exchange.response->bytes.size());
    if (facts.times)
        all.wait.Add({{"api", api}, {"broker", broker}}, buckets)
            .Observe(seconds(facts.times->wait - facts.waited.duration));
    std::set<std::int16_t> codes;
    for (const ErrorAt& error : facts.response.errors)
        codes.insert(error.code);
    for (const std::int16_t code : codes) {
        const ErrorCode* error = m_protocol.error(code);
        const std::string name = all.errorNames.of(error ? error->name : fmt::format("{}", code));
        all.errors.Add({{"api", api}, {"error", name}}).Increment();
    }
    if (!exchange.header) return;
    const std::string client = all.clientIds.of(exchange.header->clientId.value_or(""));
    all.clients.Add({{"client_id", client}}).Increment();
    if (const std::int32_t throttle = facts.response.throttleMs.value_or(0); throttle > 0)
        all.throttle.Add({{"client_id", client}}).Increment(throttle / 1e3);
    for (const std::string& topic : facts.topical().topics)
        all.topics.Add({{"api", api}, {"topic", all.topicNames.of(topic)}}).Increment();
}

void ExchangeMetrics::addForeign(std::string_view protocol) {
    m_content->foreign.Add({{"protocol", protocol.empty() ? "unknown" : std::string(protocol)}}).Increment();
}

void ExchangeMetrics::addLost(std::uint64_t bytes) {
    m_content->lost.Add({}).Increment(static_cast<double>(bytes));
}

void ExchangeMetrics::addConnection() {
    m_content->connections.Add({}).Increment();
}

std::string ExchangeMetrics::text() const {
    return prometheus::TextSerializer().Serialize(m_content->registry->Collect());
}

std::optional<std::string> ExchangeMetrics::listen(const std::string& address) {
    constexpr std::size_t threads = 1;
    try {
        m_content->exposer = std::make_unique<prometheus::Exposer>(address, threads);
    } catch (const std::exception&) { // the web server's own way to say it; it does not tell why
        return fmt::format(
            "--metrics-listen cannot listen on {}: give ADDRESS:PORT of this machine, a port that is free", address);
    }
    m_content->exposer->RegisterCollectable(m_content->registry);
    return std::nullopt;
}

std::optional<std::string> ExchangeMetrics::writeTo(const std::string& path) const {
    const std::string fresh = path + ".new";
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << text();
    out.close();
    if (out && std::rename(fresh.c_str(), path.c_str()) == 0) return std::nullopt;
    return fmt::format("--metrics-file {} cannot be written: {}", path, std::strerror(errno));
}

} // namespace brokerscope
