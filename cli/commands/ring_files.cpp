// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/ring_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace brokerscope {

namespace {

// "100MB" in bytes, "60s" in seconds; nullopt: neither.
std::optional<RingSettings> readLimit(std::string_view text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
    if (read.ec != std::errc{} || number == 0) return std::nullopt;
    RingSettings limit;
    if (unit == "s")
        limit.seconds = number;
    else if (unit == "min")
        limit.seconds = number * 60;
    else if (unit == "h")
        limit.seconds = number * 3600;
    else if (unit == "kB")
        limit.bytes = number * 1000;
    else if (unit == "MB")
        limit.bytes = number * 1'000'000;
    else if (unit == "GB")
        limit.bytes = number * 1'000'000'000;
    else
        return std::nullopt;
    return limit;
}

} // namespace

std::optional<RingSettings> readRing(std::string_view text) {
    const std::size_t times = text.find('x');
    if (times == std::string_view::npos) return std::nullopt;
    std::uint32_t files = 0;
    const auto read = std::from_chars(text.data(), text.data() + times, files);
    auto ring = readLimit(text.substr(times + 1));
    if (read.ec != std::errc{} || read.ptr != text.data() + times || files == 0 || !ring) return std::nullopt;
    ring->files = files;
    return ring;
}

RingFiles::RingFiles(std::string path, const RingSettings& ring, const PacketSource& source, std::string keyLog)
    : m_path(std::move(path)), m_ring(ring), m_source(source), m_keyLog(std::move(keyLog)) {}

RingFiles::~RingFiles() = default;

std::string RingFiles::nextName(Timestamp now) {
    ++m_count;
    if (m_ring.files == 0 && m_count == 1) return m_path;
    const std::filesystem::path path(m_path);
    // The ending counts: .pcapng.zst stays behind the number.
    const std::string file = path.filename();
    const std::size_t dot = std::min(file.find('.', 1), file.size());
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    return path.parent_path() / fmt::format("{}_{:05}_{:%Y%m%d%H%M%S}{}", file.substr(0, dot), m_count,
                                            fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
                                            file.substr(dot));
}

std::optional<Error> RingFiles::open(Timestamp now) {
    WriterOptions options;
    options.application = "Brokerscope";
    const std::string name = nextName(now);
    auto writer = CaptureWriter::create(name, options);
    if (!writer) return writer.error();
    m_writer = std::move(*writer);
    m_opened = now;
    m_names.push_back(name);
    for (const CaptureInterface& interface : m_source.info().interfaces)
        m_writer->addInterface(interface);
    if (!m_keyLog.empty()) m_writer->addSecrets(m_keyLog);
    if (m_ring.files != 0 && m_names.size() > m_ring.files) {
        std::error_code ignored; // somebody else may have moved it away
        std::filesystem::remove(m_names.front(), ignored);
        m_names.pop_front();
    }
    return std::nullopt;
}

std::optional<Error> RingFiles::add(const Packet& packet) {
    const bool full = m_writer && ((m_ring.bytes && m_writer->size() >= m_ring.bytes) ||
                                   (m_ring.seconds && packet.time - m_opened >= std::chrono::seconds(m_ring.seconds)));
    if (full)
        if (auto error = rotate(packet.time)) return error;
    if (!m_writer)
        if (auto error = open(packet.time)) return error;
    m_writer->addPacket(packet.interface, packet);
    return std::nullopt;
}

std::optional<Error> RingFiles::flush() {
    return m_writer ? m_writer->flush() : std::nullopt;
}

std::optional<Error> RingFiles::rotate(Timestamp now) {
    auto error = close(now);
    return error ? error : open(now);
}

std::optional<Error> RingFiles::close(Timestamp now) {
    if (!m_writer) return std::nullopt;
    for (std::uint32_t i = 0; i < m_writer->interfaces(); ++i)
        m_writer->addCounts(i, m_source.info().interfaces[i].counts, now);
    auto error = m_writer->close();
    m_closedBytes += m_writer->size();
    m_writer.reset();
    return error;
}

} // namespace brokerscope
