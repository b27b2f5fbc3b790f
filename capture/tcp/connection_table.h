// SPDX-License-Identifier: Apache-2.0
// The TCP connections that are being followed: found by addresses and ports, or by id; created, freed, and the one to
// give up named when there are too many.
//
// Memory:  some 320 bytes a connection, in pieces that never move; what freed connections used is used again.
// Bounds:  the caller asks full() before create().
#pragma once

#include "capture/tcp/flow_table.h"
#include "capture/tcp/waiting_slices.h"
#include "capture/types/connection_facts.h"
#include "capture/types/stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace brokerscope {

struct TcpStream {
    static constexpr std::uint32_t kNoWait = 0xffffffff;

    Offset origin = 0;            // the first byte, or the first one seen
    Offset next = 0;              // the first byte that was not handed on yet
    Offset acknowledged = 0;      // the other side has everything before it
    Offset excused = 0;           // up to here nothing of the other side waits for this stream any more
    Offset timedEnd = 0;          // of the segment whose acknowledgement is timed; 0: none is
    Timestamp timedSince;         // when it came
    std::uint32_t wait = kNoWait; // its StreamWait, while something keeps it from going on
    std::uint32_t strangeSeq = 0; // where the last segment ended that fits nowhere
    std::uint32_t farAck = 0;     // an acknowledgement too far ahead to be believed at once
    std::uint8_t strangeCount = 0;
    bool based = false;   // origin and next are known
    bool started = false; // origin is settled: by a SYN, or because nothing earlier came for a while
    bool ended = false;

    bool waits() const { return wait != kNoWait; }
};

struct TcpConnection {
    FlowKey key;
    ConnectionId id; // none: the slot is free
    std::uint64_t hash = 0;
    std::array<TcpStream, 2> streams; // index: Side
    ConnectionFacts facts;
    Timestamp handshakeTime;    // of the last SYN, then of the SYN+ACK
    bool firstIsEndOne = false; // Side::First is end 1 of the key
    bool handshakeSeen = false;
    bool opened = false;    // connectionOpened() was called
    bool reset = false;     // a side sent RST
    bool lingering = false; // over, but still here to swallow what comes late

    TcpStream& stream(Side side) { return streams[static_cast<std::size_t>(side)]; }
    const TcpStream& stream(Side side) const { return streams[static_cast<std::size_t>(side)]; }
    std::uint32_t packets() const { return facts.streams[0].packets + facts.streams[1].packets; }
};

Connection describe(const TcpConnection& connection);

class ConnectionTable {
  public:
    static constexpr std::uint32_t kNone = SlotTable::kNone;

    ConnectionTable();

    std::size_t size() const { return m_byFlow.size(); }
    TcpConnection& at(std::uint32_t slot) { return (*m_pieces[slot / kPieceSize])[slot % kPieceSize]; }
    const TcpConnection& at(std::uint32_t slot) const { return (*m_pieces[slot / kPieceSize])[slot % kPieceSize]; }

    std::uint64_t hashOf(const FlowKey& key) const { return key.hash(m_seed); }
    std::uint32_t find(const FlowKey& key, std::uint64_t hash) const;
    std::uint32_t find(ConnectionId id) const;
    std::uint32_t create(const FlowKey& key, std::uint64_t hash);
    void free(std::uint32_t slot);

    // The one that was silent for longest among the next few looked at; kNone when there is none.
    std::uint32_t candidateToForget();
    std::vector<std::uint32_t> allInOrder() const; // by id

  private:
    static constexpr std::size_t kPieceSize = 256;
    using Piece = std::array<TcpConnection, kPieceSize>;

    std::vector<std::unique_ptr<Piece>> m_pieces;
    std::vector<std::uint32_t> m_free;
    SlotTable m_byFlow, m_byId;
    std::uint64_t m_seed;
    std::uint64_t m_lastId = 0;
    std::uint32_t m_hand = 0; // where the search for one to forget goes on
};

} // namespace brokerscope
