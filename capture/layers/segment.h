// SPDX-License-Identifier: Apache-2.0
// One TCP segment as the link layers find it in a packet, and one fragment of an IP datagram.
// Bytes: not owned; they point into the packet.
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/endpoint.h"
#include "capture/types/packet.h"

#include <cstdint>

namespace brokerscope {

struct Segment {
    static constexpr std::uint8_t kFin = 1, kSyn = 2, kRst = 4, kPush = 8, kAck = 16;

    Endpoint source, destination;
    std::uint32_t seq = 0;
    std::uint32_t ack = 0;
    std::uint8_t flags = 0;
    std::uint16_t window = 0;
    Bytes payload;                // what was captured of it
    std::uint32_t cut = 0;        // payload bytes behind it that were on the wire, but not captured
    std::uint16_t ipId = 0;       // IPv4 identification; 0 for IPv6
    std::uint16_t mss = 0;        // option of a SYN; 0: none
    std::int8_t windowScale = -1; // option of a SYN; -1: none
    std::uint32_t sentClock = 0;  // the sender's own clock (timestamp option); 0: none

    PacketNumber packet;
    Timestamp time;
    std::uint8_t timeDigits = 6;

    bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    // Length of the payload on the wire.
    std::uint32_t length() const { return static_cast<std::uint32_t>(payload.size()) + cut; }
};

struct IpFragment {
    Address source, destination;
    std::uint32_t id = 0;
    std::uint8_t protocol = 0; // of the whole datagram's content
    bool more = false;         // not the last fragment
    std::uint32_t offset = 0;
    Bytes bytes;
    std::uint32_t cut = 0; // bytes behind them that were not captured
};

} // namespace brokerscope
