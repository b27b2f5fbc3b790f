// SPDX-License-Identifier: Apache-2.0
// What the TCP headers of one connection tell, counted while its streams are put together: losses, retransmissions,
// round trip, window stops. Plain numbers; copy them. Complete once the connection is closed.
#pragma once

#include "capture/types/stream.h"
#include "capture/types/time.h"

#include <array>
#include <cstdint>
#include <optional>

namespace brokerscope {

// One direction: what one side sent.
struct StreamFacts {
    std::uint64_t bytes = 0;              // payload on the wire, everything that was sent again included
    std::uint64_t retransmittedBytes = 0; // payload that had been seen before, in other packets than duplicates
    std::uint64_t lostBytes = 0;          // acknowledged or passed over, but not in the capture
    std::uint64_t cutBytes = 0;           // in captured packets, behind the snap length
    std::uint32_t packets = 0;
    std::uint32_t retransmittedSegments = 0; // nothing new in them; keep-alives and duplicates are not counted
    std::uint32_t outOfOrderSegments = 0;    // came before an earlier part of the stream
    std::uint32_t duplicatePackets = 0;      // the same packet captured once more (mirror port, several interfaces)
    std::uint32_t zeroWindows = 0;           // packets by which this side said that it can take nothing
    std::uint16_t resets = 0;                // RST packets
    std::uint16_t maximumSegmentSize = 0;    // from its SYN; 0: not seen
    std::int8_t windowScale = -1;            // from its SYN; -1: not seen or not offered
    // The shortest time from a segment to its acknowledgement; looked for only where no handshake was captured.
    std::optional<Duration> leastToAck;
};

struct ConnectionFacts {
    std::array<StreamFacts, 2> streams; // index: Side
    Timestamp firstTime, lastTime;
    // The handshake, seen from where the capture was made: SYN to SYN+ACK, and SYN+ACK to the ACK of it.
    std::optional<Duration> synToSynAck, synAckToAck;

    const StreamFacts& from(Side side) const { return streams[static_cast<std::size_t>(side)]; }
    StreamFacts& from(Side side) { return streams[static_cast<std::size_t>(side)]; }

    // One round trip between both ends, wherever the capture was made: that of the handshake or, without it, at most
    // what both ends took to acknowledge data. nullopt: neither was captured.
    std::optional<Duration> roundTrip() const {
        if (synToSynAck && synAckToAck) return *synToSynAck + *synAckToAck;
        if (streams[0].leastToAck && streams[1].leastToAck) return *streams[0].leastToAck + *streams[1].leastToAck;
        return std::nullopt;
    }
};

} // namespace brokerscope
