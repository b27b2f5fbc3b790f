// SPDX-License-Identifier: Apache-2.0
// Which packets belong to the exchanges that a filter takes, for `export -Y`. Fed in a first reading of the capture,
// asked in a second one.
//
// Taken are all packets that carry a byte of such an exchange, and of their connections the handshake (SYN, SYN+ACK and
// the ACK behind them), FIN and RST. Of a TLS connection everything is taken: a part of it cannot be decrypted.
// The first packet of each exchange gets a comment: "Fetch v17 12.3 ms NOT_LEADER_OR_FOLLOWER".
//
// Memory: 8 bytes a packet taken, some 100 bytes an exchange and a connection. Threads: one.
#pragma once

#include "capture/link_layers.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/packet_export.h"
#include "cli/input/capture_session.h"
#include "dissector/analysis/exchange_facts.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace brokerscope {

class ExchangePackets final : public ReadingSink, public PacketChoice {
  public:
    ExchangePackets(const Protocol& protocol, const CaptureSession& session);

    bool compileFilter(const Options& options, const Console& console) { return m_filter.compile(options, console); }
    void exchangeEnded(Exchange&& exchange) override;
    void tlsSeen(const Connection& connection, KafkaConnectionId, const TlsFacts&) override;
    void connectionEnded(const Connection& connection, KafkaConnectionId) override;

    bool take(const Packet& packet, std::vector<std::string_view>& comments) override;

    std::uint64_t exchanges() const { return m_exchanges; }
    std::uint64_t seen() const { return m_seen; }
    // Stands between the two readings.
    void prepare();

  private:
    using Flow = std::pair<Endpoint, Endpoint>; // the lesser end first
    struct Span {                               // of a connection, as ports are used again
        Timestamp begin, end;
        bool whole = false;  // TLS
        bool shaking = true; // the ACK behind the SYNs is still to come
        Endpoint opener;     // who sends that ACK
    };
    static Flow flowOf(const Endpoint& a, const Endpoint& b) { return a < b ? Flow{a, b} : Flow{b, a}; }
    bool framesConnection(const Packet& packet);
    std::string comment(const ExchangeFacts& facts) const;

    const Protocol& m_protocol;
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    TopicNames m_names; // for the filter
    ExchangeFilter m_filter;
    std::uint64_t m_exchanges = 0, m_seen = 0;
    std::vector<std::uint64_t> m_packets; // sorted by prepare()
    std::map<std::uint64_t, std::vector<std::string>> m_comments;
    std::set<ConnectionId> m_connections, m_tls;
    std::map<Flow, std::vector<Span>> m_spans;
    std::vector<std::uint64_t> m_scratch;
    DecodedPacket m_decoded;
};

} // namespace brokerscope
