// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/index_builder.h"

namespace brokerscope {

namespace {
constexpr std::uint32_t exchangesBetweenNames = 256;
} // namespace

void IndexBuilder::skimRequest(const Exchange& exchange, Skim& out) {
    out.clear();
    if (exchange.request) skimMessage(m_protocol, exchange.request->bytes, exchange.requestContext(), out);
}

void IndexBuilder::requestSeen(const Exchange& exchange) {
    skimRequest(exchange, m_request);
    m_index.requestSeen(exchange, m_request);
}

void IndexBuilder::exchangeEnded(Exchange&& exchange) {
    if (m_index.needsRequest(exchange))
        skimRequest(exchange, m_request);
    else
        m_request.clear();
    m_response.clear();
    if (exchange.response) skimMessage(m_protocol, exchange.response->bytes, exchange.responseContext(), m_response);
    m_index.ended(exchange, m_request, m_response);
    m_names.learn(exchange);
    if (++m_sinceNames == exchangesBetweenNames) nameTopics();
}

void IndexBuilder::nameTopics() {
    m_sinceNames = 0;
    m_index.nameTopics([this](const TopicId& id) { return m_names.name(id); });
}

void IndexBuilder::tlsSeen(const Connection&, KafkaConnectionId, const TlsFacts& facts) {
    m_tlsWithoutKeys += facts.decryption == TlsDecryption::NoKeys;
}

void IndexBuilder::foreignConnection(const Connection& connection, std::string_view protocol) {
    ++m_foreignConnections;
    if (m_foreign.size() < mostForeign)
        m_foreign.push_back({connection.first, connection.second, std::string(protocol)});
}

void IndexBuilder::bytesPassedOver(KafkaConnectionId, Side, std::uint64_t count, Hole hole) {
    (hole == Hole::None ? m_passedOver : m_lost) += count;
}

} // namespace brokerscope
