// SPDX-License-Identifier: Apache-2.0
// Where decompressed bytes go: grows as they come, up to a limit, and keeps its memory for the next time.
// Bounds: at most twice the bytes written (the smallest step aside) and never more than the limit; what an outlier
//         needed is given back at the next reset.
#pragma once

#include "capture/types/bytes.h"

#include <cstdint>
#include <memory>
#include <span>

namespace brokerscope {

class OutputBuffer {
  public:
    void reset(std::uint64_t limit);

    // Room for some bytes, for at least `wanted` if the limit allows. Empty exactly when the limit is reached.
    std::span<std::uint8_t> room(std::size_t wanted = 1);
    void commit(std::size_t written) { m_size += written; } // the first bytes of the last room()
    void truncate(std::size_t size) { m_size = size; }      // at most size()

    std::size_t size() const { return m_size; }
    std::uint64_t limit() const { return m_limit; }
    Bytes bytes() const { return {m_data.get(), m_size}; }

  private:
    void grow(std::size_t capacity);

    std::unique_ptr<std::uint8_t[]> m_data;
    std::size_t m_capacity = 0;
    std::size_t m_size = 0;
    std::uint64_t m_limit = 0;
};

} // namespace brokerscope
