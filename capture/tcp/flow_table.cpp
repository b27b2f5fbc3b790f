// SPDX-License-Identifier: Apache-2.0
#include "capture/tcp/flow_table.h"

#include <cstring>

namespace brokerscope {
namespace {

std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
    state = (state ^ value) * 0x9e3779b97f4a7c15;
    return state ^ state >> 29;
}

constexpr std::size_t kFirstSize = 1024;

} // namespace

std::uint64_t FlowKey::hash(std::uint64_t seed) const {
    std::uint64_t state = mix(mix(seed, addresses[0]), addresses[2]);
    if (v6) state = mix(mix(state, addresses[1]), addresses[3]);
    state = mix(state, std::uint64_t{ports[0]} << 16 | ports[1]);
    return mix(state, state >> 32);
}

DirectedFlow flowOf(const Endpoint& source, const Endpoint& destination) {
    DirectedFlow flow;
    FlowKey& key = flow.key;
    std::memcpy(&key.addresses[0], source.address.bytes.data(), 16);
    std::memcpy(&key.addresses[2], destination.address.bytes.data(), 16);
    key.ports = {source.port, destination.port};
    key.v6 = source.address.v6;
    // Any total order will do; it need not be that of people.
    auto& a = key.addresses;
    flow.fromEndOne = a[0] != a[2] ? a[0] > a[2] : a[1] != a[3] ? a[1] > a[3] : key.ports[0] > key.ports[1];
    if (flow.fromEndOne) {
        std::swap(a[0], a[2]);
        std::swap(a[1], a[3]);
        std::swap(key.ports[0], key.ports[1]);
    }
    return flow;
}

SlotTable::SlotTable() : m_entries(kFirstSize), m_mask(kFirstSize - 1) {}

void SlotTable::place(Entry entry) {
    std::size_t at = entry.tag & m_mask;
    while (m_entries[at].slot != kNone)
        at = (at + 1) & m_mask;
    m_entries[at] = entry;
}

void SlotTable::insert(std::uint64_t hash, std::uint32_t slot) {
    if ((m_size + 1) * 2 > m_entries.size()) grow();
    place({tagOf(hash), slot});
    ++m_size;
}

void SlotTable::grow() {
    std::vector<Entry> old(m_entries.size() * 2);
    old.swap(m_entries);
    m_mask = m_entries.size() - 1;
    for (const Entry& entry : old)
        if (entry.slot != kNone) place(entry);
}

// Entries behind the freed place that would rather be there move up, so no marks of the dead are needed.
void SlotTable::erase(std::uint64_t hash, std::uint32_t slot) {
    std::size_t at = hash & m_mask;
    while (m_entries[at].slot != slot) {
        if (m_entries[at].slot == kNone) return;
        at = (at + 1) & m_mask;
    }
    --m_size;
    std::size_t hole = at;
    for (std::size_t next = (hole + 1) & m_mask; m_entries[next].slot != kNone; next = (next + 1) & m_mask) {
        const std::size_t home = m_entries[next].tag & m_mask;
        if (((next - home) & m_mask) < ((next - hole) & m_mask)) continue;
        m_entries[hole] = m_entries[next];
        hole = next;
    }
    m_entries[hole] = {};
}

} // namespace brokerscope
