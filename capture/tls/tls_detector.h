// SPDX-License-Identifier: Apache-2.0
// Decides from the first bytes of one stream whether it is TLS, and holds them until it has decided.
//
// At a stream's true start a ClientHello, a ServerHello or an alert is enough. Elsewhere (the capture began later, or
// the first bytes were lost) a record must be followed by another one or end with its segment.
// Bounds: holds at most about one record (18 KiB), and only while the bytes look like TLS.
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/stream.h"

#include <cstdint>
#include <vector>

namespace brokerscope {

class TlsDetector {
  public:
    enum class Verdict : std::uint8_t { Undecided, Tls, Plain };

    // `atStart`: the next bytes are the first ones of the stream.
    explicit TlsDetector(bool atStart) : m_atStart(atStart) {}

    // Takes bytes, not holes. With a verdict, take() has all slices that were held, this one included.
    Verdict add(const Slice& slice);
    std::vector<Slice> take();
    bool holdsBytes() const { return !m_held.empty(); }

    // The bytes that follow are not the first ones.
    void lostStart() { m_atStart = false; }
    // Whether the stream was seen from its start; if not, Plain may be a mistake.
    bool sawStart() const { return m_atStart; }

    // Whether a later slice of a stream that was taken for plain tells otherwise.
    static bool isWholeRecord(const Slice& slice);

  private:
    bool m_atStart;
    std::vector<Slice> m_held;
    std::vector<std::uint8_t> m_bytes; // of the held slices
};

} // namespace brokerscope
