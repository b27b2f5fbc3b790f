// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/record_reader.h"

#include <algorithm>
#include <utility>

namespace brokerscope {

void TlsRecordReader::feed(const Slice& slice) {
    if (slice.length == 0) return;
    if (slice.hole != Hole::None) {
        feedHole(slice);
        return;
    }
    m_todo.push_back({slice, true});
    while (!m_todo.empty()) {
        StreamPiece piece = m_todo.back();
        m_todo.pop_back();
        if (m_searching) {
            search(piece);
            continue;
        }
        if (m_headerFill < tls::recordHeaderSize)
            feedHeader(piece);
        else
            feedPayload(piece);
        if (piece.slice.length > 0) m_todo.push_back(piece);
    }
}

void TlsRecordReader::feedHole(const Slice& slice) {
    std::uint32_t outside = slice.length;
    if (m_searching) {
        m_search.dropHeld();
    } else if (m_headerFill == tls::recordHeaderSize) {
        const auto wanted = m_payloadSize - static_cast<std::uint32_t>(m_buffer.size());
        const std::uint32_t inside = std::min(slice.length, wanted);
        m_missing.push_back({static_cast<std::uint32_t>(m_buffer.size()), inside});
        m_buffer.resize(m_buffer.size() + inside);
        if (m_hole != Hole::Lost) m_hole = slice.hole;
        if (inside == wanted) finishRecord(m_buffer, slice);
        outside -= inside;
    }
    if (outside == 0) return;
    // The bytes of a header begun belong to no known record from here on.
    m_searching = true;
    m_skipped += outside + m_headerFill;
    m_skippedHere += m_headerFill;
    m_headerFill = 0;
    m_headerPieces.clear();
}

void TlsRecordReader::feedHeader(StreamPiece& piece) {
    const StreamPiece whole = piece;
    for (; m_headerFill < tls::recordHeaderSize && piece.slice.length > 0; ++m_headerFill)
        m_header[m_headerFill] = *piece.cutFront(1).slice.data;
    if (m_headerFill < tls::recordHeaderSize) {
        m_headerPieces.push_back(whole);
        return;
    }
    if (tls::isRecordHeader(m_header)) {
        m_payloadSize = tls::recordPayloadSize(m_header);
    } else {
        // The search begins with these very bytes.
        m_searching = true;
        m_headerFill = 0;
        m_todo.push_back(whole);
        m_todo.insert(m_todo.end(), m_headerPieces.rbegin(), m_headerPieces.rend());
        piece.slice.length = 0;
    }
    m_headerPieces.clear();
}

void TlsRecordReader::feedPayload(StreamPiece& piece) {
    const auto wanted = m_payloadSize - static_cast<std::uint32_t>(m_buffer.size());
    const Slice part = piece.cutFront(std::min(piece.slice.length, wanted)).slice;
    if (part.length == m_payloadSize) {
        finishRecord(part.bytes(), part);
        return;
    }
    if (m_buffer.empty()) m_buffer.reserve(m_payloadSize);
    m_buffer.insert(m_buffer.end(), part.data, part.data + part.length);
    if (m_buffer.size() == m_payloadSize) finishRecord(m_buffer, part);
}

void TlsRecordReader::finishRecord(Bytes payload, const Slice& slice) {
    TlsRecord record;
    record.type = m_header[0];
    record.version = static_cast<std::uint16_t>(m_header[1] << 8 | m_header[2]);
    record.payload = payload;
    record.missing = m_missing;
    record.hole = m_hole;
    record.skipped = std::exchange(m_skipped, 0);
    record.skippedHere = std::exchange(m_skippedHere, 0);
    record.timeDigits = slice.timeDigits;
    record.packet = slice.packet;
    record.time = slice.time;
    m_sink->record(m_from, record);
    m_headerFill = 0;
    m_buffer.clear();
    m_missing.clear();
    m_hole = Hole::None;
}

void TlsRecordReader::search(const StreamPiece& piece) {
    const bool found = m_search.add(piece);
    const std::uint64_t steppedOver = m_search.takeSteppedOver();
    m_skipped += steppedOver;
    m_skippedHere += steppedOver;
    if (!found) return;
    m_searching = false;
    const std::vector<StreamPiece> rest = m_search.take();
    m_todo.insert(m_todo.end(), rest.rbegin(), rest.rend());
}

} // namespace brokerscope
