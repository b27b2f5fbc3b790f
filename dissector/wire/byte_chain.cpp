// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/byte_chain.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace brokerscope {

ByteChain ByteChain::of(Bytes bytes) {
    ByteChain chain;
    Slice slice;
    slice.data = bytes.data();
    slice.length =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), std::numeric_limits<std::int32_t>::max()));
    chain.append(slice);
    return chain;
}

bool ByteChain::append(const Slice& slice) {
    if (slice.length > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max()) - m_size) return false;
    if (slice.length == 0) return true;
    m_pieces.push_back({slice, m_size});
    m_size += slice.length;
    if (!slice.data) m_holes += slice.length;
    return true;
}

void ByteChain::clear() {
    m_pieces.clear();
    m_size = 0;
    m_holes = 0;
}

std::size_t ByteChain::pieceAt(std::uint32_t offset) const {
    if (m_pieces.size() == 1) return 0;
    auto after = std::upper_bound(m_pieces.begin(), m_pieces.end(), offset,
                                  [](std::uint32_t at, const Piece& piece) { return at < piece.offset; });
    return static_cast<std::size_t>(after - m_pieces.begin()) - 1;
}

bool ByteChain::isBorder(std::uint32_t offset) const {
    return offset == m_size || (offset < m_size && m_pieces[pieceAt(offset)].offset == offset);
}

Hole ByteChain::holeIn(std::uint32_t offset, std::uint32_t length) const {
    if (!m_holes || length == 0 || offset >= m_size) return Hole::None;
    const std::uint64_t end = std::uint64_t{offset} + length;
    for (std::size_t i = pieceAt(offset); i < m_pieces.size() && m_pieces[i].offset < end; ++i)
        if (!m_pieces[i].slice.data) return m_pieces[i].slice.hole;
    return Hole::None;
}

std::optional<Bytes> ByteChain::view(std::uint32_t offset, std::uint32_t length,
                                     std::vector<std::uint8_t>& scratch) const {
    if (std::uint64_t{offset} + length > m_size) return std::nullopt;
    if (length == 0) return Bytes{};
    const Piece& piece = m_pieces[pieceAt(offset)];
    const std::uint32_t inside = offset - piece.offset;
    if (length <= piece.slice.length - inside)
        return piece.slice.data ? std::optional<Bytes>(Bytes{piece.slice.data + inside, length}) : std::nullopt;
    scratch.clear();
    copyAvailable(offset, length, scratch);
    if (scratch.size() != length) return std::nullopt;
    return Bytes{scratch.data(), length};
}

void ByteChain::copyAvailable(std::uint32_t offset, std::uint32_t length, std::vector<std::uint8_t>& out) const {
    if (offset >= m_size) return;
    std::uint32_t left = std::min(length, m_size - offset);
    out.reserve(out.size() + left); // bounded by the bytes that the capture has
    for (std::size_t i = pieceAt(offset); left > 0 && i < m_pieces.size(); ++i) {
        const Slice& slice = m_pieces[i].slice;
        if (!slice.data) return;
        const std::uint32_t inside = offset - m_pieces[i].offset;
        const std::uint32_t take = std::min(left, slice.length - inside);
        out.insert(out.end(), slice.data + inside, slice.data + inside + take);
        offset += take;
        left -= take;
    }
}

ByteChain ByteChain::part(std::uint32_t offset, std::uint32_t length) const {
    ByteChain result;
    if (offset >= m_size) return result;
    std::uint32_t left = std::min(length, m_size - offset);
    for (std::size_t i = pieceAt(offset); left > 0 && i < m_pieces.size(); ++i) {
        Slice slice = m_pieces[i].slice;
        const std::uint32_t inside = offset - m_pieces[i].offset;
        slice.length = std::min(left, slice.length - inside);
        if (slice.data) slice.data += inside;
        result.append(slice);
        offset += slice.length;
        left -= slice.length;
    }
    return result;
}

} // namespace brokerscope
