// SPDX-License-Identifier: Apache-2.0
// How producers send: acknowledgements, requests in flight, sizes. What is inside the batches is batch_rules' part.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"
#include "dissector/records/record_set.h"

#include <fmt/format.h>

#include <deque>

namespace brokerscope {
namespace {

using enum FindingId;

class AcksRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        if (!seen.is(apikey::Produce) || seen.facts().request.acks != std::int16_t{0}) return;
        report.see(AcksZero, seen.client(), seen.exchange(), "Produce requests with acks=0");
    }
};

class InFlightRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        const Exchange& exchange = seen.exchange();
        if (!seen.is(apikey::Produce) || !exchange.request || !exchange.response) return;
        Connection* connection = m_connections[exchange.connection];
        if (!connection) return;
        std::deque<Timestamp>& ends = connection->ends;
        std::erase_if(ends, [&](Timestamp end) { return end <= exchange.request->begin; });
        ends.push_back(exchange.response->end);
        if (ends.size() > mostRemembered) ends.pop_front();
        if (ends.size() <= allowed || !idempotent(seen)) return;
        connection->client = seen.client();
        connection->broker = seen.broker();
        connection->over.add(exchange);
        connection->most = std::max(connection->most, ends.size());
    }
    void connection(const SeenConnection& seen, FindingReport& report) override {
        const Connection* connection = m_connections.find(seen.kafka);
        if (!connection) return;
        if (connection->over.count != 0)
            report.add(TooManyInFlight,
                       fmt::format("{} at {}, connection {}", connection->client, connection->broker, seen.kafka.value),
                       fmt::format("up to {} Produce requests at once", connection->most), connection->over);
        m_connections.erase(seen.kafka);
    }

  private:
    static constexpr std::size_t allowed = 5, mostRemembered = 1000;
    struct Connection {
        std::deque<Timestamp> ends; // of the answers to requests that were open at the last one
        Occurrences over;
        std::string client, broker;
        std::size_t most = 0;
    };

    static bool idempotent(SeenExchange& seen) {
        RecordSetReader reader;
        for (const RecordSetPlace& place : seen.requestRecords()) {
            reader.open(seen.exchange().request->bytes, place.begin, place.end);
            if (reader.nextBatch() && reader.batch().producerId >= 0) return true;
        }
        return false;
    }

    Slots<KafkaConnectionId, Connection> m_connections;
};

class RequestSizeRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        const Exchange& exchange = seen.exchange();
        if (!exchange.request || exchange.request->bytes.size() <= limit) return;
        report.see(RequestOverLimit, fmt::format("{} at {}", seen.client(), seen.broker()), exchange,
                   fmt::format("a {} of {}", seen.apiName(), sizeWords(exchange.request->bytes.size())));
    }

  private:
    static constexpr std::uint32_t limit = 100u << 20; // socket.request.max.bytes, its default
};

} // namespace

void addProducerRules(FindingRules& rules) {
    rules.push_back(std::make_unique<AcksRule>());
    rules.push_back(std::make_unique<InFlightRule>());
    rules.push_back(std::make_unique<RequestSizeRule>());
}

} // namespace brokerscope
