// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_writer.h"

#include "capture/files/pcapng_blocks.h"
#include "capture/files/written_file.h"

#include <algorithm>
#include <limits>

namespace brokerscope {

using namespace pcapng;

namespace {

// One block, appended to a buffer in this machine's byte order; its length is filled in at the end.
class BlockText {
  public:
    BlockText(std::vector<std::uint8_t>& out, std::uint32_t type) : m_out(out), m_start(out.size()) {
        number(type);
        number(std::uint32_t{0});
    }

    template<class T>
    BlockText& number(T value) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
        m_out.insert(m_out.end(), bytes, bytes + sizeof value);
        return *this;
    }
    BlockText& time(std::uint64_t units) {
        return number(static_cast<std::uint32_t>(units >> 32)).number(static_cast<std::uint32_t>(units));
    }
    BlockText& data(Bytes bytes) {
        m_out.insert(m_out.end(), bytes.begin(), bytes.end());
        m_out.resize(m_start + padded(m_out.size() - m_start));
        return *this;
    }
    BlockText& option(std::uint16_t code, Bytes value) {
        value = value.first(std::min<std::size_t>(value.size(), std::numeric_limits<std::uint16_t>::max()));
        m_hasOptions = true;
        return number(code).number(static_cast<std::uint16_t>(value.size())).data(value);
    }
    BlockText& option(std::uint16_t code, std::string_view text) {
        return text.empty() ? *this : option(code, asBytes(text));
    }
    BlockText& option(std::uint16_t code, std::optional<std::uint64_t> count) {
        return count ? option(code, {reinterpret_cast<const std::uint8_t*>(&*count), sizeof *count}) : *this;
    }
    void finish() {
        if (m_hasOptions) number(std::uint32_t{option::end});
        const auto length = static_cast<std::uint32_t>(m_out.size() - m_start + 4);
        number(length);
        std::memcpy(m_out.data() + m_start + 4, &length, sizeof length);
    }

    static Bytes asBytes(std::string_view text) {
        return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    }

  private:
    std::vector<std::uint8_t>& m_out;
    std::size_t m_start;
    bool m_hasOptions = false;
};

std::unique_ptr<Compressor> compressorFor(const std::string& path, Compression compression) {
    switch (compression) {
    case Compression::ByName:
        return Compressor::byName(path);
    case Compression::Gzip:
        return Compressor::gzip();
    case Compression::Zstd:
        return Compressor::zstd();
    case Compression::None:
        break;
    }
    return nullptr;
}

} // namespace

Result<std::unique_ptr<CaptureWriter>> CaptureWriter::create(const std::string& path, const WriterOptions& options) {
    auto file = WrittenFile::create(path, compressorFor(path, options.compression));
    if (!file) return file.error();
    std::unique_ptr<CaptureWriter> writer(new CaptureWriter(std::move(*file)));
    BlockText section(writer->m_file->buffer(), sectionHeader);
    section.number(byteOrderMark).number(std::uint16_t{1}).number(std::uint16_t{0}).number(sectionLengthUnknown);
    section.option(option::sectionHardware, options.hardware);
    section.option(option::sectionSystem, options.operatingSystem);
    section.option(option::sectionApplication, options.application);
    for (const std::string& comment : options.comments)
        section.option(option::comment, comment);
    section.finish();
    return writer;
}

CaptureWriter::CaptureWriter(std::unique_ptr<WrittenFile> file) : m_file(std::move(file)) {}

CaptureWriter::~CaptureWriter() {
    m_file->close();
}

std::uint32_t CaptureWriter::addInterface(const CaptureInterface& interface) {
    const bool inMicroseconds = interface.resolution == TimeResolution{};
    m_nanosecondsPerUnit.push_back(inMicroseconds ? 1000 : 1);
    BlockText block(m_file->buffer(), pcapng::interfaceDescription);
    block.number(interface.linkType).number(std::uint16_t{0}).number(interface.snapLength);
    block.option(option::interfaceName, interface.name);
    block.option(option::interfaceDescription, interface.description);
    // The first byte tells the kind of filter: 0 is libpcap's text.
    if (!interface.filter.empty()) block.option(option::interfaceFilter, std::string(1, '\0') + interface.filter);
    const std::uint8_t exponent = inMicroseconds ? 6 : 9;
    block.option(option::interfaceResolution, Bytes(&exponent, 1));
    block.finish();
    m_file->commit();
    return interfaces() - 1;
}

void CaptureWriter::addPacket(std::uint32_t interface, const Packet& packet,
                              std::span<const std::string_view> comments) {
    BlockText block(m_file->buffer(), enhancedPacket);
    block.number(interface).time(units(interface, packet.time));
    block.number(static_cast<std::uint32_t>(packet.bytes.size())).number(packet.originalLength).data(packet.bytes);
    for (const std::string_view comment : comments)
        block.option(option::comment, comment);
    block.finish();
    m_file->commit();
}

void CaptureWriter::addSecrets(std::string_view keyLog) {
    BlockText block(m_file->buffer(), decryptionSecrets);
    block.number(tlsKeyLog).number(static_cast<std::uint32_t>(keyLog.size())).data(BlockText::asBytes(keyLog));
    block.finish();
    m_file->commit();
}

void CaptureWriter::addCounts(std::uint32_t interface, const InterfaceCounts& counts, Timestamp now) {
    BlockText block(m_file->buffer(), interfaceStatistics);
    block.number(interface).time(units(interface, now));
    block.option(option::receivedCount, counts.received);
    block.option(option::interfaceDropCount, counts.droppedByInterface);
    block.option(option::acceptedCount, counts.accepted);
    block.option(option::systemDropCount, counts.droppedBySystem);
    block.option(option::deliveredCount, counts.delivered);
    block.finish();
    m_file->commit();
}

std::optional<Error> CaptureWriter::flush() {
    return m_file->flush();
}

std::optional<Error> CaptureWriter::close() {
    return m_file->close();
}

std::uint64_t CaptureWriter::size() const {
    return m_file->size();
}

std::uint64_t CaptureWriter::units(std::uint32_t interface, Timestamp time) const {
    const std::int64_t nanoseconds = std::max<std::int64_t>(0, time.time_since_epoch().count());
    return static_cast<std::uint64_t>(nanoseconds / m_nanosecondsPerUnit.at(interface));
}

} // namespace brokerscope
