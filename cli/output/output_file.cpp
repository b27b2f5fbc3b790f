// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_file.h"

#include <cerrno>
#include <unistd.h>

namespace brokerscope {

OutputFile::OutputFile(int descriptor, std::unique_ptr<Compressor> compressor)
    : m_compressor(std::move(compressor)), m_descriptor(descriptor), m_terminal(::isatty(descriptor) != 0) {}

OutputFile::~OutputFile() {
    finish();
}

void OutputFile::write(std::string_view text) {
    m_buffer += text;
    if (m_buffer.size() >= flushAt) flush();
}

void OutputFile::flush() {
    pass(Compressor::Then::Continue);
}

void OutputFile::finish() {
    pass(Compressor::Then::End);
    m_compressor.reset();
}

void OutputFile::pass(Compressor::Then then) {
    if (m_compressor && !m_closed) {
        m_compressed.clear();
        m_compressor->add({reinterpret_cast<const std::uint8_t*>(m_buffer.data()), m_buffer.size()}, then,
                          m_compressed);
        writeOut({reinterpret_cast<const char*>(m_compressed.data()), m_compressed.size()});
    } else {
        writeOut(m_buffer);
    }
    m_buffer.clear();
}

void OutputFile::writeOut(std::string_view rest) {
    while (!rest.empty() && !m_closed) {
        const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            if (errno != EPIPE) m_error = errno;
            m_closed = true;
        }
    }
}

} // namespace brokerscope
