// SPDX-License-Identifier: Apache-2.0
#include "capture/live/packet_queue.h"

namespace brokerscope {

// The first packets of the batch, as many as there is room for.
std::size_t PacketQueue::fitting(const PacketBatch& batch, std::uint64_t& bytes) const {
    std::size_t room = m_bounds.packets - std::min(m_bounds.packets, m_packets.load());
    std::uint64_t waiting = m_bytes;
    std::size_t count = 0;
    for (; count < batch.packets.size() && count < room; ++count) {
        const std::uint32_t captured = batch.packets[count].captured;
        if (waiting + captured > m_bounds.bytes) break;
        waiting += captured;
        bytes += captured;
    }
    return count;
}

Result<std::size_t> PacketQueue::push(const PacketBatch& batch) {
    const std::lock_guard lock(m_mutex);
    std::uint64_t bytes = 0;
    const std::size_t count = fitting(batch, bytes);
    const auto stored = m_store.append(Bytes(batch.bytes).first(bytes));
    if (!stored) return stored.error();
    const std::uint8_t* place = stored.value();
    for (std::size_t i = 0; i < count; ++i) {
        Packet packet = batch.packets[i].packet;
        packet.bytes = {place, batch.packets[i].captured};
        place += packet.bytes.size();
        m_arriving.push_back(packet);
    }
    m_packets += count;
    m_bytes += bytes;
    m_arrived.notify_one();
    return batch.packets.size() - count;
}

bool PacketQueue::pop(Packet& out) {
    if (m_leaving.empty()) {
        const std::lock_guard lock(m_mutex);
        m_leaving.swap(m_arriving);
    }
    if (m_leaving.empty()) return false;
    out = m_leaving.front();
    m_leaving.pop_front();
    --m_packets;
    m_bytes -= out.bytes.size();
    return true;
}

bool PacketQueue::wait(std::chrono::milliseconds time) {
    if (!m_leaving.empty()) return true;
    std::unique_lock lock(m_mutex);
    return m_arrived.wait_for(lock, time, [this] { return !m_arriving.empty(); });
}

void PacketQueue::releaseBefore(const std::uint8_t* position) {
    const std::lock_guard lock(m_mutex);
    m_store.releaseBefore(position);
}

} // namespace brokerscope
