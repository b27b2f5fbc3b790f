// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/frame_reader.h"

#include "dissector/wire/cursor.h"

#include <algorithm>

namespace brokerscope {

namespace {

// The first `count` bytes of a slice; the slice keeps the rest.
Slice takeFront(Slice& slice, std::uint32_t count) {
    Slice front = slice;
    front.length = count;
    slice.length -= count;
    if (slice.data) slice.data += count;
    return front;
}

} // namespace

void FrameReader::push(const Slice& slice) {
    if (!m_searching) return pushAligned(slice);
    m_pending.append(slice);
    if (!m_replaying && m_pending.size() >= m_searchAgainAt) search(false);
}

void FrameReader::pushAligned(Slice slice) {
    while (slice.length > 0 && !m_searching) {
        if (m_frameBytes == 0 && !takeLength(slice)) break;
        if (m_frameBytes != 0) takeBody(slice);
    }
    if (slice.length > 0 && m_searching) push(slice);
}

// Collects the 4 bytes of the length. False when the place was lost (a hole, or no possible length).
bool FrameReader::takeLength(Slice& slice) {
    if (!slice.data) {
        if (m_frame.bytes.empty()) { // between frames: how many frames are gone is unknown
            m_handler.passedOver(m_side, slice.length, slice.hole);
            slice.length = 0;
        }
        lose();
        return false;
    }
    const std::uint32_t missing = 4 - m_frame.bytes.size();
    m_frame.append(takeFront(slice, std::min(missing, slice.length)));
    if (m_frame.bytes.size() < 4) return true;
    Cursor cursor(m_frame.bytes);
    const std::int32_t length = cursor.readI32();
    if (length < 0 || !m_handler.lengthPossible(m_side, static_cast<std::uint32_t>(length) + 4)) {
        lose();
        return false;
    }
    m_frameBytes = static_cast<std::uint32_t>(length) + 4;
    m_handler.frameStarted(m_side, m_frame.begin);
    if (m_frameBytes == 4) finishFrame(true);
    return true;
}

void FrameReader::takeBody(Slice& slice) {
    const std::uint32_t missing = m_frameBytes - m_frame.bytes.size();
    const bool crossesBorder = !slice.data && slice.length > missing;
    m_frame.append(takeFront(slice, std::min(missing, slice.length)));
    if (m_frame.bytes.size() == m_frameBytes) finishFrame(true);
    if (crossesBorder) { // the hole goes on behind the frame: the next border is unknown
        m_handler.passedOver(m_side, slice.length, slice.hole);
        slice.length = 0;
        lose();
    }
}

void FrameReader::finishFrame(bool complete) {
    m_frame.complete = complete;
    m_frameBytes = 0;
    Frame frame = std::move(m_frame);
    m_frame = Frame{};
    m_handler.frameEnded(m_side, std::move(frame));
}

// The bytes that were taken for a length may belong to something else: the search begins with them.
void FrameReader::lose() {
    m_searching = true;
    m_searchAgainAt = 0;
    m_frameBytes = 0;
    m_pending = std::move(m_frame.bytes);
    m_frame = Frame{};
}

void FrameReader::search(bool ended) {
    while (m_searching && !m_pending.empty()) {
        const SearchResult result = m_handler.findFrame(m_side, m_pending, ended);
        std::uint32_t drop = result.offset;
        if (!result.found && m_pending.size() - drop > searchWindow) drop = m_pending.size() - searchWindow / 2;
        if (drop > 0) {
            m_handler.passedOver(m_side, drop, Hole::None);
            m_pending = m_pending.part(drop, m_pending.size() - drop);
        }
        if (!result.found) {
            // Judging again costs a pass over what is held: wait until it has grown by an eighth.
            m_searchAgainAt = m_pending.size() + m_pending.size() / 8 + 1;
            return;
        }
        m_searching = false;
        ByteChain aligned = std::move(m_pending);
        m_pending.clear();
        m_replaying = true; // a place that is lost again is looked for by this loop, not deeper down
        for (const ByteChain::Piece& piece : aligned.pieces())
            push(piece.slice);
        m_replaying = false;
    }
}

void FrameReader::searchAgain() {
    if (m_searching && !m_replaying && !m_pending.empty()) search(false);
}

void FrameReader::end() {
    if (m_searching && !m_pending.empty()) search(true);
    if (m_searching) {
        if (!m_pending.empty()) m_handler.passedOver(m_side, m_pending.size(), Hole::None);
        m_pending.clear();
    }
    if (m_frame.bytes.empty()) return;
    if (m_frameBytes == 0) { // not even the length is whole
        m_handler.passedOver(m_side, m_frame.bytes.size(), Hole::Cut);
        m_frame = Frame{};
        return;
    }
    Slice rest;
    rest.hole = Hole::Cut;
    rest.length = m_frameBytes - m_frame.bytes.size();
    m_frame.append(rest);
    finishFrame(false);
}

PacketNumber FrameReader::oldestPacket() const {
    const ByteChain& held = m_searching ? m_pending : m_frame.bytes;
    return held.empty() ? PacketNumber{} : held.pieces().front().slice.packet;
}

} // namespace brokerscope
