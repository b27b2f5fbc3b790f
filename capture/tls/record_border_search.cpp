// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/record_border_search.h"

#include <utility>

namespace brokerscope {

namespace tls {

bool isRecordHeader(Bytes bytes) {
    return bytes.size() >= recordHeaderSize && bytes[0] >= changeCipherSpec && bytes[0] <= applicationData &&
           bytes[1] == 3 && bytes[2] <= 4 && recordPayloadSize(bytes) > 0 &&
           recordPayloadSize(bytes) <= maxRecordPayload;
}

std::uint32_t recordPayloadSize(Bytes header) {
    return std::uint32_t{header[3]} << 8 | header[4];
}

} // namespace tls

StreamPiece StreamPiece::cutFront(std::uint32_t length) {
    StreamPiece front = *this;
    front.slice.length = length;
    slice.length -= length;
    slice.data += length;
    startsSegment = startsSegment && length == 0;
    return front;
}

bool RecordBorderSearch::add(const StreamPiece& piece) {
    if (m_held.empty()) return scanAlone(piece);
    m_held.push_back(piece);
    m_flat.insert(m_flat.end(), piece.slice.data, piece.slice.data + piece.slice.length);
    return scanHeld();
}

// The usual case: the header and what speaks for it lie in one piece, and nothing is copied.
bool RecordBorderSearch::scanAlone(StreamPiece piece) {
    Verdict verdict = Verdict::No;
    while (piece.slice.length >= tls::recordHeaderSize) {
        verdict = judgeAlone(piece);
        if (verdict != Verdict::No) break;
        piece.cutFront(1);
        ++m_steppedOver;
    }
    if (piece.slice.length == 0) return false;
    m_held.push_back(piece);
    if (verdict == Verdict::Yes) return true;
    m_flat.assign(piece.slice.data, piece.slice.data + piece.slice.length);
    return false;
}

RecordBorderSearch::Verdict RecordBorderSearch::judgeAlone(const StreamPiece& piece) {
    const Bytes bytes = piece.slice.bytes();
    if (!tls::isRecordHeader(bytes)) return Verdict::No;
    const std::size_t end = tls::recordHeaderSize + tls::recordPayloadSize(bytes);
    if (piece.startsSegment || end == bytes.size()) return Verdict::Yes;
    if (bytes.size() < end + tls::recordHeaderSize) return Verdict::NeedsMore;
    return tls::isRecordHeader(bytes.subspan(end)) ? Verdict::Yes : Verdict::No;
}

bool RecordBorderSearch::scanHeld() {
    std::size_t offset = 0;
    Verdict verdict = Verdict::No;
    for (; offset + tls::recordHeaderSize <= m_flat.size(); ++offset) {
        verdict = judge(offset);
        if (verdict != Verdict::No) break;
    }
    drop(offset);
    return verdict == Verdict::Yes;
}

RecordBorderSearch::Verdict RecordBorderSearch::judge(std::size_t offset) const {
    const Bytes rest = Bytes(m_flat).subspan(offset);
    if (!tls::isRecordHeader(rest)) return Verdict::No;
    const std::size_t end = tls::recordHeaderSize + tls::recordPayloadSize(rest);
    if (isBorder(offset) || isBorder(offset + end)) return Verdict::Yes;
    if (rest.size() < end + tls::recordHeaderSize) return Verdict::NeedsMore;
    return tls::isRecordHeader(rest.subspan(end)) ? Verdict::Yes : Verdict::No;
}

// Whether a segment starts or ends at `offset` of the held bytes.
bool RecordBorderSearch::isBorder(std::size_t offset) const {
    std::size_t start = 0;
    for (const StreamPiece& piece : m_held) {
        if (start == offset) return piece.startsSegment;
        start += piece.slice.length;
        if (start > offset) return false;
    }
    return start == offset;
}

void RecordBorderSearch::drop(std::size_t count) {
    m_steppedOver += count;
    m_flat.erase(m_flat.begin(), m_flat.begin() + static_cast<std::ptrdiff_t>(count));
    auto piece = m_held.begin();
    for (; piece != m_held.end() && count >= piece->slice.length; ++piece)
        count -= piece->slice.length;
    if (piece != m_held.end() && count > 0) piece->cutFront(static_cast<std::uint32_t>(count));
    m_held.erase(m_held.begin(), piece);
}

std::vector<StreamPiece> RecordBorderSearch::take() {
    m_flat.clear();
    return std::exchange(m_held, {});
}

void RecordBorderSearch::dropHeld() {
    for (const StreamPiece& piece : m_held)
        m_steppedOver += piece.slice.length;
    m_held.clear();
    m_flat.clear();
}

std::uint64_t RecordBorderSearch::takeSteppedOver() {
    return std::exchange(m_steppedOver, 0);
}

} // namespace brokerscope
