// SPDX-License-Identifier: Apache-2.0
#include "cli/input/ring_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <sys/utsname.h>

#include <charconv>
#include <ctime>
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

WriterOptions aboutThisProgram(const std::string& comment) {
    WriterOptions options;
    options.application = fmt::format("Brokerscope {}", BROKERSCOPE_VERSION);
    utsname system{};
    if (uname(&system) == 0) {
        options.operatingSystem = fmt::format("{} {}", system.sysname, system.release);
        options.hardware = system.machine;
    }
    if (!comment.empty()) options.comments.push_back(comment);
    return options;
}

std::tm localTime(Timestamp time) {
    return fmt::localtime(std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(time)));
}

std::string byPattern(const std::string& pattern, Timestamp time) {
    const std::tm parts = localTime(time);
    std::string name(4096, '\0');
    name.resize(std::strftime(name.data(), name.size(), pattern.c_str(), &parts));
    return name;
}

// The ending counts: .pcapng.zst stays behind what is added.
std::string withSuffix(const std::string& path, const std::string& suffix) {
    const std::filesystem::path whole(path);
    const std::string file = whole.filename();
    const std::size_t dot = std::min(file.find('.', 1), file.size());
    return whole.parent_path() / (file.substr(0, dot) + suffix + file.substr(dot));
}

} // namespace

std::optional<RingSettings> readRing(std::string_view text) {
    const std::size_t times = text.find('x');
    if (times == std::string_view::npos) return readLimit(text);
    std::uint32_t files = 0;
    const auto read = std::from_chars(text.data(), text.data() + times, files);
    auto ring = readLimit(text.substr(times + 1));
    if (read.ec != std::errc{} || read.ptr != text.data() + times || files == 0 || !ring) return std::nullopt;
    ring->files = files;
    return ring;
}

RingFiles::RingFiles(std::string path, const RingSettings& ring, const PacketSource& source, KeyLog* keys)
    : m_path(std::move(path)), m_ring(ring), m_source(source), m_keys(keys) {}

RingFiles::~RingFiles() = default;

std::string RingFiles::nextName(Timestamp now) {
    ++m_count;
    if (m_path == "-") return m_path;
    if (m_path.find('%') != std::string::npos) {
        const std::string stem = byPattern(m_path, now);
        if (stem != m_lastStem) m_count = 1;
        m_lastStem = stem;
        return m_count == 1 ? stem : withSuffix(stem, fmt::format("_{:05}", m_count));
    }
    if (!m_ring.rotates() && m_count == 1) return m_path;
    return withSuffix(m_path, fmt::format("_{:05}_{:%Y%m%d%H%M%S}", m_count, localTime(now)));
}

std::optional<Error> RingFiles::begin(Timestamp now) {
    const std::string name = nextName(now);
    auto writer = CaptureWriter::create(name, aboutThisProgram(m_comment));
    if (!writer) return writer.error();
    m_writer = std::move(*writer);
    m_empty = true;
    m_names.push_back(name);
    for (const CaptureInterface& interface : m_source.info().interfaces)
        m_writer->addInterface(interface);
    m_secretsWritten = m_secretsAtOpening;
    if (m_keys) m_secretsAtOpening = m_keys->stored();
    passSecrets();
    if (m_ring.files != 0 && m_names.size() > m_ring.files) {
        std::error_code ignored; // somebody else may have moved it away
        std::filesystem::remove(m_names.front(), ignored);
        m_names.pop_front();
    }
    return m_writer->flush();
}

bool RingFiles::isFull(Timestamp now) const {
    if (m_empty) return false;
    return (m_ring.bytes && m_writer->size() >= m_ring.bytes) ||
           (m_ring.seconds && now - m_opened >= std::chrono::seconds(m_ring.seconds));
}

std::optional<Error> RingFiles::add(const Packet& packet) {
    if (isFull(packet.time))
        if (auto error = rotate(packet.time)) return error;
    if (m_empty) m_opened = packet.time;
    m_empty = false;
    passSecrets();
    m_writer->addPacket(packet.interface, packet);
    return std::nullopt;
}

// A program writes its secrets about when its packets come: they are looked for often, so that they stand near them.
void RingFiles::passSecrets() {
    constexpr auto every = std::chrono::milliseconds(5);
    if (!m_keys || !m_writer) return;
    if (const auto now = std::chrono::steady_clock::now(); now - m_keysRead >= every) {
        m_keysRead = now;
        m_keys->refresh();
    }
    if (m_keys->stored() == m_secretsWritten) return;
    m_writer->addSecrets(m_keys->text(m_secretsWritten));
    m_secretsWritten = m_keys->stored();
}

std::optional<Error> RingFiles::flush() {
    passSecrets();
    return m_writer ? m_writer->flush() : std::nullopt;
}

std::optional<Error> RingFiles::rotate(Timestamp now) {
    auto error = close(now);
    return error ? error : begin(now);
}

std::optional<Error> RingFiles::close(Timestamp now) {
    if (!m_writer) return std::nullopt;
    passSecrets();
    for (std::uint32_t i = 0; i < m_writer->interfaces(); ++i)
        m_writer->addCounts(i, m_source.info().interfaces[i].counts, now);
    auto error = m_writer->close();
    m_closedBytes += m_writer->size();
    m_writer.reset();
    return error;
}

} // namespace brokerscope
