// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/cursor.h"

#include <algorithm>

namespace brokerscope {

Cursor::Cursor(const ByteChain& chain, std::uint32_t begin, std::uint32_t end)
    : m_chain(&chain), m_end(std::min(end, chain.size())) {
    seek(std::min(begin, m_end));
}

void Cursor::seek(std::uint32_t position) {
    m_at = m_stop = nullptr;
    m_stopPosition = position;
    if (position >= m_end) return;
    const ByteChain::Piece& piece = m_chain->pieces()[m_chain->pieceAt(position)];
    if (!piece.slice.data) return;
    const std::uint32_t stop = std::min(piece.offset + piece.slice.length, m_end);
    m_at = piece.slice.data + (position - piece.offset);
    m_stop = m_at + (stop - position);
    m_stopPosition = stop;
}

void Cursor::fail(Failure failure) {
    m_stopPosition = position();
    m_at = m_stop = nullptr;
    m_failure = failure;
}

bool Cursor::read(std::uint8_t* out, std::uint32_t count) {
    if (!ok()) return false;
    if (count > remaining()) {
        fail(Failure::End);
        return false;
    }
    const std::uint32_t start = position();
    for (std::uint32_t done = 0; done < count;) {
        if (m_at == m_stop) seek(position());
        if (m_at == m_stop) {
            const Hole hole = m_chain->pieces()[m_chain->pieceAt(position())].slice.hole;
            seek(start);
            fail(hole == Hole::Cut ? Failure::Cut : Failure::Lost);
            return false;
        }
        const auto piece = std::min(count - done, static_cast<std::uint32_t>(m_stop - m_at));
        std::copy_n(m_at, piece, out + done);
        done += piece;
        m_at += piece;
    }
    return true;
}

void Cursor::skip(std::uint32_t count) {
    if (take(count) || count == 0 || !ok()) return;
    if (count > remaining()) return fail(Failure::End);
    seek(position() + count);
}

void Cursor::setEnd(std::uint32_t end) {
    m_end = std::max(std::min(end, m_chain->size()), position());
    if (ok()) seek(position());
}

std::uint64_t Cursor::readUvarlong() {
    const Cursor start = *this;
    std::uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        const std::uint8_t byte = readU8();
        if (!ok()) {
            const Failure failure = m_failure;
            *this = start;
            fail(failure);
            return 0;
        }
        value |= std::uint64_t{byte & 0x7fu} << std::min(shift, 63);
        if (!(byte & 0x80)) return value;
    }
    *this = start;
    fail(Failure::BadVarint);
    return 0;
}

std::uint64_t Cursor::readLongVarint() {
    if (!ok()) return 0;
    const Cursor start = *this;
    const std::uint64_t value = readUvarlong();
    if (ok() && (position() - start.position() > 5 || value > 0xffffffffu)) {
        *this = start;
        fail(Failure::BadVarint);
    }
    return ok() ? value : 0;
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
