// SPDX-License-Identifier: Apache-2.0
// Segments come in here and connections begin and end here; how a stream goes on is in tcp/stream_progress.cpp.
#include "capture/tcp_reassembler.h"

#include "capture/tcp/sequence.h"

#include <algorithm>

namespace brokerscope {
namespace {

// So many segments in a row that fit nowhere but follow each other are a connection of their own.
constexpr std::uint8_t kStrangeInARow = 3;
constexpr std::uint32_t kStrangeStep = 1 << 20;

constexpr std::size_t kRecentPackets = 8192;
constexpr Duration kLookAroundEvery = std::chrono::milliseconds{10};
constexpr std::uint32_t kLookAroundPackets = 4096;

Side sideOf(const TcpConnection& connection, const DirectedFlow& flow) {
    return flow.fromEndOne == connection.firstIsEndOne ? Side::First : Side::Second;
}

Slice sliceOf(const Segment& segment) {
    Slice slice;
    slice.data = segment.payload.data();
    slice.length = static_cast<std::uint32_t>(segment.payload.size());
    slice.timeDigits = segment.timeDigits;
    slice.packet = segment.packet;
    slice.time = segment.time;
    return slice;
}

Slice cutOf(const Segment& segment) {
    Slice slice = sliceOf(segment);
    slice.data = nullptr;
    slice.length = segment.cut;
    slice.hole = Hole::Cut;
    return slice;
}

void base(TcpStream& stream, std::uint32_t seq) {
    stream.origin = stream.next = firstOffset(seq);
    stream.based = true;
    if (stream.acknowledged == 0) return;
    // The other side was heard first.
    stream.acknowledged = toOffset(static_cast<std::uint32_t>(stream.acknowledged), stream.next);
    if (stream.acknowledged > stream.next + kPlausible) stream.acknowledged = 0;
}

// What a RST carries is an explanation for people (RFC 9293, 3.5.3), no part of the stream.
bool carriesData(const Segment& segment) {
    return segment.length() > 0 && !segment.has(Segment::kRst);
}

std::uint32_t dataSeq(const Segment& segment) {
    return segment.seq + (segment.has(Segment::kSyn) ? 1 : 0);
}

} // namespace

TcpReassembler::TcpReassembler(StreamSink& sink, const ReassemblyLimits& limits)
    : m_sink(sink), m_limits(limits), m_recent(kRecentPackets) {}

void TcpReassembler::add(const Segment& segment) {
    m_packet = segment.packet;
    m_now = segment.time;
    m_timeDigits = segment.timeDigits;
    const DirectedFlow flow = flowOf(segment.source, segment.destination);
    const std::uint64_t hash = m_connections.hashOf(flow.key);
    m_duplicate = isDuplicate(segment, flow, hash);

    std::uint32_t slot = m_connections.find(flow.key, hash);
    if (slot == ConnectionTable::kNone) {
        if (m_duplicate) return; // a late copy from a connection that is over
        slot = create(flow, hash, segment);
    }
    if (!takeInOrder(m_connections.at(slot), sideOf(m_connections.at(slot), flow), segment)) {
        if (opensAnother(m_connections.at(slot), sideOf(m_connections.at(slot), flow), segment)) {
            close(slot, StreamEnd::Replaced);
            slot = create(flow, hash, segment);
        }
        if (segment.has(Segment::kSyn)) nameSides(m_connections.at(slot), flow, segment);
        take(slot, sideOf(m_connections.at(slot), flow), segment);
    }
    advanceTo(segment.time);
}

void TcpReassembler::advanceTo(Timestamp now) {
    if (now - m_lookedAround < kLookAroundEvery && now >= m_lookedAround && ++m_sinceLook < kLookAroundPackets) return;
    m_now = now;
    lookAround();
}

void TcpReassembler::finish() {
    for (const std::uint32_t slot : m_connections.allInOrder())
        close(slot, StreamEnd::CaptureEnded);
    m_lingering.clear();
}

const ConnectionFacts* TcpReassembler::facts(ConnectionId id) const {
    const std::uint32_t slot = m_connections.find(id);
    return slot == ConnectionTable::kNone ? nullptr : &m_connections.at(slot).facts;
}

// --- connections ---

std::uint32_t TcpReassembler::create(const DirectedFlow& flow, std::uint64_t hash, const Segment& segment) {
    if (m_connections.size() >= m_limits.connections) forgetOne();
    const std::uint32_t slot = m_connections.create(flow.key, hash);
    TcpConnection& connection = m_connections.at(slot);
    // Who answers a SYN is second; otherwise who is heard first is first.
    const bool answer = segment.has(Segment::kSyn) && segment.has(Segment::kAck);
    connection.firstIsEndOne = flow.fromEndOne != answer;
    connection.facts.firstTime = connection.facts.lastTime = segment.time;
    return slot;
}

// A SYN that was captured behind other packets may show that the sides are the other way round. Nobody was told yet.
void TcpReassembler::nameSides(TcpConnection& connection, const DirectedFlow& flow, const Segment& syn) {
    const Side proper = syn.has(Segment::kAck) ? Side::Second : Side::First;
    if (connection.opened || sideOf(connection, flow) == proper) return;
    connection.firstIsEndOne = !connection.firstIsEndOne;
    std::swap(connection.streams[0], connection.streams[1]);
    std::swap(connection.facts.streams[0], connection.facts.streams[1]);
}

void TcpReassembler::forgetOne() {
    while (!m_lingering.empty()) {
        const Lingering over = m_lingering.front();
        m_lingering.pop_front();
        if (m_connections.at(over.slot).id != over.id) continue;
        close(over.slot, StreamEnd::Forgotten);
        return;
    }
    const std::uint32_t slot = m_connections.candidateToForget();
    if (slot != ConnectionTable::kNone) close(slot, StreamEnd::Forgotten);
}

void TcpReassembler::open(TcpConnection& connection) {
    if (connection.opened) return;
    connection.opened = true;
    m_sink.connectionOpened(describe(connection));
}

void TcpReassembler::close(std::uint32_t slot, StreamEnd how) {
    TcpConnection& connection = m_connections.at(slot);
    flush(connection, how);
    m_sink.connectionClosed(connection.id);
    m_connections.free(slot);
}

void TcpReassembler::startLinger(std::uint32_t slot) {
    TcpConnection& connection = m_connections.at(slot);
    connection.lingering = true;
    m_lingering.push_back({slot, connection.id, m_now + m_limits.linger});
}

// Time has passed: streams may give up what they wait for, and ended connections go. When very many streams wait, they
// take turns, so that one call stays short.
void TcpReassembler::lookAround() {
    constexpr std::size_t kWaitsAtOnce = 256;
    m_lookedAround = m_now;
    m_sinceLook = 0;
    const std::vector<std::uint32_t>& waits = m_waits.used();
    for (std::size_t left = std::min(waits.size(), kWaitsAtOnce); left > 0 && !waits.empty(); --left) {
        if (m_nextWait >= waits.size()) m_nextWait = 0;
        const std::uint32_t index = waits[m_nextWait];
        settle(m_waits.at(index).slot);
        // A wait that is over gave its place to another one.
        if (m_nextWait < waits.size() && waits[m_nextWait] == index) ++m_nextWait;
    }
    while (!m_lingering.empty() && m_lingering.front().due <= m_now) {
        Lingering over = m_lingering.front();
        m_lingering.pop_front();
        if (m_connections.at(over.slot).id != over.id) continue;
        over.due = m_connections.at(over.slot).facts.lastTime + m_limits.linger;
        if (over.due > m_now)
            m_lingering.push_back(over);
        else
            close(over.slot, StreamEnd::CaptureEnded);
    }
}

bool TcpReassembler::isStrange(const TcpStream& stream, std::uint32_t seq) const {
    if (!stream.based) return false;
    const Offset at = toOffset(seq, stream.next);
    if (at < stream.next) return at + kPlausible < stream.origin;
    Offset reach = std::max(stream.next, stream.acknowledged);
    if (stream.waits()) reach = std::max(reach, m_waits.at(stream.wait).reach());
    return at > reach + kPlausible;
}

// Does the segment belong to a new connection with the same addresses and ports?
bool TcpReassembler::opensAnother(TcpConnection& connection, Side side, const Segment& segment) {
    if (m_duplicate) return false;
    if (segment.has(Segment::kSyn)) return !synFits(connection, side, segment);
    if (!carriesData(segment)) return false;
    TcpStream& stream = connection.stream(side);
    const bool strange = isStrange(stream, segment.seq);
    if (stream.ended) {
        // One byte behind the end may be a keep-alive that repeats the place of the FIN.
        return strange || !stream.based || toOffset(segment.seq, stream.next) + segment.length() > stream.next + 1;
    }
    if (!strange) {
        stream.strangeCount = 0;
        return false;
    }
    if (segment.has(Segment::kAck) && connection.stream(other(side)).based &&
        isStrange(connection.stream(other(side)), segment.ack))
        return true; // neither direction has to do with what was here
    const bool follows = stream.strangeCount > 0 && segment.seq - stream.strangeSeq < kStrangeStep;
    stream.strangeCount = follows ? static_cast<std::uint8_t>(stream.strangeCount + 1) : std::uint8_t{1};
    stream.strangeSeq = segment.seq + segment.length();
    return stream.strangeCount >= kStrangeInARow;
}

// Is the SYN one of this connection: the first one of its side, or a repetition?
bool TcpReassembler::synFits(const TcpConnection& connection, Side side, const Segment& segment) const {
    const TcpStream& stream = connection.stream(side);
    const TcpStream& peer = connection.stream(other(side));
    const bool answer = segment.has(Segment::kAck);
    const bool answersPeer = answer && peer.based && segment.ack - static_cast<std::uint32_t>(peer.origin) < 0x10000;
    if (stream.based) {
        const Offset origin = toOffset(segment.seq + 1, stream.next);
        if (origin == stream.origin) return true;
        // Data that was captured before its SYN, or a second answer to the same SYN.
        if (!stream.started) return origin < stream.origin && origin + kPlausible > stream.origin;
        return answersPeer && stream.next == stream.origin && !stream.waits() && !stream.ended;
    }
    if (stream.ended) return false; // refused, and now accepted
    if (!peer.based) return true;
    // Packets of the other side were captured before this one.
    if (!peer.started) return !answer || !isStrange(peer, segment.ack);
    if (answer) return answersPeer;
    return connection.handshakeSeen && peer.next == peer.origin; // both ends open at once
}

// --- one segment ---

// The hot path: the next segment of a stream on which nothing waits.
bool TcpReassembler::takeInOrder(TcpConnection& connection, Side side, const Segment& segment) {
    constexpr std::uint8_t kSpecial = Segment::kSyn | Segment::kFin | Segment::kRst;
    TcpStream& stream = connection.stream(side);
    TcpStream& peer = connection.stream(other(side));
    if ((segment.flags & (kSpecial | Segment::kAck)) != Segment::kAck || segment.cut) return false;
    if (!stream.started || stream.ended || stream.waits() || !peer.based || peer.waits()) return false;
    if (segment.seq != static_cast<std::uint32_t>(stream.next)) return false;
    const Offset acknowledged = toOffset(segment.ack, peer.next);
    if (acknowledged > peer.next && !peer.ended) return false;

    count(connection, side, segment);
    if (acknowledged > peer.acknowledged && !peer.ended) peer.acknowledged = acknowledged;
    if (!connection.facts.synAckToAck) takeAck(connection, side, segment);
    stream.strangeCount = 0;
    if (segment.payload.empty()) return true;
    stream.next += segment.payload.size();
    if (!connection.handshakeSeen && stream.timedEnd == 0) {
        stream.timedEnd = stream.next;
        stream.timedSince = segment.time;
    }
    emit(connection, side, sliceOf(segment));
    return true;
}

void TcpReassembler::take(std::uint32_t slot, Side side, const Segment& segment) {
    TcpConnection& connection = m_connections.at(slot);
    count(connection, side, segment);
    if (segment.has(Segment::kSyn))
        takeSyn(connection, side, segment);
    else if (isStrange(connection.stream(side), segment.seq))
        return;
    if (segment.has(Segment::kAck)) takeAck(connection, side, segment);
    if (carriesData(segment)) takePayload(slot, side, segment);
    if (segment.has(Segment::kFin)) takeFin(slot, side, segment);
    if (segment.has(Segment::kRst)) takeReset(slot, side, segment);
    settle(slot);
}

void TcpReassembler::takeSyn(TcpConnection& connection, Side side, const Segment& segment) {
    TcpStream& stream = connection.stream(side);
    TcpStream& peer = connection.stream(other(side));
    StreamFacts& facts = connection.facts.from(side);
    if (segment.mss) facts.maximumSegmentSize = segment.mss;
    if (segment.windowScale >= 0) facts.windowScale = segment.windowScale;

    if (!stream.based)
        base(stream, segment.seq + 1);
    else if (!stream.started || stream.next == stream.origin)
        stream.origin = stream.next = toOffset(segment.seq + 1, stream.next);
    stream.started = true;
    if (segment.has(Segment::kAck)) {
        if (!peer.based)
            base(peer, segment.ack);
        else if (!peer.started)
            peer.origin = peer.next = std::min(peer.next, toOffset(segment.ack, peer.next));
        peer.started = true;
        // Clocks of two interfaces may disagree; a time that runs backwards is no round trip.
        if (!connection.facts.synToSynAck && connection.handshakeSeen && segment.time >= connection.handshakeTime)
            connection.facts.synToSynAck = segment.time - connection.handshakeTime;
    }
    if (!m_duplicate) connection.handshakeTime = segment.time;
    connection.handshakeSeen = true;
    open(connection);
}

void TcpReassembler::takeAck(TcpConnection& connection, Side side, const Segment& segment) {
    TcpStream& peer = connection.stream(other(side));
    const TcpStream& stream = connection.stream(side);
    const bool openerIsSilent = connection.handshakeSeen && side == Side::First && stream.started &&
                                toOffset(segment.seq, stream.next) == stream.origin;
    // The answer to the SYN is not in the capture: what the opener acknowledges before it says anything stands for it.
    if (!peer.based && openerIsSilent) base(peer, segment.ack);
    if (!peer.based) {
        // Kept as it is until the stream is known.
        const Offset first = firstOffset(segment.ack);
        if (peer.acknowledged == 0 || toOffset(segment.ack, peer.acknowledged) > peer.acknowledged)
            peer.acknowledged = first;
        return;
    }
    const Offset acknowledged = toOffset(segment.ack, peer.next);
    if (acknowledged > peer.acknowledged) {
        // One that is far ahead is believed when a second one says so too: then that much was not captured.
        if (!isStrange(peer, segment.ack) || (segment.ack - peer.farAck < kPlausible && !m_duplicate))
            peer.acknowledged = acknowledged;
        else
            peer.farAck = segment.ack;
    }
    if (peer.timedEnd != 0) timeAck(connection, other(side), acknowledged, segment.time);

    ConnectionFacts& facts = connection.facts;
    if (facts.synToSynAck && !facts.synAckToAck && !segment.has(Segment::kSyn) && acknowledged >= peer.origin &&
        side == Side::First && segment.time >= connection.handshakeTime) {
        facts.synAckToAck = segment.time - connection.handshakeTime;
        m_sink.roundTripSeen(connection.id, *facts.roundTrip());
    }
}

// Without a handshake the quickest answer to data tells how far the other end is; it may be one that was put off.
void TcpReassembler::timeAck(TcpConnection& connection, Side acknowledged, Offset upTo, Timestamp now) {
    TcpStream& stream = connection.stream(acknowledged);
    if (upTo < stream.timedEnd) return;
    stream.timedEnd = 0;
    std::optional<Duration>& least = connection.facts.from(acknowledged).leastToAck;
    const Duration took = now - stream.timedSince;
    if (took < Duration{} || (least && *least <= took)) return;
    least = took;
    if (const auto trip = connection.facts.roundTrip()) m_sink.roundTripSeen(connection.id, *trip);
}

void TcpReassembler::takePayload(std::uint32_t slot, Side side, const Segment& segment) {
    TcpConnection& connection = m_connections.at(slot);
    TcpStream& stream = connection.stream(side);
    const TcpStream& peer = connection.stream(other(side));
    if (!stream.based) base(stream, dataSeq(segment));
    const Offset begin = toOffset(dataSeq(segment), stream.next);
    const Offset end = begin + segment.length();
    // Earlier than what was taken for the start, and still in time.
    if (!stream.started && begin < stream.next) stream.origin = stream.next = begin;
    const bool probe = segment.length() == 1 && !segment.has(Segment::kPush) && stream.acknowledged >= end;
    if (probe) return;

    std::uint32_t fresh = 0;
    bool outOfOrder = false;
    const bool late = comesLate(connection, side, begin, segment.time);
    if (!stream.ended && end > stream.next) {
        // Data behind a FIN or RST that has not been reached: that was none of this stream.
        if (stream.waits() && m_waits.at(stream.wait).end && end > m_waits.at(stream.wait).end->at)
            m_waits.at(stream.wait).end.reset();
        Offset needs = 0;
        const bool peerIsCaptured = connection.facts.from(other(side)).packets > 0;
        if (segment.has(Segment::kAck) && peer.based && !peer.ended && peerIsCaptured)
            needs = toOffset(segment.ack, peer.next);
        const Offset captured = begin + segment.payload.size();
        if (captured > stream.next) fresh += store(slot, side, {begin, needs, sliceOf(segment)}, outOfOrder);
        if (segment.cut) fresh += store(slot, side, {captured, needs, cutOf(segment)}, outOfOrder);
    }

    StreamFacts& facts = connection.facts.from(side);
    if (outOfOrder) ++facts.outOfOrderSegments;
    if (m_duplicate) return;
    const bool again = segment.length() > 1 && (fresh == 0 || late);
    if (again && connection.opened) m_sink.sentAgain(connection.id, side, segment.time);
    if (fresh == segment.length()) return;
    facts.retransmittedBytes += segment.length() - fresh;
    stream.timedEnd = 0; // which of the two is acknowledged cannot be told
    if (fresh == 0 && segment.length() > 1) ++facts.retransmittedSegments;
}

// Does it fill a hole so late that the other end had the time to ask for it? Sooner it was only overtaken on the way.
bool TcpReassembler::comesLate(const TcpConnection& connection, Side side, Offset begin, Timestamp now) const {
    constexpr Duration kOvertaken = std::chrono::milliseconds{3};
    const TcpStream& stream = connection.stream(side);
    if (!stream.waits()) return false;
    const WaitingSlices& waiting = m_waits.at(stream.wait).slices;
    const auto behind = std::ranges::upper_bound(waiting, begin, {}, &WaitingSlice::offset);
    return behind != waiting.end() && now - behind->slice.time >= connection.facts.roundTrip().value_or(kOvertaken);
}

// Lays a slice with the waiting ones; settle() takes it from there when nothing is in the way. Gives what was new.
std::uint32_t TcpReassembler::store(std::uint32_t slot, Side side, WaitingSlice slice, bool& outOfOrder) {
    TcpStream& stream = m_connections.at(slot).stream(side);
    if (slice.end() <= stream.next) return 0;
    if (slice.offset < stream.next) slice = partOf(slice, stream.next, slice.end());
    WaitingSlices& waiting = waitOf(slot, side).slices;
    const bool late = !waiting.empty() && slice.offset < waiting.back().offset;
    const std::size_t before = waiting.size();
    const std::uint32_t fresh = waiting.insert(slice);
    m_waitingSlices += waiting.size() - before;
    if (late && fresh > 0 && slice.slice.hole == Hole::None) outOfOrder = true;
    return fresh;
}

void TcpReassembler::takeFin(std::uint32_t slot, Side side, const Segment& segment) {
    TcpStream& stream = m_connections.at(slot).stream(side);
    const std::uint32_t seq = dataSeq(segment) + segment.length();
    if (!stream.based) base(stream, seq);
    const Offset at = toOffset(seq, stream.next);
    if (stream.ended || at < stream.next) return;
    StreamWait& wait = waitOf(slot, side);
    if (!wait.slices.empty() && at < wait.slices.back().end()) return;
    if (!wait.end) wait.end = StreamWait::End{at, StreamEnd::Fin, segment.packet, segment.time};
}

// The place of a RST is where its sender is, or what the other side had acknowledged; it may lie ahead when segments
// are missing or were captured in another order.
void TcpReassembler::takeReset(std::uint32_t slot, Side side, const Segment& segment) {
    TcpConnection& connection = m_connections.at(slot);
    TcpStream& stream = connection.stream(side);
    const TcpStream& peer = connection.stream(other(side));
    if (stream.ended) return;
    if (!stream.based) {
        // An answer to a SYN, or a connection of which only this is known.
        const bool fits = !segment.has(Segment::kAck) || !isStrange(peer, segment.ack);
        if (fits) endStream(connection, side, StreamEnd::Reset, segment.packet, segment.time);
        return;
    }
    Offset at = std::max(toOffset(segment.seq, stream.next), stream.next);
    StreamWait& wait = waitOf(slot, side);
    if (!wait.slices.empty()) at = std::max(at, wait.slices.back().end());
    if (!wait.end)
        wait.end = StreamWait::End{at, StreamEnd::Reset, segment.packet, segment.time};
    else if (wait.end->how == StreamEnd::Fin)
        connection.reset = true; // the FIN waits for missing bytes, and they will not come any more
}

void TcpReassembler::count(TcpConnection& connection, Side side, const Segment& segment) {
    ConnectionFacts& all = connection.facts;
    StreamFacts& facts = all.from(side);
    all.firstTime = std::min(all.firstTime, segment.time);
    all.lastTime = std::max(all.lastTime, segment.time);
    ++facts.packets;
    facts.bytes += segment.length();
    facts.cutBytes += segment.cut;
    if (m_duplicate) ++facts.duplicatePackets;
    if (segment.has(Segment::kRst))
        ++facts.resets;
    else if (segment.window == 0)
        ++facts.zeroWindows;
}

// A packet that was captured twice is the same down to IP identification and the sender's clock; a retransmission is
// not. Older packets give way, so no list grows.
bool TcpReassembler::isDuplicate(const Segment& segment, const DirectedFlow& flow, std::uint64_t hash) {
    std::uint64_t print = hash + (flow.fromEndOne ? 1 : 0);
    const auto mix = [&print](std::uint64_t value) {
        print = (print ^ value) * 0x9e3779b97f4a7c15;
        print ^= print >> 32;
    };
    mix(std::uint64_t{segment.seq} << 32 | segment.ack);
    mix(std::uint64_t{segment.sentClock} << 32 | segment.length());
    mix(std::uint64_t{segment.ipId} << 32 | std::uint64_t{segment.flags} << 16 | segment.window);
    std::uint32_t& place = m_recent[print % kRecentPackets];
    const auto tag = static_cast<std::uint32_t>(print >> 32);
    const bool seen = place == tag;
    place = tag;
    return seen;
}

} // namespace brokerscope
