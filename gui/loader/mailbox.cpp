// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/mailbox.h"

#include <utility>

namespace brokerscope {

void Mailbox::post(std::function<void()> call) {
    bool first = false;
    {
        const std::lock_guard lock(m_mutex);
        first = m_calls.empty();
        m_calls.push_back(std::move(call));
    }
    if (first) QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void Mailbox::deliver() {
    std::vector<std::function<void()>> calls;
    {
        const std::lock_guard lock(m_mutex);
        calls.swap(m_calls);
    }
    for (const std::function<void()>& call : calls)
        call();
}

} // namespace brokerscope
