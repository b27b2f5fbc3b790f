// SPDX-License-Identifier: Apache-2.0
// Writes pcapng, plain or compressed with gzip or zstd: what exports and live captures leave behind.
//
// Bytes:   copied into a buffer before a call returns.
// Memory:  a buffer of 256 KiB (or one packet, if that is larger), and what the compressor needs.
// Errors:  the first one is kept, flush() and close() return it; nothing is written after it.
// Kill:    after flush() everything before it can be read from the file, whatever happens to the program.
// Threads: one at a time.
#pragma once

#include "capture/packet_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

class WrittenFile;

enum class Compression : std::uint8_t { ByName, None, Gzip, Zstd }; // ByName: as .gz and .zst say

struct WriterOptions {
    Compression compression = Compression::ByName;
    std::string application; // "Brokerscope 1.2"; goes with the rest into the section header, unless empty
    std::string operatingSystem, hardware;
    std::vector<std::string> comments;
};

class CaptureWriter {
  public:
    // Makes the file or empties the one that is there; "-" is standard output.
    static Result<std::unique_ptr<CaptureWriter>> create(const std::string& path, const WriterOptions& options);
    ~CaptureWriter(); // closes; whether that went well only close() tells

    // The index of the new interface. Its times are kept in microseconds when that is its resolution, else in
    // nanoseconds. Of `interface` are used: name, description, filter, link type, snap length, resolution.
    std::uint32_t addInterface(const CaptureInterface& interface);
    std::uint32_t interfaces() const { return static_cast<std::uint32_t>(m_nanosecondsPerUnit.size()); }
    // Of `packet` are used: time, bytes, original length. A time before 1970 cannot be written and becomes 1970.
    void addPacket(std::uint32_t interface, const Packet& packet, std::span<const std::string_view> comments = {});
    void addSecrets(std::string_view keyLog); // TLS, NSS key log text; stand before the packets they decrypt
    void addCounts(std::uint32_t interface, const InterfaceCounts& counts, Timestamp now);

    std::optional<Error> flush();
    std::optional<Error> close();
    // The file's size, with what is still in the buffer (before compression).
    std::uint64_t size() const;

  private:
    explicit CaptureWriter(std::unique_ptr<WrittenFile> file);
    std::uint64_t units(std::uint32_t interface, Timestamp time) const;

    std::unique_ptr<WrittenFile> m_file;
    std::vector<std::int64_t> m_nanosecondsPerUnit; // by interface
};

} // namespace brokerscope
