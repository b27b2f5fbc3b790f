// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conversation.h"

namespace brokerscope::test {

Conversation::Conversation(std::uint16_t clientPort)
    : m_client(endpoint("10.0.0.1", clientPort)), m_broker(endpoint("10.0.0.2", 9092)) {}

Segment Conversation::client(const std::string& payload, std::uint8_t flags) {
    return make(true, payload, flags);
}

Segment Conversation::broker(const std::string& payload, std::uint8_t flags) {
    return make(false, payload, flags);
}

Segment Conversation::again(const Segment& segment) {
    Segment copy = segment;
    copy.packet = PacketNumber{++packets};
    copy.time = now;
    now += std::chrono::microseconds{10};
    return copy;
}

Segment Conversation::make(bool fromClient, const std::string& payload, std::uint8_t flags) {
    std::uint32_t& next = fromClient ? clientNext : brokerNext;
    const std::string& kept = m_payloads.emplace_back(payload);
    Segment s;
    s.source = fromClient ? m_client : m_broker;
    s.destination = fromClient ? m_broker : m_client;
    s.seq = next;
    s.ack = flags & Segment::kAck ? (fromClient ? brokerNext : clientNext) : 0;
    s.flags = flags;
    s.window = 65535;
    s.ipId = ++m_ipId;
    s.payload = Bytes(reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size());
    next += static_cast<std::uint32_t>(kept.size()) + (flags & (Segment::kSyn | Segment::kFin) ? 1 : 0);
    return again(s);
}

} // namespace brokerscope::test
