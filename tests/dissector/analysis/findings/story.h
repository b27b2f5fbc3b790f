// SPDX-License-Identifier: Apache-2.0
// Tells the rules a made-up story, exchange by exchange, and says what they found.
//
//     Story story;
//     story.exchange(Heartbeat, 4, R"({"groupId":"g"})", R"({"errorCode":25})");
//     EXPECT_EQ(story.severityOf(FindingId::MemberThrownOut), Severity::Warning);
#pragma once

#include "dissector/analysis/findings/findings_analyser.h"
#include "tests/support/message_writer.h"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

class Story {
  public:
    using Octets = std::vector<std::uint8_t>;

    // What the next exchanges are like.
    std::string clientId = "c1";
    Endpoint client = endpoint(1, 40000), broker = endpoint(11, 9092);
    std::uint64_t connection = 1;
    bool handshakeSeen = true;
    Duration gap = std::chrono::milliseconds(10); // between the begins of two exchanges
    Duration wait = std::chrono::milliseconds(1);
    Timestamp now{std::chrono::seconds{1'700'000'000}};

    static Endpoint endpoint(std::uint8_t last, std::uint16_t port) {
        Endpoint end;
        end.address.bytes = {10, 0, 0, last};
        end.port = port;
        return end;
    }

    void exchange(std::int16_t api, std::int16_t version, const std::string& request, const std::string& response) {
        Exchange made = begin(api, version, request);
        made.status = ExchangeStatus::Paired;
        made.response = frame(encodeMessage(api, version, Direction::Response, m_correlation, response), now + wait);
        add(made);
    }
    void unanswered(std::int16_t api, std::int16_t version, const std::string& request, NoAnswerReason reason) {
        Exchange made = begin(api, version, request);
        made.status = ExchangeStatus::Unanswered;
        made.reason = reason;
        add(made);
    }
    void withoutAnswer(std::int16_t api, std::int16_t version, const std::string& request) {
        Exchange made = begin(api, version, request);
        made.status = ExchangeStatus::NoResponseExpected;
        add(made);
    }
    // A connection is over; facts as TCP counted them.
    void connectionOver(const ConnectionFacts& facts = {}, bool kafka = true) {
        Connection over;
        over.id = ConnectionId{connection};
        over.first = client;
        over.second = broker;
        over.handshakeSeen = handshakeSeen;
        over.start = now;
        analyser.addConnection({over, kafka ? KafkaConnectionId{connection} : KafkaConnectionId{}, &facts});
    }
    Connection plainConnection() const {
        Connection made;
        made.first = client;
        made.second = broker;
        made.start = now;
        return made;
    }

    const std::vector<Finding>& findings() {
        if (!m_findings) m_findings = analyser.finish();
        return *m_findings;
    }
    // The gravest of this kind; nullopt: nothing of it was found.
    std::optional<Severity> severityOf(FindingId id) {
        std::optional<Severity> gravest;
        for (const Finding& finding : findings())
            if (finding.kind->id == id) gravest = std::max(gravest.value_or(finding.severity), finding.severity);
        return gravest;
    }
    const Finding* find(FindingId id) {
        for (const Finding& finding : findings())
            if (finding.kind->id == id) return &finding;
        return nullptr;
    }

    FindingsAnalyser analyser{Protocol::builtin()};

  private:
    Exchange begin(std::int16_t api, std::int16_t version, const std::string& request) {
        now += gap;
        ++m_correlation;
        Exchange made;
        made.id = ExchangeId{static_cast<std::uint64_t>(m_correlation)};
        made.connection = KafkaConnectionId{connection};
        made.client = client;
        made.broker = broker;
        made.header = RequestHeader{api, version, m_correlation, clientId};
        made.correlationId = m_correlation;
        made.responseVersion = version;
        made.request = frame(encodeMessage(api, version, Direction::Request, m_correlation, request, clientId), now);
        return made;
    }
    Frame frame(Octets octets, Timestamp time) {
        m_bytes.push_back(std::move(octets));
        Frame made;
        made.complete = true;
        made.append({m_bytes.back().data(), static_cast<std::uint32_t>(m_bytes.back().size()), Hole::None, 6,
                     PacketNumber{m_bytes.size()}, time});
        return made;
    }
    void add(const Exchange& made) { analyser.add(m_reader.read(made)); }

    std::int32_t m_correlation = 0;
    std::deque<Octets> m_bytes; // frames point into them
    ExchangeFactsReader m_reader{Protocol::builtin()};
    std::optional<std::vector<Finding>> m_findings;
};

} // namespace brokerscope
