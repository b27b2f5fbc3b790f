// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/faulty_source.h"

#include "capture/link_layers.h"

#include <algorithm>

namespace brokerscope {

namespace {

constexpr Duration mostSwapped = std::chrono::milliseconds(50);

// Where things stand in a packet of Ethernet, IPv4 and TCP, the only kind whose segments are cut here.
struct Layout {
    std::size_t ip = 14, tcp = 0, payload = 0;
};

std::optional<Layout> layoutOf(Bytes bytes) {
    Layout at;
    if (bytes.size() < 54 || bytes[12] != 0x08 || bytes[13] != 0x00 || bytes[23] != 6) return std::nullopt;
    at.tcp = at.ip + static_cast<std::size_t>(bytes[at.ip] & 15) * 4;
    if (bytes.size() < at.tcp + 20) return std::nullopt;
    at.payload = at.tcp + static_cast<std::size_t>(bytes[at.tcp + 12] >> 4) * 4;
    return at.payload < bytes.size() ? std::optional(at) : std::nullopt;
}

void put(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * (size - 1 - i)));
}

} // namespace

FaultySource::FaultySource(std::unique_ptr<PacketSource> inner, const Faults& faults)
    : m_inner(std::move(inner)), m_faults(faults), m_random(faults.seed) {
    std::vector<Packet> packets;
    Packet packet;
    while (m_inner->next(packet))
        packets.push_back(packet);
    damage(std::move(packets));
}

bool FaultySource::next(Packet& out) {
    if (m_at >= m_packets.size()) return false;
    out = m_packets[m_at++];
    return true;
}

bool FaultySource::chance(double share) {
    return share > 0 && std::uniform_real_distribution<double>(0, 1)(m_random) < share;
}

Bytes FaultySource::keepBytes(std::vector<std::uint8_t> bytes) {
    m_owned.push_back(std::move(bytes));
    return m_owned.back();
}

void FaultySource::damage(std::vector<Packet> packets) {
    struct Placed {
        double place;
        Packet packet;
    };
    std::vector<Placed> placed;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        Packet packet = packets[i];
        if (i < m_faults.startAt || (m_faults.keep && i >= m_faults.keep) || chance(m_faults.drop)) continue;
        DecodedPacket decoded;
        const bool tcp = decodePacket(packet, decoded) == PacketKind::Tcp;
        const bool upward = tcp && decoded.segment.source.port > decoded.segment.destination.port;
        if (m_faults.only && tcp && upward != *m_faults.only) continue;
        if (upward) packet.time += m_faults.skew;
        bool intact = true;
        if (m_faults.snapLength && packet.bytes.size() > m_faults.snapLength) {
            packet.bytes = packet.bytes.first(m_faults.snapLength);
            intact = false;
        }
        if (tcp && m_faults.portsMoved) packet = moved(packet, decoded.segment);
        if (tcp && !decoded.segment.payload.empty() && chance(m_faults.flipBits)) {
            packet = flipped(packet);
            intact = false;
        }
        if (intact) m_intact.insert(packet.number);
        const auto distance = [this](double most) { return std::uniform_real_distribution<double>(1, most)(m_random); };
        double place = static_cast<double>(i);
        if (chance(m_faults.reorder)) {
            std::size_t last = i; // capture threads and mirror ports swap what is close in time
            while (last + 1 < packets.size() && last < i + 8 && packets[last + 1].time - packets[i].time < mostSwapped)
                ++last;
            if (last > i) place += distance(static_cast<double>(last - i) + 0.5);
        }
        for (const Packet& part : segmented(packet))
            placed.push_back({place, part});
        if (chance(m_faults.duplicate)) placed.push_back({place + distance(20), packet});
    }
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.place < b.place; });
    for (const Placed& each : placed)
        m_packets.push_back(each.packet);
}

std::vector<Packet> FaultySource::segmented(const Packet& packet) {
    const auto layout = m_faults.segmentBytes ? layoutOf(packet.bytes) : std::nullopt;
    const std::size_t ipLength = layout ? packet.bytes[16] * std::size_t{256} + packet.bytes[17] : 0;
    if (!layout || ipLength + layout->ip > packet.bytes.size() || ipLength + layout->ip <= layout->payload)
        return {packet};
    const Bytes payload = packet.bytes.subspan(layout->payload, ipLength + layout->ip - layout->payload);
    std::uint32_t seq = 0;
    for (int i = 0; i < 4; ++i)
        seq = seq << 8 | packet.bytes[layout->tcp + 4 + static_cast<std::size_t>(i)];
    std::vector<Packet> parts;
    for (std::size_t at = 0; at < payload.size(); at += m_faults.segmentBytes) {
        const Bytes piece = payload.subspan(at, std::min<std::size_t>(m_faults.segmentBytes, payload.size() - at));
        std::vector<std::uint8_t> bytes(packet.bytes.begin(),
                                        packet.bytes.begin() + static_cast<std::ptrdiff_t>(layout->payload));
        bytes.insert(bytes.end(), piece.begin(), piece.end());
        put(bytes, layout->ip + 2, bytes.size() - layout->ip, 2);
        put(bytes, layout->tcp + 4, seq + static_cast<std::uint32_t>(at), 4);
        const bool last = at + piece.size() == payload.size();
        if (!last) bytes[layout->tcp + 13] &= 0xf6; // FIN and PSH belong to the last one
        Packet part = packet;
        part.bytes = keepBytes(std::move(bytes));
        part.originalLength = static_cast<std::uint32_t>(part.bytes.size());
        parts.push_back(part);
    }
    return parts;
}

Packet FaultySource::flipped(const Packet& packet) {
    DecodedPacket decoded;
    decodePacket(packet, decoded);
    const auto begin = static_cast<std::size_t>(decoded.segment.payload.data() - packet.bytes.data());
    std::vector<std::uint8_t> bytes(packet.bytes.begin(), packet.bytes.end());
    bytes[begin + m_random() % decoded.segment.payload.size()] ^= static_cast<std::uint8_t>(1u << m_random() % 8);
    Packet result = packet;
    result.bytes = keepBytes(std::move(bytes));
    return result;
}

Packet FaultySource::moved(const Packet& packet, const Segment& segment) {
    constexpr std::uint16_t lowestOfClients = 32768;
    // The payload stands behind a header of at least 20 bytes; the ports open it.
    const std::size_t end = segment.payload.empty()
                                ? packet.bytes.size()
                                : static_cast<std::size_t>(segment.payload.data() - packet.bytes.data());
    std::vector<std::uint8_t> bytes(packet.bytes.begin(), packet.bytes.end());
    for (std::size_t at = end; at-- > 0;) {
        const auto port = [&](std::size_t offset) { return bytes[at + offset] << 8 | bytes[at + offset + 1]; };
        if (at + 20 > end || port(0) != segment.source.port || port(2) != segment.destination.port) continue;
        for (const std::size_t offset : {0, 2})
            if (port(offset) < lowestOfClients)
                put(bytes, at + offset, static_cast<std::uint64_t>(port(offset) + m_faults.portsMoved), 2);
        break;
    }
    Packet result = packet;
    result.bytes = keepBytes(std::move(bytes));
    return result;
}

} // namespace brokerscope
