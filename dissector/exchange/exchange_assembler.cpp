// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange_assembler.h"

#include <algorithm>

namespace brokerscope {

ExchangeAssembler::ExchangeAssembler(const Protocol& protocol, ExchangeSink& sink,
                                     std::vector<std::uint16_t> forcedPorts)
    : m_context{protocol, sink, std::move(forcedPorts)} {}

ExchangeAssembler::~ExchangeAssembler() = default;

ExchangeConnection* ExchangeAssembler::find(ConnectionId id) {
    if (id == m_lastId) return m_last;
    const auto found = m_connections.find(id);
    m_lastId = id;
    m_last = found == m_connections.end() ? nullptr : found->second.get();
    return m_last;
}

void ExchangeAssembler::connectionOpened(const Connection& connection) {
    m_connections[connection.id] = std::make_unique<ExchangeConnection>(m_context, connection);
    m_lastId = {};
}

void ExchangeAssembler::bytes(ConnectionId connection, Side from, const Slice& slice) {
    if (ExchangeConnection* found = find(connection)) found->bytes(from, slice);
}

void ExchangeAssembler::streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber, Timestamp) {
    if (ExchangeConnection* found = find(connection)) found->streamEnded(from, how);
}

void ExchangeAssembler::sentAgain(ConnectionId connection, Side, Timestamp time) {
    if (ExchangeConnection* found = find(connection)) found->timing().sentAgain(time);
}

void ExchangeAssembler::roundTripSeen(ConnectionId connection, Duration time) {
    if (ExchangeConnection* found = find(connection)) found->timing().roundTripSeen(time);
}

void ExchangeAssembler::connectionClosed(ConnectionId connection) {
    const auto found = m_connections.find(connection);
    if (found == m_connections.end()) return;
    found->second->close();
    m_connections.erase(found);
    m_lastId = {};
}

void ExchangeAssembler::tlsFacts(ConnectionId connection, const TlsFacts& facts, bool) {
    if (ExchangeConnection* found = find(connection)) found->tlsFacts(facts);
}

void ExchangeAssembler::finish() {
    std::vector<ConnectionId> open;
    for (const auto& [id, connection] : m_connections)
        open.push_back(id);
    std::sort(open.begin(), open.end());
    for (const ConnectionId id : open)
        connectionClosed(id);
}

void ExchangeAssembler::giveUpBefore(Timestamp time) {
    for (const auto& [id, connection] : m_connections)
        connection->giveUpBefore(time);
}

PacketNumber ExchangeAssembler::oldestPacket() const {
    PacketNumber oldest;
    for (const auto& [id, connection] : m_connections)
        if (const PacketNumber packet = connection->oldestPacket(); packet && (!oldest || packet < oldest))
            oldest = packet;
    return oldest;
}

} // namespace brokerscope
