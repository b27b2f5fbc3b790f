// SPDX-License-Identifier: Apache-2.0
#include "capture/tcp/stream_wait.h"

namespace brokerscope {

std::uint32_t StreamWaits::create(std::uint32_t slot) {
    if (m_free.empty()) {
        m_free.push_back(static_cast<std::uint32_t>(m_waits.size()));
        m_waits.emplace_back();
        m_waits.back().wait = std::make_unique<StreamWait>();
    }
    const std::uint32_t index = m_free.back();
    m_free.pop_back();
    m_waits[index].place = static_cast<std::uint32_t>(m_used.size());
    m_used.push_back(index);
    m_waits[index].wait->slot = slot;
    return index;
}

void StreamWaits::free(std::uint32_t index) {
    // The memory of the list of slices is kept, it is small (WaitingSlices::clear).
    StreamWait& wait = *m_waits[index].wait;
    WaitingSlices slices = std::move(wait.slices);
    slices.clear();
    wait = {};
    wait.slices = std::move(slices);

    const std::uint32_t place = m_waits[index].place;
    m_used[place] = m_used.back();
    m_waits[m_used[place]].place = place;
    m_used.pop_back();
    m_free.push_back(index);
}

} // namespace brokerscope
