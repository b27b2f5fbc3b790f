// SPDX-License-Identifier: Apache-2.0
// Packets of a capture into a pcapng file, as they were: with their times, interfaces, comments and what the capturing
// program counted. What `export` stands on.
//
// A PacketChoice says which packets are taken and adds comments of its own; without one all are. TLS secrets that stand
// in the capture are kept where they stood, unless `keepSecrets` is false; those of a key log can be put before them.
//
// Bytes:   copied packet by packet; nothing is kept.
// Errors:  of the writer: the first one ends the copying. Damage of the input is for the caller to judge (info()).
// Threads: one.
#pragma once

#include "capture/capture_writer.h"
#include "capture/packet_source.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

class PacketChoice {
  public:
    virtual ~PacketChoice() = default;
    // Asked for each packet in order. `comments` holds those of the packet itself; texts that are added must live until
    // the next call.
    virtual bool take(const Packet& packet, std::vector<std::string_view>& comments) = 0;
};

struct PacketExportOptions {
    bool keepSecrets = true; // those that stand in the capture
    std::string addSecrets;  // NSS key log text; written before the first packet
};

struct PacketExportCounts {
    std::uint64_t packets = 0;     // written
    std::uint64_t secretBytes = 0; // key log text written
    std::uint64_t secretBytesDropped = 0;
};

class PacketExport {
  public:
    PacketExport(PacketSource& source, CaptureWriter& writer, PacketExportOptions options);

    // To the end of the source. `step` is called from time to time.
    std::optional<Error> run(PacketChoice* choice = nullptr, const std::function<void()>& step = {});
    const PacketExportCounts& counts() const { return m_counts; }

  private:
    void passSecrets();
    void passInterfaces();
    void passCounts(Timestamp now);

    PacketSource& m_source;
    CaptureWriter& m_writer;
    PacketExportOptions m_options;
    PacketExportCounts m_counts;
    std::size_t m_secretsPassed = 0; // of CaptureInfo::keyLog
};

// Whether both names lead to the same file, so that writing one would destroy the other.
bool sameFile(const std::string& a, const std::string& b);

} // namespace brokerscope
