// SPDX-License-Identifier: Apache-2.0
// Finds the TCP segment in a packet: link layer, VLAN tags, MPLS, PPPoE, IPv4/IPv6 with options and extension headers,
// and the tunnels of clouds, containers and mirror ports (GRE, VXLAN, GENEVE, IP in IP, ERSPAN) around it.
//
// The innermost TCP segment is what counts; tunnel ids and tags are no part of a connection's identity, so a packet
// captured both inside and outside its tunnel is the same packet twice. Checksums are not looked at: offloading leaves
// them wrong. IP's own length is trusted over the packet's (padding), and 0 stands for "as long as the packet".
//
// Bytes:   the segment points into the packet. Nothing is allocated.
// Bounds:  at most 32 headers a packet.
// Errors:  none; the result says what the packet was.
#pragma once

#include "capture/layers/segment.h"
#include "capture/types/packet.h"

#include <cstdint>
#include <string>

namespace brokerscope {

enum class PacketKind : std::uint8_t {
    Tcp,             // DecodedPacket::segment holds it
    Fragment,        // a part of an IP datagram: DecodedPacket::fragment
    NotTcp,          // well-formed as far as read, and no TCP in it
    Cut,             // the snap length ended the packet before the TCP header's end
    Malformed,       // headers that contradict themselves
    UnknownLinkType, // Packet::linkType is not one that is read here
};

struct DecodedPacket {
    Segment segment;
    IpFragment fragment;
};

// What fragments make when they are put together.
struct IpDatagram {
    Address source, destination;
    std::uint8_t protocol = 0;
    Bytes bytes;
    std::uint32_t cut = 0; // bytes behind them that were not captured
};

PacketKind decodePacket(const Packet& packet, DecodedPacket& out);
// Goes on inside a datagram; `packet` is the one that completed it and gives number and time.
PacketKind decodeDatagram(const IpDatagram& datagram, const Packet& packet, DecodedPacket& out);

bool readsLinkType(std::uint16_t linkType);
std::string linkTypeName(std::uint16_t linkType); // "EN10MB (Ethernet)"; "link type 12345" when it has none

} // namespace brokerscope
