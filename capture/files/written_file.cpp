// SPDX-License-Identifier: Apache-2.0
#include "capture/files/written_file.h"

#include <fmt/format.h>

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace brokerscope {

namespace {
constexpr std::size_t bufferSize = std::size_t{256} << 10;
} // namespace

Result<std::unique_ptr<WrittenFile>> WrittenFile::create(const std::string& path,
                                                         std::unique_ptr<Compressor> compressor) {
    const bool toStandardOutput = path == "-";
    FileDescriptor file(toStandardOutput ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                         : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    std::string name = toStandardOutput ? "standard output" : path;
    if (!file) return Error{fmt::format("{} cannot be written: {}", name, std::strerror(errno)), "", {}};
    return std::unique_ptr<WrittenFile>(new WrittenFile(std::move(file), std::move(name), std::move(compressor)));
}

WrittenFile::WrittenFile(FileDescriptor file, std::string name, std::unique_ptr<Compressor> compressor)
    : m_file(std::move(file)), m_name(std::move(name)), m_compressor(std::move(compressor)) {
    m_buffer.reserve(bufferSize + bufferSize / 4);
}

void WrittenFile::commit() {
    if (m_buffer.size() >= bufferSize) pass(Compressor::Then::Continue);
}

std::optional<Error> WrittenFile::flush() {
    pass(Compressor::Then::Flush);
    return m_error;
}

std::optional<Error> WrittenFile::close() {
    if (!m_file) return m_error;
    pass(Compressor::Then::End);
    m_file = FileDescriptor();
    return m_error;
}

void WrittenFile::pass(Compressor::Then then) {
    if (m_compressor && m_file) {
        m_compressed.clear();
        m_compressor->add(m_buffer, then, m_compressed);
        write(m_compressed);
    } else {
        write(m_buffer);
    }
    m_buffer.clear();
}

void WrittenFile::write(Bytes bytes) {
    while (!bytes.empty() && !m_error) {
        const ssize_t written = ::write(m_file.number(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            const char* reason = written < 0 && errno != ENOSPC ? std::strerror(errno) : "the disk is full";
            m_error = Error{fmt::format("{} cannot be written beyond {} bytes: {}", m_name, m_written, reason), "", {}};
            return;
        }
        m_written += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

} // namespace brokerscope
