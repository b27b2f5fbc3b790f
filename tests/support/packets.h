// SPDX-License-Identifier: Apache-2.0
// Builds packets for tests, header by header: each function puts its header in front of what it is given. Lengths are
// right, checksums are zero (nobody here looks at them).
#pragma once

#include "capture/types/endpoint.h"
#include "capture/types/packet.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope::test {

using Octets = std::vector<std::uint8_t>;

Octets octets(std::string_view text);
Octets fromHex(std::string_view hex); // blanks are skipped
Octets operator+(Octets a, const Octets& b);
Octets be16(std::uint16_t value);
Octets be32(std::uint32_t value);

Address address(std::string_view text); // 10.0.0.1 or fd00::1
Endpoint endpoint(std::string_view address, std::uint16_t port);

struct TcpHeader {
    std::uint16_t from = 40000, to = 9092;
    std::uint32_t seq = 1000, ack = 2000;
    std::uint8_t flags = 0x18; // PSH, ACK
    std::uint16_t window = 65535;
    Octets options; // a multiple of four bytes
};
Octets tcp(const TcpHeader& header, const Octets& payload);
Octets udp(std::uint16_t to, const Octets& payload);

struct Ipv4Header {
    std::string from = "10.0.0.1", to = "10.0.0.2";
    std::uint8_t protocol = 6;
    std::uint16_t id = 1;
    std::uint16_t fragment = 0x4000; // flags and offset in units of 8 bytes
    Octets options;                  // a multiple of four bytes
    int length = -1;                 // of the length field; -1: the true one
};
Octets ipv4(const Ipv4Header& header, const Octets& payload);

struct Ipv6Header {
    std::string from = "fd00::1", to = "fd00::2";
    std::uint8_t next = 6;
    int length = -1;
};
Octets ipv6(const Ipv6Header& header, const Octets& payload);

Octets ethernet(std::uint16_t type, const Octets& payload);
// A tag between two EtherTypes: `ethernet(0x8100, vlan(7, 0x0800, ...))`.
Octets vlan(std::uint16_t id, std::uint16_t type, const Octets& payload);

Packet packetOf(const Octets& bytes, std::uint16_t linkType = 1);

} // namespace brokerscope::test
