// SPDX-License-Identifier: Apache-2.0
// Each distinct text once, named by a small number: client ids, topics, groups. Number 0 is the empty text.
//
// Memory:  the texts themselves in blocks, bounded by what the capture holds; nothing is removed.
// Threads: intern() by one thread; text() and size() by any (see AppendOnly).
#pragma once

#include "dissector/index/append_only.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brokerscope {

using StringId = std::uint32_t;

class StringTable {
  public:
    StringTable();

    StringId intern(std::string_view text);
    std::string_view text(StringId id) const { return m_texts[id]; }
    std::uint32_t size() const { return m_texts.size(); }
    std::size_t memoryBytes() const { return m_bytes; } // the writer's

  private:
    std::string_view keep(std::string_view text);

    AppendOnly<std::string_view> m_texts;
    std::unordered_map<std::string_view, StringId> m_ids;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_left = 0; // in the last block
    char* m_next = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace brokerscope
