// SPDX-License-Identifier: Apache-2.0
// A regular file, mapped. The size at opening is what is read; a file that grows later is not followed. A file that
// shrinks while it is read would end the program (SIGBUS), so its size is looked at again every few megabytes.
#pragma once

#include "capture/files/file_descriptor.h"
#include "capture/files/input_bytes.h"

#include <memory>

namespace brokerscope {

class MappedFile final : public InputBytes {
  public:
    // Null when the file cannot be mapped; then `file` is still the caller's.
    static std::unique_ptr<InputBytes> map(FileDescriptor& file, std::uint64_t size);
    ~MappedFile() override;

    const char* noun() const override { return "file"; }
    std::optional<std::uint64_t> size() const override { return m_size; }
    Progress progress(std::uint64_t position) const override { return {position, m_size}; }

  private:
    MappedFile(FileDescriptor file, const std::uint8_t* base, std::uint64_t size);
    Have grow(std::uint64_t end, Deadline until) override;

    FileDescriptor m_file;
    std::uint64_t m_size;
};

} // namespace brokerscope
