// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/output_buffer.h"

#include <algorithm>

namespace brokerscope {

namespace {
constexpr std::size_t smallest = 64u << 10;
constexpr std::size_t kept = 16u << 20; // from one stream to the next
} // namespace

void OutputBuffer::reset(std::uint64_t limit) {
    m_size = 0;
    m_limit = limit;
    if (m_capacity > kept) {
        m_data.reset();
        m_capacity = 0;
    }
}

std::span<std::uint8_t> OutputBuffer::room(std::size_t wanted) {
    const std::size_t allowed = m_limit - m_size;
    if (m_capacity - m_size < std::min(wanted, allowed)) grow(std::max(m_size + wanted, 2 * m_capacity));
    return {m_data.get() + m_size, std::min(m_capacity - m_size, allowed)};
}

void OutputBuffer::grow(std::size_t capacity) {
    capacity = std::min<std::uint64_t>(std::max(capacity, smallest), m_limit);
    auto data = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    std::copy_n(m_data.get(), m_size, data.get());
    m_data = std::move(data);
    m_capacity = capacity;
}

} // namespace brokerscope
