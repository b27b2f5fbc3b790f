// SPDX-License-Identifier: Apache-2.0
#include "capture/files/open_input.h"

#include "capture/files/file_descriptor.h"
#include "capture/files/mapped_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace brokerscope {

namespace {

Error sentence(std::string what) {
    return {std::move(what), "", {}};
}

Error cannotOpen(const std::string& name, int reason) {
    switch (reason) {
    case ENOENT:
        return sentence(fmt::format("{} does not exist", name));
    case EACCES:
        return sentence(fmt::format("{} may not be read by you: permission denied", name));
    default:
        return sentence(fmt::format("{} cannot be opened: {}", name, std::strerror(reason)));
    }
}

} // namespace

Result<OpenedInput> openInput(const std::string& path, const OpenOptions& options) {
    const bool fromStandardInput = path == "-";
    const std::string name = fromStandardInput ? "standard input" : path;
    FileDescriptor file(fromStandardInput ? ::fcntl(options.standardInput, F_DUPFD_CLOEXEC, 0)
                                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return cannotOpen(name, errno);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return cannotOpen(name, errno);
    if (S_ISDIR(status.st_mode)) return sentence(fmt::format("{} is a directory, give the files in it", name));
    if (status.st_size == 0) return sentence(fmt::format("{} is empty", name));
    auto mapped = MappedFile::map(std::move(file), static_cast<std::uint64_t>(status.st_size), name);
    if (!mapped) return mapped.error();
    return OpenedInput{std::move(*mapped), name};
}

Error notACapture(InputBytes& input, const std::string& name) {
    if (input.available() < 4)
        return sentence(fmt::format("{} is too short for a capture file: it has only {} {}", name, input.available(),
                                    input.available() == 1 ? "byte" : "bytes"));
    std::string start;
    for (std::uint64_t i = 0; i < 4; ++i)
        start += fmt::format(" {:02x}", *input.at(i));
    return sentence(fmt::format("{} is not a capture file: it starts with{}. Brokerscope reads pcap and pcapng, also "
                                ".gz and .zst",
                                name, start));
}

} // namespace brokerscope
