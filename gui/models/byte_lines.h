// SPDX-License-Identifier: Apache-2.0
// How a message's bytes are laid out in lines: 16 (or 8) to a line, each at the column of its offset. A hole of up to a
// line stays in place byte by byte; a longer one becomes a single line that says how much is missing.
// Bytes: none are read. Memory: one entry for each run between long holes.
#pragma once

#include "dissector/wire/byte_chain.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace brokerscope {

struct ByteLine {
    std::uint32_t begin = 0, end = 0; // the bytes of this line; all of the hole when it is one
    bool hole = false;

    bool operator==(const ByteLine&) const = default;
};

class ByteLines {
  public:
    ByteLines() = default;
    ByteLines(const ByteChain& bytes, std::uint32_t perLine);

    std::uint32_t perLine() const { return m_perLine; }
    int count() const { return m_count; }
    ByteLine line(int number) const;
    int lineOf(std::uint32_t offset) const;

  private:
    struct Run {
        std::uint32_t begin, end;
        int firstLine;
        bool hole;
    };
    void add(std::uint32_t begin, std::uint32_t end, bool hole);
    const Run& runOfLine(int number) const;

    std::vector<Run> m_runs;
    std::uint32_t m_perLine = 16;
    int m_count = 0;
};

} // namespace brokerscope
