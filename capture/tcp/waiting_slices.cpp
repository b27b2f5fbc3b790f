// SPDX-License-Identifier: Apache-2.0
#include "capture/tcp/waiting_slices.h"

#include <algorithm>

namespace brokerscope {

WaitingSlice partOf(const WaitingSlice& whole, Offset from, Offset to) {
    WaitingSlice part = whole;
    part.offset = from;
    part.slice.length = static_cast<std::uint32_t>(to - from);
    if (part.slice.data) part.slice.data += from - whole.offset;
    return part;
}

void WaitingSlices::popFront() {
    if (++m_first == m_slices.size()) {
        clear();
    } else if (m_first >= 64 && m_first * 2 >= m_slices.size()) {
        m_slices.erase(m_slices.begin(), m_slices.begin() + static_cast<std::ptrdiff_t>(m_first));
        m_first = 0;
    }
}

void WaitingSlices::clear() {
    constexpr std::size_t kKeptCapacity = 16;
    m_slices.clear();
    m_first = 0;
    if (m_slices.capacity() > kKeptCapacity) m_slices.shrink_to_fit();
}

std::uint32_t WaitingSlices::insert(const WaitingSlice& slice) {
    if (slice.slice.length == 0) return 0;
    if (empty() || slice.offset >= back().end()) {
        m_slices.push_back(slice);
        return slice.slice.length;
    }
    auto next = std::partition_point(m_slices.begin() + static_cast<std::ptrdiff_t>(m_first), m_slices.end(),
                                     [&](const WaitingSlice& w) { return w.end() <= slice.offset; });
    std::uint32_t added = 0;
    Offset from = slice.offset;
    while (from < slice.end()) {
        const Offset to = next == m_slices.end() ? slice.end() : std::min(slice.end(), std::max(from, next->offset));
        if (from < to) {
            added += static_cast<std::uint32_t>(to - from);
            next = m_slices.insert(next, partOf(slice, from, to)) + 1;
        }
        if (next == m_slices.end()) break;
        from = std::max(to, next->end());
        ++next;
    }
    return added;
}

} // namespace brokerscope
