// SPDX-License-Identifier: Apache-2.0
// From streams to exchanges: the dissector's end of the pipeline. Give it to whatever reads a capture as its
// StreamSink, and to a TLS layer in between as its TlsFactsSink too.
//
// Threads: one; the sink is called from the thread that feeds the streams.
// Memory:  see ExchangeConnection, for each connection that is open.
#pragma once

#include "capture/types/stream.h"
#include "capture/types/tls_facts.h"
#include "dissector/exchange/exchange_connection.h"

#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace brokerscope {

class ExchangeAssembler : public StreamSink, public TlsFactsSink {
  public:
    ExchangeAssembler(const Protocol& protocol, ExchangeSink& sink, std::vector<std::uint16_t> forcedPorts = {});
    ~ExchangeAssembler() override;

    void connectionOpened(const Connection& connection) override;
    void bytes(ConnectionId connection, Side from, const Slice& slice) override;
    void streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber packet, Timestamp time) override;
    void sentAgain(ConnectionId connection, Side from, Timestamp time) override;
    void roundTripSeen(ConnectionId connection, Duration time) override;
    void connectionClosed(ConnectionId connection) override;
    void tlsFacts(ConnectionId connection, const TlsFacts& facts, bool final) override;

    // Endpoints that were found to be brokers so far.
    const std::set<Endpoint>& brokers() const { return m_context.brokers; }
    // Ends every connection that is still open, as at the end of a capture.
    void finish();
    // For captures that run for days: requests that are open since before `time` are unanswered, and connections that
    // could not be told to be Kafka by then are not.
    void giveUpBefore(Timestamp time);
    // The earliest packet whose bytes are still needed by what is under way; none when nothing is.
    PacketNumber oldestPacket() const;

  private:
    ExchangeConnection* find(ConnectionId id);

    ExchangeContext m_context;
    std::unordered_map<ConnectionId, std::unique_ptr<ExchangeConnection>> m_connections;
    ConnectionId m_lastId; // the connection of the last slice: most slices follow one of their own
    ExchangeConnection* m_last = nullptr;
};

} // namespace brokerscope
