// SPDX-License-Identifier: Apache-2.0
// Where packets come from: capture files (openCapture in capture/capture_file.h), standard input, a live device.
//
// Bytes:   what next() hands out stays valid and unmoved as long as the source lives, except what releaseBefore()
//          gave up.
// Memory:  bounded, whatever the input's size: files are mapped, streams go to a SpillFile.
// Errors:  a source never fails while it is read. What cannot be read is damage: everything before it was handed out,
//          and info().damage says where reading stopped and what was lost.
// Threads: one thread reads; stop() may be called from any thread and from a signal handler.
#pragma once

#include "capture/types/packet.h"
#include "capture/types/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

// How an interface counts time: units of 10^-exponent or, when binary, of 2^-exponent seconds.
struct TimeResolution {
    bool binary = false;
    std::uint8_t exponent = 6;

    bool operator==(const TimeResolution&) const = default;
};

// What the capturing program counted (pcapng interface statistics; live: the device). Absent: not told.
struct InterfaceCounts {
    std::optional<std::uint64_t> received;           // packets that the interface saw
    std::optional<std::uint64_t> droppedByInterface; // no room in the interface
    std::optional<std::uint64_t> accepted;           // passed the capture filter
    std::optional<std::uint64_t> droppedBySystem;    // no room in the operating system's buffer
    std::optional<std::uint64_t> delivered;          // reached the capturing program
};

struct CaptureInterface {
    std::string name; // empty when the capture does not tell, as in every pcap file
    std::string description;
    std::string filter;           // the capture filter
    std::string file;             // which file of the capture it belongs to; empty for a device
    std::uint16_t linkType = 0;   // LINKTYPE_ value
    std::uint32_t snapLength = 0; // 0: no limit
    TimeResolution resolution;
    std::int64_t timeOffset = 0; // seconds that were added to each of its times
    InterfaceCounts counts;
};

// All that a capture says beside its packets. It grows while packets are read.
struct CaptureInfo {
    std::vector<CaptureInterface> interfaces;           // Packet::interface is an index into it
    std::vector<std::string> comments;                  // about the whole capture or an interface
    std::string application, operatingSystem, hardware; // what wrote it, where that is told
    std::string keyLog;                                 // embedded TLS secrets, NSS key log text; only ever appended to
    std::vector<Error> damage;                          // at most one for each file of the capture, in the order met

    std::uint64_t packets = 0;    // handed out so far
    std::uint64_t cutPackets = 0; // of these: shorter than they were on the wire (snap length)
    std::uint64_t capturedBytes = 0, originalBytes = 0;
    std::uint64_t commentedPackets = 0;
    std::uint64_t untimedPackets = 0; // simple packet blocks have no time: they get that of the packet before

    // Packets that never reached the capture, as far as it was counted.
    std::uint64_t dropped() const {
        std::uint64_t total = 0;
        for (const CaptureInterface& interface : interfaces)
            total += interface.counts.droppedBySystem.value_or(0) + interface.counts.droppedByInterface.value_or(0);
        return total;
    }
};

struct Progress {
    std::uint64_t bytesRead = 0;             // of the files as they lie on disk
    std::optional<std::uint64_t> bytesTotal; // unknown for streams
};

class PacketSource {
  public:
    virtual ~PacketSource() = default;

    // The next packet; waits for it when the input is a stream or a device. False: at the end (or stopped).
    virtual bool next(Packet& out) = 0;
    // True when next() would not have to wait, that is a packet or the end is here; waits at most so long for it.
    // Who prints packets of a growing input flushes when this is false.
    virtual bool ready(std::chrono::milliseconds wait) = 0;
    // From now on next() hands out what was taken in already and then says that this is the end; nothing waits any
    // more.
    virtual void stop() noexcept = 0;

    virtual const CaptureInfo& info() const = 0;
    // The comments on the packet that next() gave last; valid until the next call of next() or ready().
    virtual std::span<const std::string_view> packetComments() const = 0;
    virtual Progress progress() const = 0;

    // No byte of this stream before `position` (a pointer into an earlier packet's bytes) will be looked at again:
    // disk space behind it may be given back. For streams that run for days; does nothing for mapped files.
    virtual void releaseBefore(const std::uint8_t* position) = 0;
};

} // namespace brokerscope
