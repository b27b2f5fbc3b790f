// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/exchange_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

int ExchangeFacts::timeDigits() const {
    const auto& frame = exchange->request ? exchange->request : exchange->response;
    return frame && !frame->bytes.empty() ? frame->bytes.pieces().front().slice.timeDigits : 6;
}

const ExchangeFacts& ExchangeFactsReader::read(const Exchange& exchange) {
    m_facts.exchange = &exchange;
    m_facts.api = exchange.header ? m_protocol.api(exchange.header->apiKey) : nullptr;
    m_facts.request.clear();
    m_facts.response.clear();
    m_facts.waited = {};
    if (exchange.header) {
        if (exchange.request)
            skimMessage(m_protocol, exchange.request->bytes, exchange.requestContext(), m_facts.request);
        if (exchange.response)
            skimMessage(m_protocol, exchange.response->bytes, exchange.responseContext(), m_facts.response);
    }
    m_facts.times = latency(exchange);
    if (m_facts.times) m_facts.waited = waitByDesign(exchange, *m_facts.times, m_facts.request, m_facts.response);
    return m_facts;
}

std::string apiText(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    if (exchange.status == ExchangeStatus::SaslToken) return "SASL token";
    if (!exchange.header) return "?";
    const std::int16_t version = facts.version();
    if (!facts.api) return fmt::format("key {} v{}", exchange.header->apiKey, version);
    return fmt::format("{}{} v{}{}", exchange.status == ExchangeStatus::Inferred ? "~" : "", facts.api->name, version,
                       facts.api->versions.contains(version) ? "" : "?");
}

std::vector<std::uint64_t> packetsOf(const Frame& frame) {
    std::vector<std::uint64_t> packets;
    for (const ByteChain::Piece& piece : frame.bytes.pieces())
        if (piece.slice.packet && piece.slice.hole != Hole::Lost) packets.push_back(piece.slice.packet.value);
    std::ranges::sort(packets);
    packets.erase(std::unique(packets.begin(), packets.end()), packets.end());
    return packets;
}

} // namespace brokerscope
