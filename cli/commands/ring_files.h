// SPDX-License-Identifier: Apache-2.0
// The files that a live capture goes to: one, or a ring whose oldest file is removed when a new one begins. Names of a
// ring are dumpcap's: OUT_00001_20261129165703.pcapng.
// Errors: those of CaptureWriter; the first one ends the capture.
#pragma once

#include "capture/capture_writer.h"
#include "capture/packet_source.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace brokerscope {

struct RingSettings {
    std::uint32_t files = 0;   // 0: no ring, one file
    std::uint64_t bytes = 0;   // a new file after so many bytes; 0: no such limit
    std::uint64_t seconds = 0; // a new file after so long; 0: no such limit
};

// "10x100MB", "24x3600s". nullopt: not of that form.
std::optional<RingSettings> readRing(std::string_view text);

class RingFiles {
  public:
    // `keyLog`: TLS secrets that every file begins with; may be empty.
    RingFiles(std::string path, const RingSettings& ring, const PacketSource& source, std::string keyLog);
    ~RingFiles();

    std::optional<Error> add(const Packet& packet);
    std::optional<Error> flush();
    std::optional<Error> rotate(Timestamp now); // to the next file
    std::optional<Error> close(Timestamp now);
    std::uint64_t bytes() const { return m_closedBytes + (m_writer ? m_writer->size() : 0); }

  private:
    std::optional<Error> open(Timestamp now);
    std::string nextName(Timestamp now);

    std::string m_path;
    RingSettings m_ring;
    const PacketSource& m_source;
    std::string m_keyLog;
    std::unique_ptr<CaptureWriter> m_writer;
    Timestamp m_opened{};
    std::deque<std::string> m_names;
    std::uint32_t m_count = 0;
    std::uint64_t m_closedBytes = 0;
};

} // namespace brokerscope
