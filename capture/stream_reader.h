// SPDX-License-Identifier: Apache-2.0
// From a packet source to streams: decodes each packet's layers, puts fragments and segments together, calls a
// StreamSink, and counts what the packets were. The one place where the parts of capture/ meet; both faces use it.
//
// Layers: something that changes streams (TLS) is a StreamSink that passes on to another one; it is given here as the
//         sink. The reader closes everything at the end, so a layer that hands on what it still holds when a stream
//         ends loses nothing.
// Bytes:  slices point into the source, or into the reader where fragments were put together: both must outlive them.
// Order:  see capture/types/stream.h. The same packets give the same calls, however the steps are cut.
// Threads: one.
#pragma once

#include "capture/ip_defragmenter.h"
#include "capture/link_layers.h"
#include "capture/packet_source.h"
#include "capture/tcp_reassembler.h"
#include "capture/types/connection_facts.h"
#include "capture/types/stream.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace brokerscope {

// What the packets were. All but `packets` add up to `packets`.
struct ReadReport {
    std::uint64_t packets = 0;
    std::uint64_t tcp = 0;
    std::uint64_t fragments = 0; // of IP datagrams, but for the one that makes a datagram whole
    std::uint64_t notTcp = 0;
    std::uint64_t cut = 0;       // by the snap length, before the end of the TCP header
    std::uint64_t malformed = 0; // headers that contradict themselves
    struct UnknownLinkType {
        std::uint16_t linkType = 0;
        std::string name;
        std::uint64_t packets = 0;
    };
    std::vector<UnknownLinkType> unknownLinkTypes; // packets that could not be looked into
    std::uint64_t otherUnknownLinkTypes = 0;       // more such packets, when there are too many types for a list

    // Not packets, but what became of fragments:
    std::uint64_t unfinishedDatagrams = 0;        // a fragment of them is missing
    std::optional<Error> datagramsCouldNotBeKept; // no room for temporary files
};

struct ReaderOptions {
    ReassemblyLimits reassembly;
    DefragmentLimits fragments;
    std::string temporaryFolder; // for datagrams put together; empty: as OpenOptions
};

class StreamReader {
  public:
    StreamReader(PacketSource& source, StreamSink& sink, const ReaderOptions& options = {});

    // Reads at most so many packets, fewer when a stop is requested. False: the source is at its end and everything
    // was handed on; there is nothing to step any more.
    bool step(std::uint64_t maxPackets, const std::stop_token& stop = {});
    // To the end, or until a stop is requested; then what was read is handed on. False: stopped.
    bool readAll(const std::stop_token& stop = {});
    // Hands on what waits for more and closes all connections, as at the end of the source. For readers that stop
    // early.
    void finish();
    // Nothing came for a while, and it is now this time by the clock of the capture (live): waiting streams may go on.
    void idleUntil(Timestamp now) { m_reassembler.advanceTo(now); }

    const ReadReport& report() const { return m_report; }
    // The lowest address of bytes of the source that will still be handed on; null when there are none. Who calls
    // PacketSource::releaseBefore() must not go past it.
    const std::uint8_t* lowestHeld() const;
    // Whether fragments of IP datagrams wait for others.
    bool fragmentsWait() const { return m_defragmenter.unfinished() != 0; }
    // See TcpReassembler::facts(): of connections that are not closed yet, connectionClosed() being the last moment.
    const ConnectionFacts* facts(ConnectionId id) const { return m_reassembler.facts(id); }

  private:
    void take(const Packet& packet);
    PacketKind decode(const Packet& packet);
    void countUnknown(std::uint16_t linkType);

    PacketSource& m_source;
    IpDefragmenter m_defragmenter;
    TcpReassembler m_reassembler;
    DecodedPacket m_decoded;
    ReadReport m_report;
    bool m_finished = false;
};

} // namespace brokerscope
