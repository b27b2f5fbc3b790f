// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/exchange_packets.h"

#include "cli/output/time_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

ExchangePackets::ExchangePackets(const Protocol& protocol, const CaptureSession& session)
    : m_protocol(protocol), m_session(session), m_facts(protocol), m_names(protocol), m_filter(protocol, m_names) {}

std::string ExchangePackets::comment(const ExchangeFacts& facts) const {
    std::string text = apiText(facts);
    if (facts.times)
        text += fmt::format(" {}", durationText(facts.times->total));
    else if (facts.exchange->status != ExchangeStatus::Paired)
        text += fmt::format(" {}", name(facts.exchange->status));
    std::int16_t last = 0;
    for (const ErrorAt& error : facts.response.errors) {
        const ErrorCode* code = m_protocol.error(error.code);
        if (error.code != last) text += code ? fmt::format(" {}", code->name) : fmt::format(" error {}", error.code);
        last = error.code;
    }
    return text;
}

void ExchangePackets::exchangeEnded(Exchange&& exchange) {
    const ExchangeFacts& facts = m_facts.read(exchange);
    ++m_seen;
    if (m_filter.active()) m_names.learn(exchange);
    if (!m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response)) return;
    ++m_exchanges;
    m_connections.insert(exchange.tcpConnection);
    bool first = true;
    for (const auto* frame : {&exchange.request, &exchange.response}) {
        if (!*frame) continue;
        packetsOf(**frame, m_scratch);
        if (m_scratch.empty()) continue;
        m_packets.insert(m_packets.end(), m_scratch.begin(), m_scratch.end());
        if (std::exchange(first, false)) m_comments[m_scratch.front()].push_back(comment(facts));
    }
}

void ExchangePackets::tlsSeen(const Connection& connection, KafkaConnectionId, const TlsFacts&) {
    m_tls.insert(connection.id);
}

void ExchangePackets::connectionEnded(const Connection& connection, KafkaConnectionId) {
    if (m_connections.erase(connection.id) == 0) {
        m_tls.erase(connection.id);
        return;
    }
    const ConnectionFacts* facts = m_session.facts(connection.id);
    Span span{connection.start, facts ? facts->lastTime : Timestamp::max()};
    if (facts) span.begin = std::min(span.begin, facts->firstTime);
    span.whole = m_tls.erase(connection.id) != 0;
    span.shaking = connection.handshakeSeen;
    span.opener = connection.first;
    m_spans[flowOf(connection.first, connection.second)].push_back(span);
}

void ExchangePackets::prepare() {
    std::ranges::sort(m_packets);
    const auto twice = std::ranges::unique(m_packets);
    m_packets.erase(twice.begin(), twice.end());
}

bool ExchangePackets::framesConnection(const Packet& packet) {
    if (decodePacket(packet, m_decoded) != PacketKind::Tcp) return false;
    const Segment& segment = m_decoded.segment;
    const auto found = m_spans.find(flowOf(segment.source, segment.destination));
    if (found == m_spans.end()) return false;
    const auto span = std::ranges::find_if(
        found->second, [&](const Span& each) { return each.begin <= packet.time && packet.time <= each.end; });
    if (span == found->second.end()) return false;
    if (span->whole || segment.has(Segment::kSyn) || segment.has(Segment::kFin) || segment.has(Segment::kRst))
        return true;
    return segment.source == span->opener && std::exchange(span->shaking, false);
}

bool ExchangePackets::take(const Packet& packet, std::vector<std::string_view>& comments) {
    const auto own = m_comments.find(packet.number.value);
    if (own != m_comments.end()) comments.insert(comments.end(), own->second.begin(), own->second.end());
    const bool frames = framesConnection(packet);
    return frames || std::ranges::binary_search(m_packets, packet.number.value);
}

} // namespace brokerscope
