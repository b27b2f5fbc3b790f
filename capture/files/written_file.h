// SPDX-License-Identifier: Apache-2.0
// A file that is written from its start to its end, through a buffer and perhaps a compressor. What reaches the disk
// without compression always ends where a commit() was.
//
// Errors:  the first one stays; everything after it is dropped.
#pragma once

#include "capture/compressor.h"
#include "capture/files/file_descriptor.h"
#include "capture/types/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

class WrittenFile {
  public:
    // "-" is standard output. No compressor: plain.
    static Result<std::unique_ptr<WrittenFile>> create(const std::string& path, std::unique_ptr<Compressor> compressor);

    // Where the next bytes are to be appended; commit() when they are whole.
    std::vector<std::uint8_t>& buffer() { return m_buffer; }
    void commit();
    std::optional<Error> flush();
    std::optional<Error> close();
    std::uint64_t size() const { return m_written + m_buffer.size(); }

  private:
    WrittenFile(FileDescriptor file, std::string name, std::unique_ptr<Compressor> compressor);
    void pass(Compressor::Then then);
    void write(Bytes bytes);

    FileDescriptor m_file;
    std::string m_name;
    std::unique_ptr<Compressor> m_compressor;
    std::vector<std::uint8_t> m_buffer, m_compressed;
    std::uint64_t m_written = 0;
    std::optional<Error> m_error;
};

} // namespace brokerscope
