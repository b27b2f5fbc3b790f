// SPDX-License-Identifier: Apache-2.0
// Cuts one stream into TLS records, over any segmentation, and finds the record borders again after lost bytes.
//
// Bytes:  a record that lies in one slice is handed out where it lies; others are put together in a buffer of the
//         reader. Either way a view is valid during the call only.
// Holes:  missing bytes inside a record leave it whole in size, with its missing ranges told. When a record's border
//         is among them, the next border is searched and what was stepped over is told with the next record.
// Bounds: one record (18 KiB) in work; while searching also the slices of about one record.
#pragma once

#include "capture/tls/record_border_search.h"
#include "capture/types/bytes.h"
#include "capture/types/stream.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brokerscope {

struct MissingRange {
    std::uint32_t offset = 0, length = 0; // in the record's payload
};

struct TlsRecord {
    std::uint8_t type = 0;
    std::uint16_t version = 0;             // of the record header, which says little
    Bytes payload;                         // zeros where bytes are missing
    std::span<const MissingRange> missing; // empty for a whole record
    Hole hole = Hole::None;                // why bytes are missing
    std::uint64_t skipped = 0;             // bytes before this record whose record borders are not known ...
    std::uint64_t skippedHere = 0;         // ... and how many of them are in the capture all the same
    std::uint8_t timeDigits = 6;
    PacketNumber packet; // the packet that completed it
    Timestamp time;

    // Behind the last missing byte.
    std::uint32_t intactFrom() const { return missing.empty() ? 0 : missing.back().offset + missing.back().length; }
};

class TlsRecordSink {
  public:
    virtual ~TlsRecordSink() = default;
    virtual void record(Side from, const TlsRecord& record) = 0;
};

class TlsRecordReader {
  public:
    TlsRecordReader(Side from, TlsRecordSink& sink) : m_from(from), m_sink(&sink) {}

    // For a stream that may not begin at a record's border.
    void beginInside() { m_searching = true; }
    void feed(const Slice& slice);

  private:
    void feedHole(const Slice& slice);
    void feedHeader(StreamPiece& piece);
    void feedPayload(StreamPiece& piece);
    void finishRecord(Bytes payload, const Slice& slice);
    void search(const StreamPiece& piece);

    Side m_from;
    TlsRecordSink* m_sink;

    std::array<std::uint8_t, tls::recordHeaderSize> m_header{};
    std::size_t m_headerFill = 0;
    std::vector<StreamPiece> m_headerPieces; // those that the header begun lies in
    std::uint32_t m_payloadSize = 0;
    std::vector<std::uint8_t> m_buffer; // the record's payload so far, when it is not in one slice
    std::vector<MissingRange> m_missing;
    Hole m_hole = Hole::None;

    bool m_searching = false;
    RecordBorderSearch m_search;
    std::uint64_t m_skipped = 0, m_skippedHere = 0;
    std::vector<StreamPiece> m_todo; // the next piece is the last
};

} // namespace brokerscope
