// SPDX-License-Identifier: Apache-2.0
#include "tests/support/memory_source.h"

namespace brokerscope::test {

void MemorySource::add(Octets bytes, std::uint16_t linkType) {
    auto& [kept, packet] = m_packets.emplace_back(std::move(bytes), Packet{});
    packet = packetOf(kept, linkType);
    packet.number = PacketNumber{m_packets.size()};
    packet.time = Timestamp{std::chrono::seconds{1'700'000'000} + std::chrono::milliseconds{m_packets.size()}};
}

bool MemorySource::next(Packet& out) {
    if (m_next == m_packets.size()) return false;
    out = m_packets[m_next++].second;
    return true;
}

} // namespace brokerscope::test
