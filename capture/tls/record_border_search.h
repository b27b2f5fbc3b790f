// SPDX-License-Identifier: Apache-2.0
// Finds the next border between TLS records in the middle of a stream: after lost bytes, or where a capture begins.
//
// Encrypted bytes hold everything that a header can look like, so a header alone (3 fixed bytes) is not enough: it must
// also start a segment, or its record must end with one, or be followed by another header. Programs write whole
// records, so this is found quickly.
//
// Bytes:  pieces are held as the slices they came in (not owned); only what one undecided header spans is copied.
// Bounds: holds the pieces of about one record (18 KiB).
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace brokerscope {

namespace tls {

constexpr std::size_t recordHeaderSize = 5;
constexpr std::size_t maxRecordPayload = (1 << 14) + 2048; // TLS 1.2's bound; TLS 1.3 stays below it

constexpr std::uint8_t changeCipherSpec = 20;
constexpr std::uint8_t alert = 21;
constexpr std::uint8_t handshake = 22;
constexpr std::uint8_t applicationData = 23;

// Whether the first five bytes can be the header of a record (SSL 3.0 to TLS 1.3).
bool isRecordHeader(Bytes bytes);
std::uint32_t recordPayloadSize(Bytes header);

} // namespace tls

// A slice of bytes (no hole), and whether it is the beginning of what a segment carried.
struct StreamPiece {
    Slice slice;
    bool startsSegment = true;

    // Takes the first `length` bytes away and returns them.
    StreamPiece cutFront(std::uint32_t length);
};

class RecordBorderSearch {
  public:
    // True when a border is found: take() has the pieces behind it then.
    bool add(const StreamPiece& piece);
    std::vector<StreamPiece> take();
    // Gives up all that is held; it counts as stepped over.
    void dropHeld();
    // Bytes that were found to lie before the border, since the last call.
    std::uint64_t takeSteppedOver();

  private:
    enum class Verdict : std::uint8_t { No, Yes, NeedsMore };

    bool scanAlone(StreamPiece piece);
    bool scanHeld();
    Verdict judge(std::size_t offset) const;
    static Verdict judgeAlone(const StreamPiece& piece);
    bool isBorder(std::size_t offset) const;
    void drop(std::size_t count);

    std::vector<StreamPiece> m_held;
    std::vector<std::uint8_t> m_flat; // the bytes of m_held in one piece
    std::uint64_t m_steppedOver = 0;
};

} // namespace brokerscope
