// SPDX-License-Identifier: Apache-2.0
// A growing row of bytes on disk that is read through memory: an unlinked temporary file, mapped once over more room
// than it will need, so that no byte ever moves.
//
// Bytes:   valid as long as the object lives, except what releaseBefore() gave up.
// Memory:  address space only; the pages belong to the file.
// Errors:  a full disk is an Error; what was appended before stays readable.
// Threads: append() and releaseBefore() by one thread; any thread may read bytes that it was told of.
#pragma once

#include "capture/files/file_descriptor.h"
#include "capture/types/bytes.h"
#include "capture/types/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace brokerscope {

class SpillFile {
  public:
    static constexpr std::uint64_t mostRoom = std::uint64_t{8} << 40; // 8 TiB

    // In `folder` or, when it is empty, in the first of $TMPDIR, /var/tmp and /tmp that takes it. Grows to `room` bytes
    // at most, or less where address space is scarce.
    static Result<SpillFile> create(const std::string& folder, std::uint64_t room = mostRoom);

    SpillFile(SpillFile&& o) noexcept;
    SpillFile& operator=(SpillFile&&) = delete;
    ~SpillFile();

    std::optional<Error> append(Bytes bytes);
    const std::uint8_t* data() const { return m_data; }
    std::uint64_t size() const { return m_size; }
    std::uint64_t bytesOnDisk() const; // less than size() where something was released
    // Gives the disk space of all bytes before `position` back, a few megabytes at a time, where the file system can.
    void releaseBefore(std::uint64_t position);

  private:
    SpillFile(FileDescriptor file, std::string folder, std::uint8_t* data, std::uint64_t room);

    FileDescriptor m_file;
    std::string m_folder;
    std::uint8_t* m_data;
    std::uint64_t m_room;
    std::uint64_t m_size = 0;
    std::uint64_t m_released = 0;
};

} // namespace brokerscope
