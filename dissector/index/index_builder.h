// SPDX-License-Identifier: Apache-2.0
// Fills an ExchangeIndex with what an ExchangeAssembler finds: skims each message once and hands the facts on. Counts
// what is no exchange: connections of other protocols, bytes that belong to no frame.
// Threads: the one that feeds the assembler. Memory: the first `mostForeign` foreign connections; buffers are reused.
#pragma once

#include "dissector/analysis/topic_names.h"
#include "dissector/exchange/exchange.h"
#include "dissector/index/exchange_index.h"
#include "dissector/message/skim.h"
#include "dissector/schema/protocol.h"

#include <cstdint>
#include <string>
#include <vector>

namespace brokerscope {

struct ForeignConnection {
    Endpoint first, second;
    std::string protocol; // "HTTP", "TLS"; empty: not known
};

class IndexBuilder : public ExchangeSink {
  public:
    static constexpr std::size_t mostForeign = 1000;

    IndexBuilder(ExchangeIndex& index, const Protocol& protocol)
        : m_index(index), m_protocol(protocol), m_names(protocol) {}

    void requestSeen(const Exchange& exchange) override;
    void exchangeEnded(Exchange&& exchange) override;
    void foreignConnection(const Connection& connection, std::string_view protocol) override;
    void bytesPassedOver(KafkaConnectionId, Side, std::uint64_t count, Hole hole) override;

    void tlsSeen(const Connection&, KafkaConnectionId kafka, const TlsFacts& facts) override;
    // Gives topic ids the names that the capture has told meanwhile. Done now and then by itself; call it at the end.
    void nameTopics();

    const std::vector<ForeignConnection>& foreign() const { return m_foreign; }
    std::uint64_t foreignConnections() const { return m_foreignConnections; }
    std::uint64_t tlsWithoutKeys() const { return m_tlsWithoutKeys; } // connections
    std::uint64_t bytesLost() const { return m_lost; }
    std::uint64_t bytesPassedOver() const { return m_passedOver; } // that were there and made no sense

  private:
    void skimRequest(const Exchange& exchange, Skim& out);

    ExchangeIndex& m_index;
    const Protocol& m_protocol;
    TopicNames m_names;
    std::uint32_t m_sinceNames = 0; // exchanges
    Skim m_request, m_response;
    std::vector<ForeignConnection> m_foreign;
    std::uint64_t m_foreignConnections = 0, m_tlsWithoutKeys = 0, m_lost = 0, m_passedOver = 0;
};

} // namespace brokerscope
