// SPDX-License-Identifier: Apache-2.0
#include "capture/live/spill_segments.h"

#include <algorithm>
#include <functional>

namespace brokerscope {

Result<SpillSegments> SpillSegments::create(const std::string& folder, std::uint64_t segmentBytes) {
    SpillSegments segments(folder, segmentBytes);
    if (auto error = segments.begin(0)) return *error;
    return segments;
}

std::optional<Error> SpillSegments::begin(std::uint64_t least) {
    constexpr std::uint64_t mapped = std::uint64_t{1} << 30; // what a SpillFile takes at least
    auto segment = SpillFile::create(m_folder, std::max({m_segmentBytes, least, mapped}));
    if (!segment) return segment.error();
    m_segments.push_back(std::move(*segment));
    return std::nullopt;
}

Result<const std::uint8_t*> SpillSegments::append(Bytes bytes) {
    if (m_segments.back().size() != 0 && m_segments.back().size() + bytes.size() > m_segmentBytes)
        if (auto error = begin(bytes.size())) return *error;
    SpillFile& segment = m_segments.back();
    const std::uint64_t at = segment.size();
    if (auto error = segment.append(bytes)) return *error;
    return segment.data() + at;
}

void SpillSegments::releaseBefore(const std::uint8_t* position) {
    const std::less_equal<> notBehind;
    const auto holds = [&](const SpillFile& segment) {
        return notBehind(segment.data(), position) && notBehind(position, segment.data() + segment.size());
    };
    const auto found = std::ranges::find_if(m_segments, holds);
    if (found == m_segments.end()) return;
    found->releaseBefore(static_cast<std::uint64_t>(position - found->data()));
    const SpillFile* const first = &*found;
    while (&m_segments.front() != first)
        m_segments.pop_front();
}

std::uint64_t SpillSegments::bytesOnDisk() const {
    std::uint64_t total = 0;
    for (const SpillFile& segment : m_segments)
        total += segment.bytesOnDisk();
    return total;
}

} // namespace brokerscope
