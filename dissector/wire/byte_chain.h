// SPDX-License-Identifier: Apache-2.0
// The bytes of one message: a list of slices of the packets that carried it, read as if they lay in one piece.
//
// Bytes:  never copied on append; views point into the capture and live as long as it does.
// Holes:  bytes that are not in the capture keep their place and size (Slice::data is null); reading them fails and
//         says why, skipping over them works.
// Bounds: at most 2^31-1 bytes, a Kafka frame's own limit; append() refuses more.
#pragma once

#include "capture/types/stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

class ByteChain {
  public:
    struct Piece {
        Slice slice;
        std::uint32_t offset = 0; // of the slice's first byte in the chain
    };

    static ByteChain of(Bytes bytes); // one slice without a packet

    bool append(const Slice& slice);
    void clear();

    std::uint32_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    bool hasHoles() const { return m_holes != 0; }
    std::uint32_t missingBytes() const { return m_holes; }
    const std::vector<Piece>& pieces() const { return m_pieces; }
    std::size_t pieceAt(std::uint32_t offset) const; // index; offset < size()
    // A piece begins there, or the chain ends: mostly the border of a packet.
    bool isBorder(std::uint32_t offset) const;

    // The hole that [offset, offset + length) touches first, Hole::None when all of it is here.
    Hole holeIn(std::uint32_t offset, std::uint32_t length) const;
    // The bytes of a range: a view of the capture when they lie in one slice, else a copy in `scratch`.
    // nullopt when a byte of the range is missing or outside.
    std::optional<Bytes> view(std::uint32_t offset, std::uint32_t length, std::vector<std::uint8_t>& scratch) const;
    // The bytes of a range up to the first hole or the end of the chain, appended to `out`.
    void copyAvailable(std::uint32_t offset, std::uint32_t length, std::vector<std::uint8_t>& out) const;
    // A part of the chain as a chain of its own; clipped to what there is.
    ByteChain part(std::uint32_t offset, std::uint32_t length) const;

  private:
    std::vector<Piece> m_pieces;
    std::uint32_t m_size = 0;
    std::uint32_t m_holes = 0;
};

} // namespace brokerscope
