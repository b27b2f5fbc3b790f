// SPDX-License-Identifier: Apache-2.0
// What the tests of capture files share: a folder of their own, capture files written byte by byte, and a short way to
// read one to its end.
#pragma once

#include "capture/capture_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace brokerscope {

// The bytes of a file to be, with numbers in a chosen byte order.
struct FileBytes {
    explicit FileBytes(bool bigEndian_ = false) : bigEndian(bigEndian_) {}

    FileBytes& u8(std::uint64_t v) { return number(v, 1); }
    FileBytes& u16(std::uint64_t v) { return number(v, 2); }
    FileBytes& u32(std::uint64_t v) { return number(v, 4); }
    FileBytes& u64(std::uint64_t v) { return number(v, 8); }
    FileBytes& text(std::string_view s) {
        bytes += s;
        return *this;
    }
    FileBytes& number(std::uint64_t v, int size) {
        for (int i = 0; i < size; ++i)
            bytes += static_cast<char>(v >> 8 * (bigEndian ? size - 1 - i : i));
        return *this;
    }

    std::string bytes;
    bool bigEndian;
};

struct PcapVariant {
    std::uint32_t magic = 0xa1b2c3d4;
    bool bigEndian = false;
    std::uint32_t recordExtra = 0;
    std::uint32_t headerExtra = 0;
    std::uint32_t linkType = 1;
    std::uint32_t snapLength = 65535;
    unsigned minor = 4;
};

// A pcap file, record by record.
class PcapText {
  public:
    explicit PcapText(PcapVariant variant = {}) : m_variant(variant), m_file(variant.bigEndian) {
        m_file.u32(variant.magic).u16(2).u16(variant.minor).u32(0).u32(0).u32(variant.snapLength).u32(variant.linkType);
        m_file.text(std::string(variant.headerExtra, '\x11'));
    }
    PcapText& packet(std::uint32_t seconds, std::uint32_t fraction, std::string_view bytes) {
        return record(seconds, fraction, static_cast<std::uint32_t>(bytes.size()),
                      static_cast<std::uint32_t>(bytes.size()), bytes);
    }
    PcapText& record(std::uint32_t seconds, std::uint32_t fraction, std::uint32_t captured, std::uint32_t original,
                     std::string_view bytes) {
        m_file.u32(seconds).u32(fraction).u32(captured).u32(original);
        m_file.text(std::string(m_variant.recordExtra, '\x77')).text(bytes);
        return *this;
    }
    const std::string& bytes() const { return m_file.bytes; }

  private:
    PcapVariant m_variant;
    FileBytes m_file;
};

// A pcapng file, block by block.
class PcapngText {
  public:
    explicit PcapngText(bool bigEndian = false) { section(bigEndian); }

    PcapngText& section(bool bigEndian, std::string_view options = {}) {
        m_bigEndian = bigEndian;
        return block(0x0a0d0d0a, numbers().u32(0x1a2b3c4d).u16(1).u16(0).u64(~std::uint64_t{0}).bytes, options);
    }
    PcapngText& interface(unsigned linkType, std::string_view options = {}, std::uint32_t snapLength = 0) {
        return block(1, numbers().u16(linkType).u16(0).u32(snapLength).bytes, options);
    }
    PcapngText& packet(std::uint32_t interface, std::uint64_t units, std::string_view bytes,
                       std::string_view options = {}, std::uint32_t original = 0) {
        return block(6, numbers().u32(interface).bytes + timeAndData(units, bytes, original), options);
    }
    PcapngText& obsoletePacket(std::uint16_t interface, std::uint64_t units, std::string_view bytes,
                               std::string_view options = {}) {
        return block(2, numbers().u16(interface).u16(0xffff).bytes + timeAndData(units, bytes, 0), options);
    }
    PcapngText& simplePacket(std::uint32_t original, std::string_view bytes) {
        return block(3, numbers().u32(original).bytes + padded(bytes));
    }
    PcapngText& secrets(std::uint32_t kind, std::string_view text) {
        return block(10, numbers().u32(kind).u32(text.size()).bytes + padded(text));
    }
    PcapngText& statistics(std::uint32_t interface, std::string_view options) {
        return block(5, numbers().u32(interface).u64(0).bytes, options);
    }
    PcapngText& block(std::uint32_t type, std::string_view body, std::string_view options = {}) {
        const std::size_t length = 12 + padded(body).size() + options.size();
        bytes += numbers().u32(type).u32(length).text(padded(body)).text(options).u32(length).bytes;
        return *this;
    }
    // One option of the section's byte order; several are put together, an end mark is optional.
    std::string option(std::uint16_t code, std::string_view value) const {
        return numbers().u16(code).u16(value.size()).bytes + padded(value);
    }
    FileBytes numbers() const { return FileBytes(m_bigEndian); }

    std::string bytes;

  private:
    static std::string padded(std::string_view text) {
        return std::string(text) + std::string((4 - text.size() % 4) % 4, '\xee');
    }
    std::string timeAndData(std::uint64_t units, std::string_view data, std::uint32_t original) const {
        return numbers().u32(units >> 32).u32(units).u32(data.size()).u32(original ? original : data.size()).bytes +
               padded(data);
    }

    bool m_bigEndian = false;
};

// The same bytes but for those at `offset`.
inline std::string patched(std::string bytes, std::size_t offset, std::string_view text) {
    std::copy(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    return bytes;
}

inline std::string_view textOf(const Packet& packet) {
    return {reinterpret_cast<const char*>(packet.bytes.data()), packet.bytes.size()};
}

inline Timestamp at(std::int64_t nanoseconds) {
    return Timestamp(Duration(nanoseconds));
}

class CaptureFileTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "brokerscope-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string path(const std::string& name) const { return m_folder / name; }
    std::string write(const std::string& name, std::string_view bytes) const {
        std::filesystem::remove(path(name)); // much faster than to truncate it, and what is mapped stays
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    static std::string sample(const std::string& name) {
        return BROKERSCOPE_SOURCE_DIR "/tests/data/captures/small/" + name;
    }
    static std::string contentOf(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    // Opens what must be openable.
    static std::unique_ptr<PacketSource> open(const std::vector<std::string>& paths, const OpenOptions& options = {}) {
        auto opened = openCapture(paths, options);
        if (opened) return std::move(*opened);
        ADD_FAILURE() << toString(opened.error());
        return nullptr;
    }
    static std::string openError(const std::string& path) {
        const std::string paths[] = {path};
        auto opened = openCapture(paths);
        return opened ? "it was opened" : toString(opened.error());
    }
    static std::vector<Packet> readAll(PacketSource& source) {
        std::vector<Packet> packets;
        for (Packet packet; source.next(packet);)
            packets.push_back(packet);
        return packets;
    }

    std::filesystem::path m_folder;
};

} // namespace brokerscope
