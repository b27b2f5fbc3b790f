// SPDX-License-Identifier: Apache-2.0
#include "capture/files/open_input.h"

#include "capture/files/decompressor.h"
#include "capture/files/file_descriptor.h"
#include "capture/files/mapped_file.h"
#include "capture/files/stream_input.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

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

// Standard input may be a file of which a part is read already; then it is a stream like any other.
bool standsAtItsStart(const FileDescriptor& file) {
    return ::lseek(file.number(), 0, SEEK_CUR) == 0;
}

Result<std::unique_ptr<InputBytes>> inputOfFile(FileDescriptor file, std::uint64_t size, const std::string& name,
                                                const OpenOptions& options) {
    std::uint8_t start[4];
    const ssize_t got = ::pread(file.number(), start, sizeof start, 0);
    if (got < 0) return sentence(fmt::format("{} cannot be read: {}", name, std::strerror(errno)));
    if (got == 0) return sentence(fmt::format("{} is empty", name));
    if (size != 0 && !Decompressor::forStart({start, static_cast<std::size_t>(got)}))
        if (auto mapped = MappedFile::map(file, size)) return mapped;
    auto stream = StreamInput::start(std::move(file), size, options.temporaryFolder);
    if (!stream) return stream.error();
    return std::unique_ptr<InputBytes>(std::move(*stream));
}

// Formats that people may try, with what turns them into one that is read.
struct Foreign {
    std::string_view start;
    const char* advice;
};
constexpr Foreign foreigners[] = {
    {"snoop", "it is a snoop file, convert it with editcap -F pcapng"},
    {"\xfd"
     "7zXZ",
     "it is compressed with xz, decompress it with xz -d first"},
    {"BZh", "it is compressed with bzip2, decompress it with bzip2 -d first"},
    {"\x04\x22\x4d\x18", "it is compressed with lz4, decompress it with lz4 -d first"},
    {"PK\x03\x04", "it is a ZIP archive, unpack it first"},
    {"\x1f\x8b", "it is compressed twice, decompress it once"},
    {"\x28\xb5\x2f\xfd", "it is compressed twice, decompress it once"},
};

} // namespace

Result<OpenedInput> openInput(const std::string& path, const OpenOptions& options) {
    const bool fromStandardInput = path == "-";
    const std::string name = fromStandardInput ? "standard input" : path;
    FileDescriptor file(fromStandardInput ? ::fcntl(options.standardInput, F_DUPFD_CLOEXEC, 0)
                                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.number(), &status) != 0) return cannotOpen(name, errno);
    if (S_ISDIR(status.st_mode)) return sentence(fmt::format("{} is a directory; give the capture files in it", name));
    if (::isatty(file.number()))
        return sentence(fmt::format("{} is a terminal; give a capture file or pipe one in", name));
    if (S_ISREG(status.st_mode) && standsAtItsStart(file)) {
        auto input = inputOfFile(std::move(file), static_cast<std::uint64_t>(status.st_size), name, options);
        if (!input) return input.error();
        return OpenedInput{std::move(*input), name};
    }
    auto stream = StreamInput::start(std::move(file), std::nullopt, options.temporaryFolder);
    if (!stream) return stream.error();
    return OpenedInput{std::move(*stream), name};
}

Error notACapture(const InputBytes& input, const std::string& name) {
    const std::uint64_t size = std::min<std::uint64_t>(input.available(), 8);
    const std::string_view start(reinterpret_cast<const char*>(input.at(0)), size);
    if (const auto& failure = input.failure())
        return {fmt::format("{} cannot be read: {}", name, failure->what), "", failure->offset};
    if (size == 0) return sentence(fmt::format("{} is empty", name));
    if (size < 4)
        return sentence(fmt::format("{} is too short for a capture file: it has only {} {}", name, size,
                                    size == 1 ? "byte" : "bytes"));
    for (const Foreign& foreign : foreigners)
        if (start.substr(0, foreign.start.size()) == foreign.start)
            return sentence(fmt::format("{} is not a capture file that Brokerscope reads: {}", name, foreign.advice));
    return sentence(fmt::format("{} is not a capture file: {}it starts with {:02x}. Brokerscope reads pcap and pcapng, "
                                "also .gz and .zst",
                                name, input.decompressed() ? "decompressed, " : "",
                                fmt::join(input.at(0), input.at(4), " ")));
}

} // namespace brokerscope
