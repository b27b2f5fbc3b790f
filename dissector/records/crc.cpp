// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/crc.h"

#include <isa-l/crc.h>
#include <zlib.h>

#include <algorithm>

namespace brokerscope {

namespace {

// Hands the range to `add` slice by slice; false when a byte of it is missing.
template<class Add>
bool eachSlice(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, Add add) {
    if (end > bytes.size()) return false;
    if (begin >= end) return true;
    for (std::size_t i = bytes.pieceAt(begin); begin < end; ++i) {
        const ByteChain::Piece& piece = bytes.pieces()[i];
        if (!piece.slice.data) return false;
        const std::uint32_t inside = begin - piece.offset;
        const std::uint32_t take = std::min(end - begin, piece.slice.length - inside);
        add(piece.slice.data + inside, take);
        begin += take;
    }
    return true;
}

} // namespace

std::optional<std::uint32_t> crc32(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end) {
    uLong crc = ::crc32(0, nullptr, 0);
    if (!eachSlice(bytes, begin, end,
                   [&](const std::uint8_t* data, std::uint32_t length) { crc = ::crc32(crc, data, length); }))
        return std::nullopt;
    return static_cast<std::uint32_t>(crc);
}

std::optional<std::uint32_t> crc32c(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end) {
    std::uint32_t crc = 0xffffffff; // ISA-L leaves the inversion at both ends to its callers
    if (!eachSlice(bytes, begin, end, [&](const std::uint8_t* data, std::uint32_t length) {
            // It only reads, whatever its signature says; a chain's limit keeps the length in an int.
            crc = crc32_iscsi(const_cast<std::uint8_t*>(data), static_cast<int>(length), crc);
        }))
        return std::nullopt;
    return ~crc;
}

} // namespace brokerscope
