// SPDX-License-Identifier: Apache-2.0
// The slices of one stream that cannot be handed on yet: sorted by their place in the stream, without overlap. Where
// two copies of a byte come, the first copy stays.
// Bytes: not copied, not owned. Bounds: the caller's; size() is what counts.
#pragma once

#include "capture/types/stream.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace brokerscope {

// A place in a stream: sequence numbers continued to 64 bits, so that they compare. The low 32 bits are the sequence
// number itself.
using Offset = std::uint64_t;

struct WaitingSlice {
    Offset offset = 0;
    Offset needs = 0; // what the other side must have been seen to send first; 0: nothing
    Slice slice;

    Offset end() const { return offset + slice.length; }
};

class WaitingSlices {
  public:
    bool empty() const { return m_first == m_slices.size(); }
    std::size_t size() const { return m_slices.size() - m_first; }
    const WaitingSlice& front() const { return m_slices[m_first]; }
    const WaitingSlice& back() const { return m_slices.back(); }
    auto begin() const { return m_slices.begin() + static_cast<std::ptrdiff_t>(m_first); }
    auto end() const { return m_slices.end(); }
    void popFront();
    void clear();

    // Keeps of a slice what is new; gives the number of new bytes.
    std::uint32_t insert(const WaitingSlice& slice);

  private:
    std::vector<WaitingSlice> m_slices;
    std::size_t m_first = 0; // those before it are done
};

// The part [from, to) of a slice; both lie in it.
WaitingSlice partOf(const WaitingSlice& whole, Offset from, Offset to);

} // namespace brokerscope
