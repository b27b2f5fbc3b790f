// SPDX-License-Identifier: Apache-2.0
// Puts TCP segments together to streams: the contract of capture/types/stream.h.
//
// Rules
//   First copy wins:  where a byte came twice with different values, the first is handed on.
//   Out of order:     what lies behind a hole waits. The hole is lost when it can no longer be filled: the other side
//                     acknowledged it and a grace passed (`grace`: time, or packets of the connection; mirror ports and
//                     several interfaces mix up the order of packets and acknowledgements), or the other direction is
//                     silent (not captured) for `silentPeer`, or a bound was hit, or the stream is over.
//   Start:            a SYN says where a stream starts. Without it the first payload does, after the same grace: an
//                     earlier segment that comes within it is taken.
//   Order of both:    bytes wait for those that they acknowledge, at most for the grace.
//   End:              FIN and RST count at their place in the stream. Payload behind an end is a new connection, and so
//                     is a SYN with another sequence number, and a stream that goes on at a place that has nothing to
//                     do with the last one. A single segment, RST or FIN far from where the stream is does nothing.
//   Late:             an ended connection stays for `linger` and swallows duplicates, then it is closed.
//   Keep-alives:      bytes that were handed on are not looked at again, and a single byte that was acknowledged before
//                     it came is no data.
//
// Bytes:   never copied; slices point into the packets.
// Memory:  the bounds of ReassemblyLimits; some 320 bytes a connection, 64 a waiting slice. When there are too many
//          connections, one that is over goes first, else the one silent for longest (of 32 looked at). When too many
//          slices wait, the stream that would add one loses its hole.
// Time:    the capture's own, as it is given; it may jump or run backwards.
// Threads: one.
#pragma once

#include "capture/layers/segment.h"
#include "capture/tcp/connection_table.h"
#include "capture/tcp/stream_wait.h"
#include "capture/types/connection_facts.h"
#include "capture/types/stream.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace brokerscope {

struct ReassemblyLimits {
    std::size_t connections = std::size_t{1} << 17;
    std::size_t waitingSlices = std::size_t{1} << 18;
    std::size_t waitingSlicesPerStream = std::size_t{1} << 13;
    Duration grace = std::chrono::milliseconds{300};
    std::uint32_t gracePackets = 1024;
    Duration silentPeer = std::chrono::seconds{3};
    Duration linger = std::chrono::seconds{5};
};

class TcpReassembler {
  public:
    explicit TcpReassembler(StreamSink& sink, const ReassemblyLimits& limits = {});

    void add(const Segment& segment);
    // Capture time has come so far without a segment: graces may be over. Only for live captures that went quiet.
    void advanceTo(Timestamp now);
    // The capture is over: everything is handed on, every connection is closed.
    void finish();

    // Of a connection that is not closed yet; to be copied in connectionClosed() by whoever wants to keep them.
    // Null: no such connection (any more).
    const ConnectionFacts* facts(ConnectionId id) const;
    std::size_t connections() const { return m_connections.size(); }
    std::size_t waitingSlices() const { return m_waitingSlices; }
    // Calls visit(pointer) for the bytes of each waiting slice.
    template<class Visit>
    void forEachHeld(Visit visit) const {
        for (const std::uint32_t index : m_waits.used())
            for (const WaitingSlice& waiting : m_waits.at(index).slices)
                if (waiting.slice.data) visit(waiting.slice.data);
    }

  private:
    // Whether a stream may go on past what blocks it, and how much is given up then.
    enum class Patience : std::uint8_t { Wait, Over, OverForGood };

    // connections
    std::uint32_t create(const DirectedFlow& flow, std::uint64_t hash, const Segment& segment);
    void open(TcpConnection& connection);
    void close(std::uint32_t slot, StreamEnd how);
    void flush(TcpConnection& connection, StreamEnd how);
    void startLinger(std::uint32_t slot);
    void nameSides(TcpConnection& connection, const DirectedFlow& flow, const Segment& syn);
    void forgetOne();
    bool opensAnother(TcpConnection& connection, Side side, const Segment& segment);
    bool synFits(const TcpConnection& connection, Side side, const Segment& segment) const;
    bool isStrange(const TcpStream& stream, std::uint32_t seq) const;

    // one segment
    bool takeInOrder(TcpConnection& connection, Side side, const Segment& segment);
    void take(std::uint32_t slot, Side side, const Segment& segment);
    void takeSyn(TcpConnection& connection, Side side, const Segment& segment);
    void takeAck(TcpConnection& connection, Side side, const Segment& segment);
    void timeAck(TcpConnection& connection, Side acknowledged, Offset upTo, Timestamp now);
    bool comesLate(const TcpConnection& connection, Side side, Offset begin, Timestamp now) const;
    void takePayload(std::uint32_t slot, Side side, const Segment& segment);
    std::uint32_t store(std::uint32_t slot, Side side, WaitingSlice slice, bool& outOfOrder);
    void takeFin(std::uint32_t slot, Side side, const Segment& segment);
    void takeReset(std::uint32_t slot, Side side, const Segment& segment);
    void count(TcpConnection& connection, Side side, const Segment& segment);
    bool isDuplicate(const Segment& segment, const DirectedFlow& flow, std::uint64_t hash);

    // going on
    StreamWait& waitOf(std::uint32_t slot, Side side);
    void dropWait(TcpStream& stream);
    void emit(TcpConnection& connection, Side side, const Slice& slice);
    void lose(TcpConnection& connection, Side side, Offset to);
    bool advance(TcpConnection& connection, Side side);
    void settle(std::uint32_t slot);
    Blocker blocker(const TcpConnection& connection, Side side) const;
    Patience patience(TcpConnection& connection, Side side);
    void giveUp(TcpConnection& connection, Side side, Patience how);
    void endStream(TcpConnection& connection, Side side, StreamEnd how, PacketNumber packet, Timestamp time);
    void lookAround();

    struct Lingering {
        std::uint32_t slot = 0;
        ConnectionId id;
        Timestamp due;
    };

    StreamSink& m_sink;
    ReassemblyLimits m_limits;
    ConnectionTable m_connections;
    StreamWaits m_waits;
    std::size_t m_waitingSlices = 0;
    std::deque<Lingering> m_lingering;
    std::vector<std::uint32_t> m_recent; // fingerprints of the last packets, to know one that comes again

    // the segment at work
    PacketNumber m_packet;
    Timestamp m_now;
    std::uint8_t m_timeDigits = 6;
    bool m_duplicate = false;

    Timestamp m_lookedAround;
    std::uint32_t m_sinceLook = 0;
    std::size_t m_nextWait = 0; // where the next look begins
};

} // namespace brokerscope
