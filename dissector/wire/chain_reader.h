// SPDX-License-Identifier: Apache-2.0
// Bytes of a ByteChain by place, quick when the places come in order: the slice of the last read is remembered.
// Bytes: the chain is not owned; a result is valid until the next call. Threads: one per reader.
#pragma once

#include "dissector/wire/byte_chain.h"

#include <cstdint>
#include <vector>

namespace brokerscope {

class ChainReader {
  public:
    explicit ChainReader(const ByteChain& chain) : m_chain(&chain) {}

    const ByteChain& chain() const { return *m_chain; }
    std::vector<std::uint8_t>& scratch() { return m_joined; } // for what callers make of a result
    // [offset, offset + length): in place when it lies in one slice, else put together in memory of this reader.
    // nullopt when a byte is missing or outside.
    std::optional<Bytes> read(std::uint32_t offset, std::uint32_t length) {
        if (offset >= m_begin && offset - m_begin <= m_length && length <= m_length - (offset - m_begin))
            return Bytes{m_data + (offset - m_begin), length};
        return readElsewhere(offset, length);
    }

  private:
    std::optional<Bytes> readElsewhere(std::uint32_t offset, std::uint32_t length);

    const ByteChain* m_chain;
    const std::uint8_t* m_data = nullptr; // of the remembered slice
    std::uint32_t m_begin = 0, m_length = 0;
    std::vector<std::uint8_t> m_joined;
};

} // namespace brokerscope
