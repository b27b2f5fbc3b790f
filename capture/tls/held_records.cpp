// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/held_records.h"

#include <utility>

namespace brokerscope {

bool HeldRecords::add(Side from, const TlsRecord& record) {
    Held held{
        from, record, {record.payload.begin(), record.payload.end()}, {record.missing.begin(), record.missing.end()}};
    const std::size_t cost = costOf(held);
    if (m_bytes + cost > maxBytes || *m_bytesOfAll + cost > maxBytesOfAll) return false;
    if (!m_records.empty() && record.time - m_records.front().record.time > maxTime) return false;
    m_bytes += cost;
    *m_bytesOfAll += cost;
    m_records.push_back(std::move(held));
    // Moving a vector keeps its bytes where they are.
    m_records.back().record.payload = m_records.back().payload;
    m_records.back().record.missing = m_records.back().missing;
    return true;
}

HeldRecords::Held HeldRecords::takeFront() {
    Held held = std::move(m_records.front());
    m_records.pop_front();
    const std::size_t cost = costOf(held);
    m_bytes -= cost;
    *m_bytesOfAll -= cost;
    return held;
}

void HeldRecords::clear() {
    m_records.clear();
    *m_bytesOfAll -= std::exchange(m_bytes, 0);
}

} // namespace brokerscope
