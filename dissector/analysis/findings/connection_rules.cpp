// SPDX-License-Identifier: Apache-2.0
// How connections begin and end, what was left unanswered on them, and what TCP had to do.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <set>

namespace brokerscope {
namespace {

using enum FindingId;

bool mayWaitLong(std::int16_t api) {
    using namespace apikey;
    return api == Fetch || api == ShareFetch || api == JoinGroup || api == SyncGroup;
}

// Requests without an answer, judged when the connection is over: only then it is known who ended it.
class UnansweredRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        const Exchange& exchange = seen.exchange();
        if (exchange.status != ExchangeStatus::Unanswered) return;
        if (exchange.reason == NoAnswerReason::LostBytes) return;
        if (exchange.reason == NoAnswerReason::ConnectionClosed || exchange.reason == NoAnswerReason::ConnectionReset) {
            Left* left = m_left[exchange.connection];
            if (!left) return;
            left->occurrences.add(exchange);
            left->apis.add(seen.apiName());
            left->client = seen.client();
            left->clientEnd = exchange.client;
            left->broker = seen.broker();
            left->reset = exchange.reason == NoAnswerReason::ConnectionReset;
            left->onlyWaiting = left->onlyWaiting && mayWaitLong(seen.api());
            return;
        }
        PassedOver* over = m_passedOver[exchange.connection];
        if (!over) return;
        over->occurrences.add(exchange);
        over->apis.add(fmt::format("{} v{}", seen.apiName(), seen.facts().version()));
        over->subject = fmt::format("{} at {}, connection {}", seen.client(), seen.broker(), exchange.connection.value);
    }

    void connection(const SeenConnection& seen, FindingReport& report) override {
        tellPassedOver(seen, report);
        Left* left = m_left.find(seen.kafka);
        if (!left) return;
        const Side client = seen.connection.first == left->clientEnd ? Side::First : Side::Second;
        const bool byBroker = seen.facts && seen.facts->from(other(client)).resets > 0;
        const bool byClient = seen.facts && seen.facts->from(client).resets > 0;
        std::string who = left->reset ? "the connection was reset" : "the connection was closed";
        if (byBroker != byClient) who += byBroker ? " by the broker" : " by the client";
        // A client that goes away does not wait for its long poll; one that closes in order waits for nothing.
        const bool leaving = !byBroker && (left->onlyWaiting || (byClient && !left->reset));
        report.add(left->reset ? RequestsReset : RequestsClosed,
                   fmt::format("{} at {}, connection {}", left->client, left->broker, seen.kafka.value),
                   fmt::format("{} while {} ({}) waited", who, counted(left->occurrences.count, "request"),
                               left->apis.joined()),
                   left->occurrences, leaving ? std::optional(Severity::Note) : std::nullopt);
        m_left.erase(seen.kafka);
    }

  private:
    // Where the capture begins inside a connection, answers may have been taken for those of other requests: a hint.
    void tellPassedOver(const SeenConnection& seen, FindingReport& report) {
        const PassedOver* over = m_passedOver.find(seen.kafka);
        if (!over) return;
        report.add(FindingId::Unanswered, over->subject,
                   fmt::format("{} ({}) got no answer, while later ones of the connection did{}",
                               counted(over->occurrences.count, "request"), over->apis.joined(),
                               seen.connection.handshakeSeen ? "" : "; the capture begins inside the connection"),
                   over->occurrences, seen.connection.handshakeSeen ? std::nullopt : std::optional(Severity::Note));
        m_passedOver.erase(seen.kafka);
    }

    struct PassedOver {
        Occurrences occurrences;
        FewTexts apis;
        std::string subject;
    };
    struct Left {
        Occurrences occurrences;
        FewTexts apis;
        std::string client, broker;
        Endpoint clientEnd;
        bool reset = false, onlyWaiting = true;
    };
    Slots<KafkaConnectionId, Left> m_left;
    Slots<KafkaConnectionId, PassedOver> m_passedOver;
};

// Connections that never came to be. Only those to places where Kafka is known to be are Kafka's business.
class FailedConnectRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (m_brokerPorts.size() < mostPorts) m_brokerPorts.insert(seen.exchange().broker.port);
    }

    void connection(const SeenConnection& seen, FindingReport&) override {
        if (seen.kafka || !seen.facts || !seen.connection.handshakeSeen) return;
        const StreamFacts& client = seen.facts->from(Side::First);
        const StreamFacts& server = seen.facts->from(Side::Second);
        if (client.bytes != 0 || server.bytes != 0 || seen.facts->synToSynAck) return;
        const bool refused = server.resets > 0;
        if (!refused && server.packets > 0) return;
        Failed* failed = m_failed[{seen.connection.second, seen.connection.first.address, refused}];
        if (!failed) return;
        ++failed->occurrences.count;
        failed->packets += client.packets;
        failed->occurrences.at(seen.connection.start);
        failed->occurrences.at(seen.facts->lastTime);
    }

    void finish(FindingReport& report) override {
        constexpr std::array<std::uint16_t, 4> usualPorts{9092, 9093, 9094, 9095};
        for (auto& [key, failed] : m_failed) {
            const auto& [server, client, refused] = key;
            const bool kafka =
                m_brokerPorts.contains(server.port) || std::ranges::find(usualPorts, server.port) != usualPorts.end();
            if (!kafka) continue;
            std::string times = counted(failed.occurrences.count, "attempt");
            if (failed.occurrences.count > 1) times += fmt::format(" within {}", spanWords(failed.occurrences.span()));
            report.add(refused ? ConnectionRefused : ConnectionTimeout,
                       fmt::format("{} to {}", toString(client), toString(server)),
                       refused ? fmt::format("{}, answered with RST", times)
                               : fmt::format("{}, {} without an answer", times, counted(failed.packets, "SYN")),
                       failed.occurrences);
        }
    }

  private:
    static constexpr std::size_t mostPorts = 1000;
    struct Failed {
        Occurrences occurrences;
        std::uint64_t packets = 0;
    };
    struct Key {
        Endpoint server;
        Address client;
        bool refused = false;
        auto operator<=>(const Key&) const = default;
    };
    Slots<Key, Failed> m_failed;
    std::set<std::uint16_t> m_brokerPorts;
};

// Many short connections of one client to one broker.
class ReconnectRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (Open* open = m_open[seen.exchange().connection]) {
            ++open->exchanges;
            open->client = seen.exchange().client.address;
            open->broker = seen.exchange().broker;
            if (open->name.empty()) open->name = seen.client();
            if (open->first.value == 0) open->first = seen.exchange().id;
        }
    }

    void connection(const SeenConnection& seen, FindingReport&) override {
        const Open* found = m_open.find(seen.kafka);
        if (!found) return;
        const Open open = *found;
        m_open.erase(seen.kafka);
        const Timestamp end = seen.facts ? seen.facts->lastTime : seen.connection.start;
        if (open.exchanges > fewExchanges || end - seen.connection.start > shortLife) return;
        if (Short* shorts = m_shorts[{open.client, open.broker}]) {
            shorts->name = open.name;
            ++shorts->all.count;
            shorts->all.at(seen.connection.start);
            if (shorts->all.exchanges.size() < Occurrences::most) shorts->all.exchanges.push_back(open.first);
            shorts->recent.push_back(seen.connection.start);
            while (shorts->recent.back() - shorts->recent.front() > window)
                shorts->recent.pop_front();
            shorts->densest = std::max(shorts->densest, shorts->recent.size());
            if (shorts->recent.size() > mostRecent) shorts->recent.pop_front();
        }
    }

    void finish(FindingReport& report) override {
        for (auto& [key, shorts] : m_shorts) {
            if (shorts.densest < many) continue;
            report.add(ReconnectLoop, fmt::format("{} at {}", shorts.name, toString(key.second)),
                       fmt::format("{} of at most {} each within {}, {} of them in 30 s",
                                   counted(shorts.all.count, "connection"), counted(fewExchanges, "exchange"),
                                   spanWords(shorts.all.span()), shorts.densest),
                       shorts.all);
        }
    }

  private:
    static constexpr std::uint64_t fewExchanges = 4;
    static constexpr Duration shortLife = std::chrono::seconds(5), window = std::chrono::seconds(30);
    static constexpr std::size_t many = 20, mostRecent = 1000;
    struct Open {
        std::uint64_t exchanges = 0;
        Address client;
        Endpoint broker;
        std::string name;
        ExchangeId first;
    };
    struct Short {
        std::string name;
        Occurrences all;
        std::deque<Timestamp> recent;
        std::size_t densest = 0;
    };
    Slots<KafkaConnectionId, Open, 10'000> m_open;
    Slots<std::pair<Address, Endpoint>, Short> m_shorts;
};

// What the TCP headers tell of Kafka connections.
class TcpRule final : public FindingRule {
  public:
    void connection(const SeenConnection& seen, FindingReport& report) override {
        if (!seen.kafka || !seen.facts) return;
        for (const Side side : {Side::First, Side::Second}) {
            const StreamFacts& sent = seen.facts->from(side);
            const std::string from = toString(seen.connection.end(side)),
                              to = toString(seen.connection.end(other(side)));
            if (sent.zeroWindows >= fewZeroWindows)
                report.see(ZeroWindow, fmt::format("{} (connection {}, from {})", from, seen.kafka.value, to),
                           seen.facts->lastTime, counted(sent.zeroWindows, "packet") + " said that there is no room");
            const std::uint64_t again = sent.retransmittedSegments;
            if (again >= fewRetransmissions && again * 100 >= sent.packets)
                report.see(Retransmissions, fmt::format("{} to {} (connection {})", from, to, seen.kafka.value),
                           seen.facts->lastTime,
                           fmt::format("{} of {} sent again ({:.1f} %), {}", again, counted(sent.packets, "packet"),
                                       100.0 * static_cast<double>(again) / sent.packets,
                                       sizeWords(sent.retransmittedBytes)));
        }
        // Without a handshake the round trip is an upper bound, in which acknowledgements may have been put off.
        const bool handshake = seen.facts->synToSynAck && seen.facts->synAckToAck;
        if (const auto trip = seen.facts->roundTrip(); handshake && *trip >= longTrip)
            report.see(
                LongRoundTrip,
                fmt::format("{} to {}", toString(seen.connection.first.address), toString(seen.connection.second)),
                seen.connection.start, "the TCP handshake took " + spanWords(*trip),
                *trip >= veryLongTrip ? Severity::Warning : Severity::Note);
    }

  private:
    static constexpr std::uint32_t fewZeroWindows = 3;
    static constexpr std::uint64_t fewRetransmissions = 5;
    static constexpr Duration longTrip = std::chrono::milliseconds(20), veryLongTrip = std::chrono::milliseconds(250);
};

// Bytes that the capture lacks, and messages that do not decode though all of their bytes are there.
class DamageRule final : public FindingRule {
  public:
    void passedOver(KafkaConnectionId connection, std::uint64_t bytes, Hole hole, FindingReport&) override {
        if (hole != Hole::None)
            lack(bytes);
        else if (std::uint64_t* garbage = m_garbage[connection])
            *garbage += bytes;
    }

    // On a connection that is older than the capture they are the rest of a message that began before it.
    void connection(const SeenConnection& seen, FindingReport& report) override {
        const std::uint64_t* garbage = m_garbage.find(seen.kafka);
        if (!garbage) return;
        if (seen.connection.handshakeSeen)
            report.see(MalformedMessage,
                       fmt::format("{} to {}, connection {}", toString(seen.connection.first),
                                   toString(seen.connection.second), seen.kafka.value),
                       seen.connection.start, fmt::format("{} that are no Kafka message", counted(*garbage, "byte")));
        else
            lack(*garbage);
        m_garbage.erase(seen.kafka);
    }

    void exchange(SeenExchange& seen, FindingReport& report) override {
        const Exchange& exchange = seen.exchange();
        if (seen.facts().exchange->reason == NoAnswerReason::LostBytes) m_lacking.add(exchange);
        for (const auto& frame : {exchange.request, exchange.response})
            if (frame && frame->bytes.hasHoles()) {
                m_lacking.add(exchange);
                lack(frame->bytes.missingBytes());
            }
        for (const Skim* skim : {&seen.facts().request, &seen.facts().response})
            for (const Problem& problem : skim->problems)
                if (problem.kind == ProblemKind::Malformed)
                    report.see(MalformedMessage,
                               fmt::format("{} v{}, {}", seen.apiName(), seen.facts().version(), seen.client()),
                               exchange, fmt::format("{} {}", problem.at, problem.text));
    }

    void finish(FindingReport& report) override {
        if (m_bytes == 0 && m_lacking.count == 0) return;
        m_lacking.count = std::max<std::uint64_t>(m_lacking.count, 1);
        report.add(
            CaptureIncomplete, "the capture",
            fmt::format("{} are missing, were cut, or belong to messages begun before it", counted(m_bytes, "byte")),
            m_lacking);
    }

  private:
    void lack(std::uint64_t bytes) { m_bytes += bytes; }

    Occurrences m_lacking;
    std::uint64_t m_bytes = 0;
    Slots<KafkaConnectionId, std::uint64_t, 10'000> m_garbage;
};

} // namespace

void addConnectionRules(FindingRules& rules) {
    rules.push_back(std::make_unique<UnansweredRule>());
    rules.push_back(std::make_unique<FailedConnectRule>());
    rules.push_back(std::make_unique<ReconnectRule>());
    rules.push_back(std::make_unique<TcpRule>());
    rules.push_back(std::make_unique<DamageRule>());
}

} // namespace brokerscope
