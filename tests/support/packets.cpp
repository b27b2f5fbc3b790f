// SPDX-License-Identifier: Apache-2.0
#include "tests/support/packets.h"

#include <arpa/inet.h>

#include <stdexcept>

namespace brokerscope::test {

Octets octets(std::string_view text) {
    return {text.begin(), text.end()};
}

Octets fromHex(std::string_view hex) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    Octets out;
    int high = -1;
    for (const char c : hex) {
        if (c == ' ') continue;
        if (high < 0) {
            high = digit(c);
            continue;
        }
        out.push_back(static_cast<std::uint8_t>(high << 4 | digit(c)));
        high = -1;
    }
    return out;
}

Octets operator+(Octets a, const Octets& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Octets be16(std::uint16_t value) {
    return {static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
}

Octets be32(std::uint32_t value) {
    return be16(static_cast<std::uint16_t>(value >> 16)) + be16(static_cast<std::uint16_t>(value));
}

Address address(std::string_view text) {
    Address out;
    out.v6 = text.find(':') != std::string_view::npos;
    if (inet_pton(out.v6 ? AF_INET6 : AF_INET, std::string(text).c_str(), out.bytes.data()) != 1)
        throw std::invalid_argument("no address: " + std::string(text));
    return out;
}

Endpoint endpoint(std::string_view text, std::uint16_t port) {
    return {address(text), port};
}

namespace {

Octets bytesOf(const std::string& text) {
    const Address a = address(text);
    return {a.bytes.begin(), a.bytes.begin() + (a.v6 ? 16 : 4)};
}

} // namespace

Octets tcp(const TcpHeader& h, const Octets& payload) {
    const auto words = static_cast<std::uint8_t>((20 + h.options.size()) / 4);
    return be16(h.from) + be16(h.to) + be32(h.seq) + be32(h.ack) +
           Octets{static_cast<std::uint8_t>(words << 4), h.flags} + be16(h.window) + be32(0) + h.options + payload;
}

Octets udp(std::uint16_t to, const Octets& payload) {
    return be16(50000) + be16(to) + be16(static_cast<std::uint16_t>(8 + payload.size())) + be16(0) + payload;
}

Octets ipv4(const Ipv4Header& h, const Octets& payload) {
    const std::size_t header = 20 + h.options.size();
    const auto length = static_cast<std::uint16_t>(h.length < 0 ? static_cast<int>(header + payload.size()) : h.length);
    return Octets{static_cast<std::uint8_t>(0x40 | header / 4), 0} + be16(length) + be16(h.id) + be16(h.fragment) +
           Octets{64, h.protocol, 0, 0} + bytesOf(h.from) + bytesOf(h.to) + h.options + payload;
}

Octets ipv6(const Ipv6Header& h, const Octets& payload) {
    const auto length = static_cast<std::uint16_t>(h.length < 0 ? static_cast<int>(payload.size()) : h.length);
    return Octets{0x60, 0, 0, 0} + be16(length) + Octets{h.next, 64} + bytesOf(h.from) + bytesOf(h.to) + payload;
}

Octets ethernet(std::uint16_t type, const Octets& payload) {
    return fromHex("020000000002 020000000001") + be16(type) + payload;
}

Octets vlan(std::uint16_t id, std::uint16_t type, const Octets& payload) {
    return be16(id) + be16(type) + payload;
}

Packet packetOf(const Octets& bytes, std::uint16_t linkType) {
    Packet packet;
    packet.number = PacketNumber{1};
    packet.linkType = linkType;
    packet.bytes = bytes;
    packet.originalLength = static_cast<std::uint32_t>(bytes.size());
    return packet;
}

} // namespace brokerscope::test
