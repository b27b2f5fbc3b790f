// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/plaintext_store.h"

namespace brokerscope {

const std::uint8_t* PlaintextStore::append(Bytes bytes) {
    if (m_error) return nullptr;
    if (!m_file) {
        auto file = SpillFile::create(m_folder);
        if (!file) {
            m_error = file.error();
            return nullptr;
        }
        m_file.emplace(std::move(*file));
    }
    const std::uint64_t position = m_file->size();
    m_error = m_file->append(bytes);
    return m_error ? nullptr : m_file->data() + position;
}

} // namespace brokerscope
