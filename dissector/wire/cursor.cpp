// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/cursor.h"

#include <algorithm>

namespace brokerscope {

Cursor::Cursor(const ByteChain& chain, std::uint32_t begin, std::uint32_t end)
    : m_chain(&chain), m_position(begin), m_end(std::min(end, chain.size())) {
    m_position = std::min(m_position, m_end);
    seekPiece();
}

void Cursor::seekPiece() {
    if (m_position >= m_chain->size()) {
        m_data = nullptr;
        m_pieceBegin = m_pieceEnd = m_chain->size();
        return;
    }
    const ByteChain::Piece& piece = m_chain->pieces()[m_chain->pieceAt(m_position)];
    m_data = piece.slice.data;
    m_pieceBegin = piece.offset;
    m_pieceEnd = piece.offset + piece.slice.length;
}

bool Cursor::load(std::uint8_t* out, std::uint32_t count) {
    if (count > remaining()) {
        fail(Failure::End);
        return false;
    }
    std::uint32_t position = m_position;
    const std::uint32_t start = m_position;
    for (std::uint32_t done = 0; done < count;) {
        if (m_position < m_pieceBegin || m_position >= m_pieceEnd) seekPiece();
        if (!m_data) {
            const Hole hole = m_chain->pieces()[m_chain->pieceAt(m_position)].slice.hole;
            m_position = start;
            fail(hole == Hole::Cut ? Failure::Cut : Failure::Lost);
            return false;
        }
        const std::uint32_t take = std::min(count - done, m_pieceEnd - m_position);
        std::copy_n(m_data + (m_position - m_pieceBegin), take, out + done);
        done += take;
        m_position += take;
        position = m_position;
    }
    m_position = position;
    return true;
}

void Cursor::skip(std::uint32_t count) {
    if (!ok()) return;
    if (count > remaining()) return fail(Failure::End);
    m_position += count;
    if (m_position >= m_pieceEnd) seekPiece();
}

std::uint64_t Cursor::readUvarlong() {
    const std::uint32_t start = m_position;
    std::uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        const std::uint8_t byte = readU8();
        if (!ok()) {
            m_position = start;
            return 0;
        }
        value |= std::uint64_t{byte & 0x7fu} << std::min(shift, 63);
        if (!(byte & 0x80)) return value;
    }
    m_position = start;
    fail(Failure::BadVarint);
    return 0;
}

std::uint32_t Cursor::readUvarint() {
    const std::uint32_t start = m_position;
    const std::uint64_t value = readUvarlong();
    if (!ok()) return 0;
    if (m_position - start > 5 || value > 0xffffffffu) {
        m_position = start;
        fail(Failure::BadVarint);
        return 0;
    }
    return static_cast<std::uint32_t>(value);
}

std::int32_t Cursor::readVarint() {
    const std::uint32_t raw = readUvarint();
    return static_cast<std::int32_t>(raw >> 1) ^ -static_cast<std::int32_t>(raw & 1);
}

std::int64_t Cursor::readVarlong() {
    const std::uint64_t raw = readUvarlong();
    return static_cast<std::int64_t>(raw >> 1) ^ -static_cast<std::int64_t>(raw & 1);
}

} // namespace brokerscope
