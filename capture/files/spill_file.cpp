// SPDX-License-Identifier: Apache-2.0
#include "capture/files/spill_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace brokerscope {

namespace {

constexpr std::uint64_t leastRoom = std::uint64_t{1} << 30; // where address space is limited
constexpr std::uint64_t releaseStep = std::uint64_t{4} << 20;

FileDescriptor createIn(const std::string& folder) {
    FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
    // A file system without nameless files.
    std::string pattern = folder + "/brokerscope-XXXXXX";
    FileDescriptor named(::mkostemp(pattern.data(), O_CLOEXEC));
    if (named) ::unlink(pattern.c_str());
    return named;
}

std::vector<std::string> candidates(const std::string& folder) {
    if (!folder.empty()) return {folder};
    std::vector<std::string> all;
    if (const char* chosen = std::getenv("TMPDIR"); chosen && *chosen) all.emplace_back(chosen);
    all.emplace_back("/var/tmp"); // before /tmp, which is memory on many machines
    all.emplace_back("/tmp");
    return all;
}

} // namespace

Result<SpillFile> SpillFile::create(const std::string& folder, std::uint64_t room) {
    int reason = 0;
    std::string used;
    for (const std::string& candidate : candidates(folder)) {
        FileDescriptor file = createIn(candidate);
        used = candidate;
        reason = errno;
        if (!file) continue;
        // More than the file has may be mapped; it is not touched before it is there.
        for (; room >= leastRoom; room /= 2) {
            void* data = ::mmap(nullptr, room, PROT_READ, MAP_SHARED | MAP_NORESERVE, file.number(), 0);
            if (data == MAP_FAILED) continue;
            return SpillFile(std::move(file), candidate, static_cast<std::uint8_t*>(data), room);
        }
        reason = errno;
    }
    return Error{fmt::format("no temporary file can be made in {}: {}; set TMPDIR to a folder with room", used,
                             std::strerror(reason)),
                 "",
                 {}};
}

SpillFile::SpillFile(FileDescriptor file, std::string folder, std::uint8_t* data, std::uint64_t room)
    : m_file(std::move(file)), m_folder(std::move(folder)), m_data(data), m_room(room) {}

SpillFile::SpillFile(SpillFile&& o) noexcept
    : m_file(std::move(o.m_file)), m_folder(std::move(o.m_folder)), m_data(std::exchange(o.m_data, nullptr)),
      m_room(o.m_room), m_size(o.m_size), m_released(o.m_released) {}

SpillFile::~SpillFile() {
    if (m_data) ::munmap(m_data, m_room);
}

std::optional<Error> SpillFile::append(Bytes bytes) {
    if (bytes.size() > m_room - m_size)
        return Error{fmt::format("more than {} bytes of temporary data cannot be held", m_room), m_folder, {}};
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(m_file.number(), bytes.data(), bytes.size(), static_cast<off_t>(m_size));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            const char* reason = written < 0 && errno != ENOSPC ? std::strerror(errno) : "the disk is full";
            return Error{fmt::format("the temporary file in {} cannot grow beyond {} bytes: {}; set TMPDIR to a folder "
                                     "with more room",
                                     m_folder, m_size, reason),
                         "",
                         {}};
        }
        m_size += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return std::nullopt;
}

std::uint64_t SpillFile::bytesOnDisk() const {
    struct stat status {};
    return ::fstat(m_file.number(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

void SpillFile::releaseBefore(std::uint64_t position) {
    const std::uint64_t end = position / releaseStep * releaseStep;
    if (end <= m_released) return;
    // Where holes cannot be made the space stays taken, which is all that is lost.
    ::fallocate(m_file.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(m_released),
                static_cast<off_t>(end - m_released));
    m_released = end;
}

} // namespace brokerscope
