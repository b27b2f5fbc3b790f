// SPDX-License-Identifier: Apache-2.0
// Bytes that come for days and are needed for a minute: SpillFiles one behind the other. One file has a last byte; what
// goes on for days has none.
//
// Bytes:   stay where they are until releaseBefore() gives them up; then their address may be anybody's.
// Memory:  disk for what was not given up, at most one segment more; address space for the same.
// Threads: one at a time.
#pragma once

#include "capture/files/spill_file.h"

#include <cstdint>
#include <deque>
#include <string>

namespace brokerscope {

class SpillSegments {
  public:
    static constexpr std::uint64_t usualSegment = std::uint64_t{4} << 30;

    static Result<SpillSegments> create(const std::string& folder, std::uint64_t segmentBytes = usualSegment);

    // The place of the copy.
    Result<const std::uint8_t*> append(Bytes bytes);
    // `position` lies in what was appended; everything that was appended before it may go.
    void releaseBefore(const std::uint8_t* position);
    std::uint64_t bytesOnDisk() const;

  private:
    SpillSegments(std::string folder, std::uint64_t segmentBytes)
        : m_folder(std::move(folder)), m_segmentBytes(segmentBytes) {}
    std::optional<Error> begin(std::uint64_t least);

    std::string m_folder;
    std::uint64_t m_segmentBytes;
    std::deque<SpillFile> m_segments; // oldest first; never empty
};

} // namespace brokerscope
