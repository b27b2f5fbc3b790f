// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/string_table.h"

#include <algorithm>
#include <cstring>

namespace brokerscope {

namespace {
constexpr std::size_t blockSize = 16 * 1024;
} // namespace

StringTable::StringTable() {
    m_ids.emplace(std::string_view{}, m_texts.push({}));
}

StringId StringTable::intern(std::string_view text) {
    if (auto known = m_ids.find(text); known != m_ids.end()) return known->second;
    const std::string_view kept = keep(text);
    const StringId id = m_texts.push(kept);
    m_ids.emplace(kept, id);
    return id;
}

std::string_view StringTable::keep(std::string_view text) {
    if (text.size() > m_left) {
        m_left = std::max(blockSize, text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_left));
        m_next = m_blocks.back().get();
        m_bytes += m_left;
    }
    char* const at = m_next;
    std::memcpy(at, text.data(), text.size());
    m_next += text.size();
    m_left -= text.size();
    return {at, text.size()};
}

} // namespace brokerscope
