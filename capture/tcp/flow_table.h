// SPDX-License-Identifier: Apache-2.0
// Finds a number (the slot of a connection) by a hash and a comparison of the caller's: open addressing, linear
// probing, no allocation but for growth. FlowKey names a TCP connection independent of direction.
#pragma once

#include "capture/types/endpoint.h"

#include <array>
#include <cstdint>
#include <vector>

namespace brokerscope {

// Both ends of a connection in an order of their own: the smaller end is end 0.
struct FlowKey {
    std::array<std::uint64_t, 4> addresses{}; // end 0, then end 1
    std::array<std::uint16_t, 2> ports{};
    bool v6 = false;

    bool operator==(const FlowKey&) const = default;
    std::uint64_t hash(std::uint64_t seed) const;
};

struct DirectedFlow {
    FlowKey key;
    bool fromEndOne = false; // the source is end 1 of the key
};
DirectedFlow flowOf(const Endpoint& source, const Endpoint& destination);

class SlotTable {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    SlotTable();

    // The slot for which matches(slot) holds among those with this hash; kNone when there is none.
    template<class Matches>
    std::uint32_t find(std::uint64_t hash, Matches matches) const {
        const std::uint32_t tag = tagOf(hash);
        for (std::size_t at = hash & m_mask; m_entries[at].slot != kNone; at = (at + 1) & m_mask)
            if (m_entries[at].tag == tag && matches(m_entries[at].slot)) return m_entries[at].slot;
        return kNone;
    }
    void insert(std::uint64_t hash, std::uint32_t slot);
    void erase(std::uint64_t hash, std::uint32_t slot);
    std::size_t size() const { return m_size; }

  private:
    // The tag tells entries apart and holds the place where an entry would like to be: the lower bits of its hash.
    struct Entry {
        std::uint32_t tag = 0;
        std::uint32_t slot = kNone;
    };
    static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
    void place(Entry entry);
    void grow();

    std::vector<Entry> m_entries;
    std::size_t m_mask;
    std::size_t m_size = 0;
};

} // namespace brokerscope
