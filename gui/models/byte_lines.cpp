// SPDX-License-Identifier: Apache-2.0
#include "gui/models/byte_lines.h"

#include <algorithm>

namespace brokerscope {

ByteLines::ByteLines(const ByteChain& bytes, std::uint32_t perLine) : m_perLine(perLine) {
    std::uint32_t begin = 0; // of what is not in a run yet
    for (const ByteChain::Piece& piece : bytes.pieces()) {
        if (piece.slice.data || piece.slice.length <= perLine) continue;
        add(begin, piece.offset, false);
        add(piece.offset, piece.offset + piece.slice.length, true);
        begin = piece.offset + piece.slice.length;
    }
    add(begin, bytes.size(), false);
}

void ByteLines::add(std::uint32_t begin, std::uint32_t end, bool hole) {
    if (begin == end) return;
    m_runs.push_back({begin, end, m_count, hole});
    m_count += hole ? 1 : static_cast<int>((end - 1) / m_perLine - begin / m_perLine) + 1;
}

const ByteLines::Run& ByteLines::runOfLine(int number) const {
    const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), number,
                                        [](int line, const Run& run) { return line < run.firstLine; });
    return *std::prev(after);
}

ByteLine ByteLines::line(int number) const {
    if (number < 0 || number >= m_count) return {};
    const Run& run = runOfLine(number);
    if (run.hole) return {run.begin, run.end, true};
    const std::uint32_t row = run.begin / m_perLine + static_cast<std::uint32_t>(number - run.firstLine);
    return {std::max(run.begin, row * m_perLine), std::min(run.end, (row + 1) * m_perLine), false};
}

int ByteLines::lineOf(std::uint32_t offset) const {
    if (m_runs.empty()) return 0;
    const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), offset,
                                        [](std::uint32_t at, const Run& run) { return at < run.begin; });
    const Run& run = *std::prev(after);
    if (run.hole) return run.firstLine;
    const std::uint32_t at = std::min(offset, run.end - 1);
    return run.firstLine + static_cast<int>(at / m_perLine - run.begin / m_perLine);
}

} // namespace brokerscope
