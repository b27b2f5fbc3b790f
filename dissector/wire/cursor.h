// SPDX-License-Identifier: Apache-2.0
// Reads Kafka's primitive encodings from a ByteChain, front to back, up to a limit.
//
// Failure is sticky: after the first failed read every read gives zero and the position stays, so a decoder asks ok()
// once a step. failure() says why: the end was reached, a hole lies there, or the bytes are no such value.
// Bytes: the chain is not owned and must outlive the cursor. Nothing is allocated.
#pragma once

#include "dissector/wire/byte_chain.h"

#include <cstdint>

namespace brokerscope {

class Cursor {
  public:
    enum class Failure : std::uint8_t { None, End, Cut, Lost, BadVarint };

    explicit Cursor(const ByteChain& chain) : Cursor(chain, 0, chain.size()) {}
    Cursor(const ByteChain& chain, std::uint32_t begin, std::uint32_t end); // end is clipped to the chain

    bool ok() const { return m_failure == Failure::None; }
    Failure failure() const { return m_failure; }
    std::uint32_t position() const { return m_stopPosition - static_cast<std::uint32_t>(m_stop - m_at); }
    std::uint32_t end() const { return m_end; }
    std::uint32_t remaining() const { return m_end - position(); }
    const ByteChain& chain() const { return *m_chain; }

    std::uint8_t readU8() { return static_cast<std::uint8_t>(readBigEndian<1>()); }
    std::int8_t readI8() { return static_cast<std::int8_t>(readBigEndian<1>()); }
    std::int16_t readI16() { return static_cast<std::int16_t>(readBigEndian<2>()); }
    std::uint16_t readU16() { return static_cast<std::uint16_t>(readBigEndian<2>()); }
    std::int32_t readI32() { return static_cast<std::int32_t>(readBigEndian<4>()); }
    std::uint32_t readU32() { return static_cast<std::uint32_t>(readBigEndian<4>()); }
    std::int64_t readI64() { return static_cast<std::int64_t>(readBigEndian<8>()); }
    std::uint32_t readUvarint(); // at most 5 bytes, as Kafka's lengths and tags
    std::uint64_t readUvarlong(); // at most 10 bytes
    std::int32_t readVarint();    // zig-zag
    std::int64_t readVarlong();   // zig-zag
    bool read(std::uint8_t* out, std::uint32_t count);
    void skip(std::uint32_t count); // also over holes

    // The next `count` bytes, if they lie in one slice: moves behind them. Else null, and nothing has changed.
    const std::uint8_t* take(std::uint32_t count) {
        if (static_cast<std::size_t>(m_stop - m_at) < count) return nullptr;
        const std::uint8_t* from = m_at;
        m_at += count;
        return from;
    }
    // The same bytes without moving.
    const std::uint8_t* peek(std::uint32_t count) const {
        return static_cast<std::size_t>(m_stop - m_at) < count ? nullptr : m_at;
    }
    void setEnd(std::uint32_t end); // clipped to the chain, not before the position

  private:
    template<int N>
    std::uint64_t readBigEndian();
    void seek(std::uint32_t position); // to what can be read in one slice from there on
    std::uint64_t readLongVarint();
    void fail(Failure failure);

    const ByteChain* m_chain;
    const std::uint8_t* m_at = nullptr;   // the next byte; equal to m_stop when a new slice must be sought,
    const std::uint8_t* m_stop = nullptr; // in a hole, at the end, and after a failure
    std::uint32_t m_stopPosition = 0;     // of m_stop in the chain
    std::uint32_t m_end = 0;
    Failure m_failure = Failure::None;
};

template<int N>
std::uint64_t Cursor::readBigEndian() {
    std::uint8_t copy[N];
    const std::uint8_t* from = take(N);
    if (!from) {
        if (!read(copy, N)) return 0;
        from = copy;
    }
    std::uint64_t value = 0;
    for (int i = 0; i < N; ++i)
        value = value << 8 | from[i];
    return value;
}

inline std::uint32_t Cursor::readUvarint() {
    if (m_at != m_stop && *m_at < 0x80) return *m_at++;
    return static_cast<std::uint32_t>(readLongVarint());
}

} // namespace brokerscope
