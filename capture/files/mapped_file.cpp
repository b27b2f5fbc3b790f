// SPDX-License-Identifier: Apache-2.0
#include "capture/files/mapped_file.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

namespace brokerscope {

namespace {
// So much is taken as safe after one look at the file's size.
constexpr std::uint64_t lookAhead = std::uint64_t{4} << 20;
} // namespace

std::unique_ptr<InputBytes> MappedFile::map(FileDescriptor& file, std::uint64_t size) {
    void* base = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
    if (base == MAP_FAILED) return nullptr;
    ::madvise(base, size, MADV_SEQUENTIAL);
    return std::unique_ptr<InputBytes>(new MappedFile(std::move(file), static_cast<const std::uint8_t*>(base), size));
}

MappedFile::MappedFile(FileDescriptor file, const std::uint8_t* base, std::uint64_t size)
    : m_file(std::move(file)), m_size(size) {
    m_base = base;
}

MappedFile::~MappedFile() {
    ::munmap(const_cast<std::uint8_t*>(m_base), m_size);
}

Have MappedFile::grow(std::uint64_t end, Deadline) {
    struct stat now {};
    if (::fstat(m_file.number(), &now) == 0) {
        const auto sizeNow = static_cast<std::uint64_t>(now.st_size);
        if (sizeNow < m_size && !m_failure)
            m_failure = Error{fmt::format("the file shrank from {} to {} bytes while it was read", m_size, sizeNow), "",
                              sizeNow};
        m_available = std::max(m_available, std::min({m_size, sizeNow, std::max(m_available, end) + lookAhead}));
    }
    return end <= m_available ? Have::Yes : Have::Ended;
}

} // namespace brokerscope
