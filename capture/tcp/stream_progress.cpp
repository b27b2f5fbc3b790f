// SPDX-License-Identifier: Apache-2.0
// TcpReassembler, second half: how waiting streams go on, what they wait for, and when that is given up.
#include "capture/tcp/sequence.h"
#include "capture/tcp_reassembler.h"

#include <algorithm>

namespace brokerscope {
namespace {

constexpr Side kSides[] = {Side::First, Side::Second};

// What the stream has shown so far, for bytes of the other side that acknowledge it.
Offset shown(const TcpStream& stream) {
    if (!stream.based || stream.ended) return ~Offset{0};
    return std::max(stream.next, stream.excused);
}

} // namespace

StreamWait& TcpReassembler::waitOf(std::uint32_t slot, Side side) {
    TcpStream& stream = m_connections.at(slot).stream(side);
    if (!stream.waits()) stream.wait = m_waits.create(slot);
    return m_waits.at(stream.wait);
}

void TcpReassembler::dropWait(TcpStream& stream) {
    m_waitingSlices -= m_waits.at(stream.wait).slices.size();
    m_waits.free(stream.wait);
    stream.wait = TcpStream::kNoWait;
}

void TcpReassembler::emit(TcpConnection& connection, Side side, const Slice& slice) {
    open(connection);
    m_sink.bytes(connection.id, side, slice);
}

// The bytes up to `to` will not come any more.
void TcpReassembler::lose(TcpConnection& connection, Side side, Offset to) {
    TcpStream& stream = connection.stream(side);
    Slice hole;
    hole.length = static_cast<std::uint32_t>(to - stream.next);
    hole.hole = Hole::Lost;
    hole.timeDigits = m_timeDigits;
    hole.packet = m_packet;
    hole.time = m_now;
    if (stream.waits()) {
        const StreamWait& wait = m_waits.at(stream.wait);
        if (!wait.slices.empty()) {
            hole.packet = wait.slices.front().slice.packet;
            hole.time = wait.slices.front().slice.time;
            hole.timeDigits = wait.slices.front().slice.timeDigits;
        } else if (wait.end) {
            hole.packet = wait.end->packet;
            hole.time = wait.end->time;
        }
    }
    connection.facts.from(side).lostBytes += hole.length;
    stream.next = to;
    emit(connection, side, hole);
}

Blocker TcpReassembler::blocker(const TcpConnection& connection, Side side) const {
    const TcpStream& stream = connection.stream(side);
    if (!stream.waits()) return Blocker::None;
    const StreamWait& wait = m_waits.at(stream.wait);
    if (!stream.started) return Blocker::Start;
    if (wait.slices.empty()) return wait.end && wait.end->at > stream.next ? Blocker::Gap : Blocker::None;
    if (wait.slices.front().offset > stream.next) return Blocker::Gap;
    return wait.slices.front().needs > shown(connection.stream(other(side))) ? Blocker::Order : Blocker::None;
}

// Hands on all that nothing blocks. True when something was handed on.
bool TcpReassembler::advance(TcpConnection& connection, Side side) {
    TcpStream& stream = connection.stream(side);
    if (!stream.waits() || !stream.started) return false;
    StreamWait& wait = m_waits.at(stream.wait);
    bool moved = false;
    while (!wait.slices.empty() && blocker(connection, side) == Blocker::None) {
        const WaitingSlice slice = wait.slices.front();
        wait.slices.popFront();
        --m_waitingSlices;
        stream.next = slice.end();
        emit(connection, side, slice.slice);
        moved = true;
    }
    if (!wait.slices.empty()) return moved;
    if (!wait.end) {
        dropWait(stream);
    } else if (wait.end->at <= stream.next) {
        const StreamWait::End end = *wait.end;
        dropWait(stream);
        endStream(connection, side, end.how, end.packet, end.time);
        return true;
    }
    return moved;
}

void TcpReassembler::settle(std::uint32_t slot) {
    TcpConnection& connection = m_connections.at(slot);
    for (bool again = true; again;) {
        again = false;
        for (const Side side : kSides)
            if (advance(connection, side)) again = true;
        if (again) continue;
        for (const Side side : kSides) {
            const Patience over = patience(connection, side);
            if (over == Patience::Wait) continue;
            giveUp(connection, side, over);
            again = true;
        }
    }
    const bool over = connection.reset || (connection.streams[0].ended && connection.streams[1].ended);
    if (over && !connection.lingering) startLinger(slot);
}

TcpReassembler::Patience TcpReassembler::patience(TcpConnection& connection, Side side) {
    const TcpStream& stream = connection.stream(side);
    const Blocker now = blocker(connection, side);
    if (now == Blocker::None) return Patience::Wait;
    StreamWait& wait = m_waits.at(stream.wait);
    const std::uint32_t peerPackets = connection.facts.from(other(side)).packets;
    if (wait.blocker != now || wait.blockedAt != stream.next) {
        wait.blocker = now;
        wait.blockedAt = stream.next;
        wait.blockedSince = m_now;
        wait.graceRuns = false;
        wait.peerPackets = peerPackets;
    }
    if (wait.slices.size() > m_limits.waitingSlicesPerStream || m_waitingSlices > m_limits.waitingSlices)
        return Patience::OverForGood;

    const bool onlyReset = wait.slices.empty() && wait.end && wait.end->how == StreamEnd::Reset;
    // After a RST nobody sends anything again.
    const bool mayGiveUp = now != Blocker::Gap || stream.acknowledged > stream.next || onlyReset || connection.reset;
    if (mayGiveUp && !wait.graceRuns) {
        wait.graceRuns = true;
        wait.graceSince = m_now;
        wait.graceSincePacket = connection.packets();
    }
    if (wait.graceRuns && (m_now - wait.graceSince >= m_limits.grace ||
                           connection.packets() - wait.graceSincePacket >= m_limits.gracePackets))
        return Patience::Over;
    // Nobody acknowledges: the other direction is not captured.
    const bool silent = wait.peerPackets == peerPackets && m_now - wait.blockedSince >= m_limits.silentPeer;
    return silent ? Patience::OverForGood : Patience::Wait;
}

// Removes what blocks the stream now.
void TcpReassembler::giveUp(TcpConnection& connection, Side side, Patience how) {
    TcpStream& stream = connection.stream(side);
    TcpStream& peer = connection.stream(other(side));
    StreamWait& wait = m_waits.at(stream.wait);
    switch (blocker(connection, side)) {
    case Blocker::None:
        break;
    case Blocker::Start:
        stream.started = true;
        break;
    case Blocker::Order:
        peer.excused = std::max({peer.excused, wait.slices.front().needs, wait.slices.back().needs});
        break;
    case Blocker::Gap: {
        const bool onlyReset = wait.slices.empty() && wait.end->how == StreamEnd::Reset;
        const bool acknowledged = stream.acknowledged > stream.next;
        if (onlyReset && !acknowledged) {
            wait.end->at = stream.next; // a RST alone does not prove that anything was sent before it
            break;
        }
        Offset to = wait.known();
        if ((how == Patience::Over || onlyReset) && acknowledged) to = std::min(to, stream.acknowledged);
        lose(connection, side, to);
        break;
    }
    }
}

void TcpReassembler::endStream(TcpConnection& connection, Side side, StreamEnd how, PacketNumber packet,
                               Timestamp time) {
    open(connection);
    TcpStream& stream = connection.stream(side);
    stream.ended = true;
    if (how == StreamEnd::Reset) connection.reset = true;
    m_sink.streamEnded(connection.id, side, how, packet, time);
}

// Nothing more can come: hands on what waits, with its holes, in the order of the packets as far as possible.
void TcpReassembler::flush(TcpConnection& connection, StreamEnd how) {
    for (;;) {
        bool moved = false;
        for (const Side side : kSides)
            if (advance(connection, side)) moved = true;
        if (moved) continue;
        std::optional<Side> next;
        PacketNumber nextPacket;
        for (const Side side : kSides) {
            if (blocker(connection, side) == Blocker::None) continue;
            const StreamWait& wait = m_waits.at(connection.stream(side).wait);
            const PacketNumber packet = wait.slices.empty() ? wait.end->packet : wait.slices.front().slice.packet;
            if (next && packet > nextPacket) continue;
            next = side;
            nextPacket = packet;
        }
        if (!next) break;
        giveUp(connection, *next, Patience::OverForGood);
    }
    open(connection);
    for (const Side side : kSides) {
        TcpStream& stream = connection.stream(side);
        if (stream.ended) continue;
        // What was acknowledged and never seen. A single byte of it is rather a FIN, and much of it is rather an
        // acknowledgement gone wrong.
        if (stream.based && stream.acknowledged > stream.next + 1 && stream.acknowledged < stream.next + kPlausible)
            lose(connection, side, stream.acknowledged);
        endStream(connection, side, connection.reset ? StreamEnd::Reset : how, m_packet, m_now);
    }
}

} // namespace brokerscope
