// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_file.h"

#include <cerrno>
#include <unistd.h>

namespace brokerscope {

OutputFile::OutputFile(int descriptor) : m_descriptor(descriptor), m_terminal(::isatty(descriptor) != 0) {}

OutputFile::~OutputFile() {
    flush();
}

void OutputFile::write(std::string_view text) {
    m_buffer += text;
    if (m_buffer.size() >= flushAt) flush();
}

void OutputFile::flush() {
    std::string_view rest = m_buffer;
    while (!rest.empty() && !m_closed) {
        const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            if (errno != EPIPE) m_error = errno;
            m_closed = true;
        }
    }
    m_buffer.clear();
}

} // namespace brokerscope
