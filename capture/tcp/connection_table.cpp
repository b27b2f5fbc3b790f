// SPDX-License-Identifier: Apache-2.0
#include "capture/tcp/connection_table.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace brokerscope {
namespace {

std::uint64_t hashOfId(ConnectionId id) {
    const std::uint64_t mixed = id.value * 0x9e3779b97f4a7c15;
    return mixed ^ mixed >> 32;
}

Endpoint endOf(const FlowKey& key, std::size_t end) {
    Endpoint endpoint;
    std::memcpy(endpoint.address.bytes.data(), &key.addresses[end * 2], 16);
    endpoint.address.v6 = key.v6;
    endpoint.port = key.ports[end];
    return endpoint;
}

} // namespace

Connection describe(const TcpConnection& connection) {
    Connection out;
    out.id = connection.id;
    out.first = endOf(connection.key, connection.firstIsEndOne ? 1 : 0);
    out.second = endOf(connection.key, connection.firstIsEndOne ? 0 : 1);
    out.handshakeSeen = connection.handshakeSeen;
    out.start = connection.facts.firstTime;
    return out;
}

// The seed keeps a capture from being made so that all its connections fall on one place. No result depends on it.
ConnectionTable::ConnectionTable() : m_seed(std::random_device{}()) {}

std::uint32_t ConnectionTable::find(const FlowKey& key, std::uint64_t hash) const {
    return m_byFlow.find(hash, [&](std::uint32_t slot) { return at(slot).key == key; });
}

std::uint32_t ConnectionTable::find(ConnectionId id) const {
    return m_byId.find(hashOfId(id), [&](std::uint32_t slot) { return at(slot).id == id; });
}

std::uint32_t ConnectionTable::create(const FlowKey& key, std::uint64_t hash) {
    if (m_free.empty()) {
        const auto first = static_cast<std::uint32_t>(m_pieces.size() * kPieceSize);
        m_pieces.push_back(std::make_unique<Piece>());
        for (std::uint32_t i = kPieceSize; i-- > 0;)
            m_free.push_back(first + i);
    }
    const std::uint32_t slot = m_free.back();
    m_free.pop_back();
    TcpConnection& connection = at(slot);
    connection.key = key;
    connection.hash = hash;
    connection.id = ConnectionId{++m_lastId};
    m_byFlow.insert(hash, slot);
    m_byId.insert(hashOfId(connection.id), slot);
    return slot;
}

void ConnectionTable::free(std::uint32_t slot) {
    TcpConnection& connection = at(slot);
    m_byFlow.erase(connection.hash, slot);
    m_byId.erase(hashOfId(connection.id), slot);
    connection = {};
    m_free.push_back(slot);
}

std::uint32_t ConnectionTable::candidateToForget() {
    constexpr int kLookedAt = 32;
    const auto slots = static_cast<std::uint32_t>(m_pieces.size() * kPieceSize);
    std::uint32_t best = kNone;
    int seen = 0;
    for (std::uint32_t i = 0; i < slots && seen < kLookedAt; ++i) {
        m_hand = m_hand + 1 < slots ? m_hand + 1 : 0;
        if (!at(m_hand).id) continue;
        ++seen;
        if (best == kNone || at(m_hand).facts.lastTime < at(best).facts.lastTime) best = m_hand;
    }
    return best;
}

std::vector<std::uint32_t> ConnectionTable::allInOrder() const {
    std::vector<std::uint32_t> slots;
    slots.reserve(size());
    for (std::uint32_t slot = 0; slot < m_pieces.size() * kPieceSize; ++slot)
        if (at(slot).id) slots.push_back(slot);
    std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) { return at(a).id < at(b).id; });
    return slots;
}

} // namespace brokerscope
