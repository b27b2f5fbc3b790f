// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/exchange_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

int ExchangeFacts::timeDigits() const {
    const auto& frame = exchange->request ? exchange->request : exchange->response;
    return frame && !frame->bytes.empty() ? frame->bytes.pieces().front().slice.timeDigits : 6;
}

const ExchangeFacts& ExchangeFactsReader::read(const Exchange& exchange) {
    m_facts.protocol = &m_protocol;
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

std::vector<std::string_view> problemKinds(const ExchangeFacts& facts) {
    std::vector<std::string_view> kinds;
    for (const auto* list : {&facts.exchange->problems, &facts.request.problems, &facts.response.problems})
        for (const Problem& problem : *list)
            if (const auto kind = row(problem.kind).name; std::ranges::find(kinds, kind) == kinds.end())
                kinds.push_back(kind);
    return kinds;
}

void packetsOf(const Frame& frame, std::vector<std::uint64_t>& out) {
    out.clear();
    bool ordered = true;
    for (const ByteChain::Piece& piece : frame.bytes.pieces()) {
        const std::uint64_t packet = piece.slice.packet.value;
        const bool none = !piece.slice.packet || piece.slice.hole == Hole::Lost; // not in the capture
        if (none || (!out.empty() && out.back() == packet)) continue;
        ordered = ordered && (out.empty() || out.back() < packet);
        out.push_back(packet);
    }
    if (ordered) return;
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

} // namespace brokerscope
