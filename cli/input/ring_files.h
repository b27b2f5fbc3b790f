// SPDX-License-Identifier: Apache-2.0
// The files that a live capture goes to: one, or one after the other, of which the oldest are removed when there are
// more than the ring holds.
//
// Names:   those of a ring are dumpcap's, OUT_00001_20261129165703.pcapng. A name with % is tcpdump's: strftime makes
// it
//          from the time of the file's first packet (kafka-%H%M.pcapng), and a number is added where it repeats.
// Secrets: each file begins with those that came since the file before it began, the first with all; later ones stand
//          where they came. Read together or alone, a file has what its handshakes need.
// Errors:  those of CaptureWriter; the first one ends the capture.
// Threads: one.
#pragma once

#include "capture/capture_writer.h"
#include "capture/packet_source.h"
#include "capture/tls/key_log.h"

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace brokerscope {

struct RingSettings {
    std::uint32_t files = 0;   // the most files that are kept; 0: all
    std::uint64_t bytes = 0;   // a new file after so many bytes; 0: no such limit
    std::uint64_t seconds = 0; // a new file after so long; 0: no such limit

    bool rotates() const { return bytes != 0 || seconds != 0; }
};

// "10x100MB", "24x3600s", "100MB". nullopt: not of that form.
std::optional<RingSettings> readRing(std::string_view text);

class RingFiles {
  public:
    // `keys`: TLS secrets that are written too; may be null.
    RingFiles(std::string path, const RingSettings& ring, const PacketSource& source, KeyLog* keys);
    ~RingFiles();

    void comment(std::string text) { m_comment = std::move(text); } // on each file; before begin()
    std::optional<Error> begin(Timestamp now);                      // the first file
    std::optional<Error> add(const Packet& packet);
    std::optional<Error> flush();
    std::optional<Error> rotate(Timestamp now); // to the next file
    std::optional<Error> close(Timestamp now);
    std::uint64_t bytes() const { return m_closedBytes + (m_writer ? m_writer->size() : 0); }

  private:
    bool isFull(Timestamp now) const;
    std::string nextName(Timestamp now);
    void passSecrets();

    std::string m_path;
    RingSettings m_ring;
    const PacketSource& m_source;
    KeyLog* m_keys;
    std::string m_comment;
    std::unique_ptr<CaptureWriter> m_writer;
    bool m_empty = true;                                        // no packet in this file
    Timestamp m_opened{};                                       // time of its first packet
    std::uint64_t m_secretsWritten = 0, m_secretsAtOpening = 0; // numbers of KeyLog::stored()
    std::chrono::steady_clock::time_point m_keysRead{};
    std::deque<std::string> m_names; // of the files that are there
    std::string m_lastStem;
    std::uint32_t m_count = 0;
    std::uint64_t m_closedBytes = 0;
};

} // namespace brokerscope
