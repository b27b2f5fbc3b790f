// SPDX-License-Identifier: Apache-2.0
// What TCP reassembly hands on: connections and, for each of their two streams, slices of bytes in stream order.
//
// A Slice is a piece of one packet's payload or, when `data` is null, bytes that are known to have been sent but are
// not in the capture (a hole with its size; no byte is ever invented).
//
// Bytes:   not owned; they point into the capture (or into a SpillFile) and live as long as the packet source.
// Order:   the slices of one stream come in sequence order and without overlap. Streams interleave as packets did,
//          but for this: bytes wait a little for those that they acknowledge, so that a request comes before its answer
//          even when the capture has them the other way round.
// Threads: a sink is called from one thread.
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/endpoint.h"
#include "capture/types/ids.h"
#include "capture/types/time.h"

#include <cstdint>

namespace brokerscope {

// Which end of a connection sent the bytes. First is the end that opened it (sent the SYN) or, when the handshake was
// not captured, the end whose packet came first. Who is client and who is broker is for the dissector to find out.
enum class Side : std::uint8_t { First, Second };

constexpr Side other(Side side) {
    return side == Side::First ? Side::Second : Side::First;
}

enum class Hole : std::uint8_t {
    None, // the bytes are here
    Cut,  // the packet was captured, but not its end (snap length)
    Lost, // the packet is not in the capture, or came later than the reassembler could wait
};

struct Slice {
    const std::uint8_t* data = nullptr; // null exactly when hole != None
    std::uint32_t length = 0;
    Hole hole = Hole::None;
    std::uint8_t timeDigits = 6;
    PacketNumber packet; // the packet that carried it; for Lost the packet that revealed the loss
    Timestamp time;      // of that packet

    Bytes bytes() const { return {data, data ? length : 0}; }
};

struct Connection {
    ConnectionId id;
    Endpoint first, second;     // see Side
    bool handshakeSeen = false; // a SYN was captured: both streams begin at their first byte
    Timestamp start;

    const Endpoint& end(Side side) const { return side == Side::First ? first : second; }
};

enum class StreamEnd : std::uint8_t {
    Fin,          // this side closed in order
    Reset,        // this side sent RST; or the other one did and this side fell silent
    Replaced,     // the same addresses and ports opened a new connection
    CaptureEnded, // the capture ended while the stream was open
    Forgotten,    // too many connections at once: the one silent for longest was given up
};

class StreamSink {
  public:
    virtual ~StreamSink() = default;

    virtual void connectionOpened(const Connection& connection) = 0;
    // Bytes or a hole of the stream that `from` sends.
    virtual void bytes(ConnectionId connection, Side from, const Slice& slice) = 0;
    // The stream that `from` sends is over; once a side for Fin and Reset, both sides for the rest.
    virtual void streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber packet,
                             Timestamp time) = 0;
    // A segment was sent once more: its bytes were handed on already, or it fills a hole after the other end had the
    // time to ask for it. Said when it comes; bytes() may have to wait longer.
    virtual void sentAgain(ConnectionId /*connection*/, Side /*from*/, Timestamp) {}
    // How long a packet takes to the other end and back, as far as known now: see ConnectionFacts::roundTrip().
    virtual void roundTripSeen(ConnectionId /*connection*/, Duration) {}
    // Nothing more will come for this connection: its state may be freed.
    virtual void connectionClosed(ConnectionId connection) = 0;
};

} // namespace brokerscope
