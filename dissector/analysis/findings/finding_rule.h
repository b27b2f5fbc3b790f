// SPDX-License-Identifier: Apache-2.0
// What a rule is: it is shown every exchange and every connection, and reports what it makes of them, at once or when
// all was seen. Rules know nothing of each other; a bound on what one remembers is part of it (see Slots).
//
// Bytes: what a rule is shown is good until the call returns. Threads: one.
#pragma once

#include "capture/types/connection_facts.h"
#include "capture/types/tls_facts.h"
#include "dissector/analysis/api_keys.h"
#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/findings/finding_report.h"
#include "dissector/analysis/record_sets.h"
#include "dissector/analysis/topic_names.h"

#include <memory>
#include <string>
#include <vector>

namespace brokerscope {

// An exchange as rules see it: bodies are decoded when the first of them asks.
class SeenExchange {
  public:
    SeenExchange(const Protocol& protocol, const TopicNames& names)
        : m_protocol(protocol), m_names(names), m_bodies(protocol) {}

    void assign(const ExchangeFacts& facts);

    const Exchange& exchange() const { return *m_facts->exchange; }
    const ExchangeFacts& facts() const { return *m_facts; }
    std::int16_t api() const { return exchange().header ? exchange().header->apiKey : std::int16_t{-1}; }
    bool is(std::int16_t key) const { return api() == key; }
    bool answered() const { return exchange().response.has_value() && m_facts->times.has_value(); }
    // What the broker did not wait by design; zero without an answer.
    Duration work() const;

    FieldView request() { return m_bodies.request(); } // empty where there is none
    FieldView response() { return m_bodies.response(); }
    const DecodedMessage& decodedRequest() { return m_bodies.message(Direction::Request); }
    const DecodedMessage& decodedResponse() { return m_bodies.message(Direction::Response); }
    const std::vector<RecordSetPlace>& requestRecords() { return records(m_requestRecords, Direction::Request); }
    const std::vector<RecordSetPlace>& responseRecords() { return records(m_responseRecords, Direction::Response); }

    // For people. client(): 'client "c1" (10.77.0.2)'.
    std::string client() const;
    std::string broker() const { return toString(exchange().broker); }
    std::string apiName() const { return m_facts->api ? m_facts->api->name : "an unknown api"; }
    std::string topicOf(const FieldView& view) const; // by "name", "topic" or "topicId"
    std::string topicOf(const RecordSetPlace& place) const;
    const Protocol& protocol() const { return m_protocol; }

  private:
    struct Records {
        std::vector<RecordSetPlace> places;
        bool searched = false;
    };
    const std::vector<RecordSetPlace>& records(Records& of, Direction direction);

    const Protocol& m_protocol;
    const TopicNames& m_names;
    const ExchangeFacts* m_facts = nullptr;
    ExchangeBodies m_bodies;
    Records m_requestRecords, m_responseRecords;
};

struct SeenConnection {
    const Connection& connection;
    KafkaConnectionId kafka;                // none: not Kafka
    const ConnectionFacts* facts = nullptr; // null: nobody counted
};

class FindingRule {
  public:
    virtual ~FindingRule() = default;
    virtual void exchange(SeenExchange&, FindingReport&) {}
    virtual void connection(const SeenConnection&, FindingReport&) {} // when it is over
    virtual void foreign(const Connection&, std::string_view /*protocol*/, FindingReport&) {}
    virtual void tls(const Connection&, const TlsFacts&, FindingReport&) {}
    virtual void passedOver(KafkaConnectionId, std::uint64_t /*bytes*/, Hole, FindingReport&) {}
    virtual void finish(FindingReport&) {}
};

using FindingRules = std::vector<std::unique_ptr<FindingRule>>;

// Each of these lives in the unit of its name.
void addErrorRules(FindingRules& rules);
void addConnectionRules(FindingRules& rules);
void addListenerRules(FindingRules& rules);
void addTlsRules(FindingRules& rules);
void addVersionRules(FindingRules& rules);
void addLatencyRules(FindingRules& rules);
void addProducerRules(FindingRules& rules);
void addBatchRules(FindingRules& rules);
void addTransactionRules(FindingRules& rules);
void addConsumerRules(FindingRules& rules);
void addGroupRules(FindingRules& rules);
void addClusterRules(FindingRules& rules);

// "12 s", "1.5 ms", "870 µs": what durationWords() says, and below a millisecond too.
std::string spanWords(Duration duration);
// "1 request", "1,204 requests".
std::string counted(std::uint64_t count, std::string_view noun);

} // namespace brokerscope
