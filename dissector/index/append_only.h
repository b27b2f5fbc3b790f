// SPDX-License-Identifier: Apache-2.0
// A list that one thread appends to while others read it, without locks and without ever moving an element.
//
// Memory:  segments that double in size, each allocated when its first element comes; freed with the list.
// Threads: push() by one thread only. Any thread may read an index below size(), or one that it learned through
//          something the writer released after the push.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

namespace brokerscope {

template<class T>
class AppendOnly {
  public:
    AppendOnly() = default;
    AppendOnly(const AppendOnly&) = delete;
    AppendOnly& operator=(const AppendOnly&) = delete;
    ~AppendOnly() {
        for (auto& segment : m_segments)
            delete[] segment.load(std::memory_order_relaxed);
    }

    std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
    const T& operator[](std::uint32_t index) const { return at(index); }
    T& mutableAt(std::uint32_t index) { return at(index); } // the writer, or T's own atomics

    std::uint32_t push(T value) {
        const std::uint32_t index = m_size.load(std::memory_order_relaxed);
        const Place place = placeOf(index);
        if (!m_segments[place.segment].load(std::memory_order_relaxed))
            m_segments[place.segment].store(new T[first << place.segment], std::memory_order_release);
        at(index) = std::move(value);
        m_size.store(index + 1, std::memory_order_release);
        return index;
    }

  private:
    static constexpr std::uint64_t first = 256;

    struct Place {
        std::uint32_t segment, inside;
    };
    static Place placeOf(std::uint32_t index) {
        const std::uint64_t shifted = index + first;
        const auto segment = static_cast<std::uint32_t>(std::bit_width(shifted) - std::bit_width(first));
        return {segment, static_cast<std::uint32_t>(shifted - (first << segment))};
    }
    T& at(std::uint32_t index) const {
        const Place place = placeOf(index);
        return m_segments[place.segment].load(std::memory_order_acquire)[place.inside];
    }

    std::array<std::atomic<T*>, 25> m_segments{};
    std::atomic<std::uint32_t> m_size{0};
};

} // namespace brokerscope
