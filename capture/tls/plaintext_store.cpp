// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/plaintext_store.h"

#include <algorithm>

namespace brokerscope {

const std::uint8_t* PlaintextStore::append(Bytes bytes, PacketNumber packet) {
    if (m_error) return nullptr;
    if (!m_file) {
        auto file = SpillFile::create(m_folder);
        if (!file) {
            m_error = file.error();
            return nullptr;
        }
        m_file.emplace(std::move(*file));
    }
    constexpr std::uint64_t markEvery = 1 << 20;
    const std::uint64_t position = m_file->size();
    if (position >= (m_marks.empty() ? m_released : m_marks.back().position) + markEvery)
        m_marks.push_back({m_latest, position});
    m_latest = std::max(m_latest, packet); // records that waited for keys come late
    m_error = m_file->append(bytes);
    return m_error ? nullptr : m_file->data() + position;
}

void PlaintextStore::releaseBefore(PacketNumber packet) {
    const std::uint64_t before = m_released;
    for (; !m_marks.empty() && m_marks.front().packet < packet; m_marks.pop_front())
        m_released = m_marks.front().position;
    if (m_released != before) m_file->releaseBefore(m_released);
}

} // namespace brokerscope
