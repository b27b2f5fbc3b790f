// SPDX-License-Identifier: Apache-2.0
// Standard output or a file as the commands write it: text gathered in one buffer and handed to write(2) in large
// pieces, perhaps compressed.
//
// Broken pipe: the reader went away (`| head`), which is success. closed() turns true, what follows is dropped, and the
//   command stops as soon as it asks. Needs SIGPIPE ignored (main does). Other errors (disk full): see error().
// Memory:  the buffer holds at most one line above flushAt.
// Threads: one.
#pragma once

#include "capture/compressor.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

class OutputFile {
  public:
    static constexpr std::size_t flushAt = 256 * 1024;

    explicit OutputFile(int descriptor, std::unique_ptr<Compressor> compressor = nullptr);
    ~OutputFile(); // finishes
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // To append to directly; call endLine() behind each line.
    std::string& buffer() { return m_buffer; }
    void write(std::string_view text);
    void endLine() {
        m_buffer += '\n';
        if (m_buffer.size() >= flushAt) flush();
    }
    void flush();
    void finish(); // writes the rest, and a compressor's end; nothing is written after it

    bool closed() const { return m_closed; }
    int error() const { return m_error; } // errno of the first failure that was no broken pipe; 0
    bool isTerminal() const { return m_terminal; }
    int descriptor() const { return m_descriptor; }

  private:
    void pass(Compressor::Then then);
    void writeOut(std::string_view bytes);

    std::string m_buffer;
    std::unique_ptr<Compressor> m_compressor;
    std::vector<std::uint8_t> m_compressed;
    int m_descriptor;
    int m_error = 0;
    bool m_closed = false;
    bool m_terminal;
};

} // namespace brokerscope
