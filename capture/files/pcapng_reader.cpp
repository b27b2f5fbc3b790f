// SPDX-License-Identifier: Apache-2.0
#include "capture/files/pcapng_reader.h"

#include "capture/files/pcapng_blocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

using namespace pcapng;

namespace {

bool holdsAPacket(std::uint32_t type) {
    return type == enhancedPacket || type == simplePacket || type == obsoletePacket;
}

std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

bool PcapngReader::recognises(const std::uint8_t* start) {
    return load32(start, false) == sectionHeader;
}

Result<std::unique_ptr<FileReader>> PcapngReader::open(std::unique_ptr<InputBytes> input, const std::string& name,
                                                       CaptureInfo& info) {
    constexpr std::uint64_t smallest = 28;
    if (input->need(smallest, waitForever) != Have::Yes) return endsInsideHeader(*input, name, smallest);
    std::unique_ptr<PcapngReader> reader(new PcapngReader(std::move(input), name, info));
    InputBytes& bytes = reader->input();
    Complaint complaint = reader->readByteOrder(bytes.at(8));
    std::uint32_t length = reader->u32(bytes.at(4));
    if (!complaint) complaint = reader->checkLength(length);
    if (!complaint) {
        length = static_cast<std::uint32_t>(padded(length));
        if (bytes.need(length, waitForever) != Have::Yes) return endsInsideHeader(bytes, name, length);
        complaint = reader->readSection({sectionHeader, length, bytes.at(0)});
    }
    if (complaint)
        return Error{
            fmt::format("{} starts like pcapng, but its first header is damaged: {}", name, complaint), "", {}};
    reader->m_position = length;
    return std::unique_ptr<FileReader>(std::move(reader));
}

PcapngReader::PcapngReader(std::unique_ptr<InputBytes> input, const std::string& name, CaptureInfo& info)
    : FileReader(std::move(input), name, info) {}

Step PcapngReader::step(Packet& out, Deadline until) {
    m_comments.clear();
    for (;;) {
        Block block;
        const Step found = nextBlock(block, until);
        if (found != Step::Packet) return found;
        Complaint complaint = nullptr;
        switch (block.type) {
        case enhancedPacket:
        case obsoletePacket:
            complaint = readTimedPacket(block, out);
            break;
        case simplePacket:
            complaint = readSimplePacket(block, out);
            break;
        case sectionHeader:
            complaint = readSection(block);
            break;
        case interfaceDescription:
            complaint = readInterface(block);
            break;
        case interfaceStatistics:
            readStatistics(block);
            break;
        case decryptionSecrets:
            readSecrets(block);
            break;
        default:
            break;
        }
        if (complaint) return damaged(fmt::format("{} is damaged, {}", thisBlock(), complaint));
        m_position += block.length;
        m_input->prefetch(m_position);
        if (!holdsAPacket(block.type)) continue;
        m_lastTime = out.time;
        ++m_packets;
        return Step::Packet;
    }
}

// A whole block at m_position (then the answer is Step::Packet), or why not.
Step PcapngReader::nextBlock(Block& out, Deadline until) {
    Have have = m_input->need(m_position + 12, until);
    if (have != Have::Yes) return tooShort(have, m_position + 12);
    const std::uint8_t* start = m_input->at(m_position);
    Complaint complaint = nullptr;
    out.type = u32(start);
    // The length of a section header is in the byte order of the section that begins here.
    if (out.type == sectionHeader) complaint = readByteOrder(start + 8);
    const std::uint32_t length = u32(start + 4);
    if (!complaint) complaint = checkLength(length);
    if (!complaint) {
        out.length = static_cast<std::uint32_t>(padded(length)); // some writers leave the padding out of the number
        have = m_input->need(m_position + out.length, until);
        if (have != Have::Yes) return tooShort(have, m_position + out.length);
        out.start = m_input->at(m_position);
        const std::uint32_t again = u32(out.bodyEnd());
        if (again != length && again != out.length) complaint = "its length is not the same at its start and its end";
    }
    if (!complaint) return Step::Packet;
    return damaged(fmt::format("{} is damaged, {}", thisBlock(), complaint));
}

Step PcapngReader::tooShort(Have have, std::uint64_t needed) {
    if (have == Have::NotYet) return Step::NotYet;
    const std::uint64_t left = m_input->available() - m_position;
    if (left == 0) return finish();
    const bool packet = left >= 4 && holdsAPacket(u32(m_input->at(m_position)));
    return cut(packet ? fmt::format("packet {}", m_packets + 1) : thisBlock(), needed);
}

std::string PcapngReader::thisBlock() const {
    return m_packets == 0 ? "a block before the first packet" : fmt::format("the block behind packet {}", m_packets);
}

PcapngReader::Complaint PcapngReader::checkLength(std::uint32_t length) const {
    if (length < 12) return "its length is less than a block can have";
    if (length > longestBlock) return "its length is more than 128 MiB";
    return nullptr;
}

PcapngReader::Complaint PcapngReader::readByteOrder(const std::uint8_t* mark) {
    for (const bool swapped : {false, true}) {
        if (load32(mark, swapped) != byteOrderMark) continue;
        m_swapped = swapped;
        return nullptr;
    }
    return "the mark of its byte order is none";
}

PcapngReader::Complaint PcapngReader::readSection(const Block& block) {
    if (block.length < 28) return "it is too short for a section's header";
    // 1.0 and 1.2 are the same; there were no others.
    const unsigned major = u16(block.start + 12), minor = u16(block.start + 14);
    if (major != 1 || (minor != 0 && minor != 2)) return "it is of a version of pcapng that is not known";
    m_interfaces.clear();
    Options options(block.from(24), m_swapped);
    for (Option option; options.next(option);) {
        std::string* text = option.code == option::sectionApplication ? &m_info.application
                            : option.code == option::sectionSystem    ? &m_info.operatingSystem
                            : option.code == option::sectionHardware  ? &m_info.hardware
                                                                      : nullptr;
        if (text && text->empty()) *text = keepText(option.value);
        if (option.code == option::comment) keepComment(option.value);
    }
    return nullptr;
}

PcapngReader::Complaint PcapngReader::readInterface(const Block& block) {
    if (block.length < 20) return "it is too short for an interface";
    if (m_info.interfaces.size() >= mostInterfaces) return "there are more than 65536 interfaces";
    CaptureInterface interface;
    interface.file = m_name;
    interface.linkType = u16(block.start + 8);
    interface.snapLength = u32(block.start + 12);
    Options options(block.from(16), m_swapped);
    for (Option option; options.next(option);) {
        switch (option.code) {
        case option::comment:
            keepComment(option.value);
            break;
        case option::interfaceName:
            interface.name = keepText(option.value);
            break;
        case option::interfaceDescription:
            interface.description = keepText(option.value);
            break;
        case option::interfaceFilter: // the first byte tells the kind: 0 is text
            if (option.value.size() > 1 && option.value[0] == 0) interface.filter = keepText(option.value.subspan(1));
            break;
        case option::interfaceResolution:
            if (!option.value.empty())
                interface.resolution = {(option.value[0] & 0x80) != 0,
                                        static_cast<std::uint8_t>(option.value[0] & 0x7f)};
            break;
        case option::interfaceTimeOffset:
            if (option.value.size() >= 8) interface.timeOffset = static_cast<std::int64_t>(u64(option.value.data()));
            break;
        default:
            break;
        }
    }
    m_interfaces.push_back({static_cast<std::uint32_t>(m_info.interfaces.size()), interface.linkType,
                            interface.snapLength, TimeScale(interface.resolution, interface.timeOffset)});
    m_info.interfaces.push_back(std::move(interface));
    return nullptr;
}

// The enhanced and the obsolete packet block differ only in how they write the interface.
PcapngReader::Complaint PcapngReader::readTimedPacket(const Block& block, Packet& out) {
    constexpr std::uint32_t dataAt = 28;
    if (block.length < dataAt + 4) return "it is too short for a packet";
    const std::uint32_t number = block.type == enhancedPacket ? u32(block.start + 8) : u16(block.start + 8);
    if (number >= m_interfaces.size()) return "it names an interface that the section does not have";
    const std::uint32_t captured = u32(block.start + 20);
    const Bytes rest = block.from(dataAt);
    if (captured > rest.size()) return "it claims more captured bytes than it has";

    const Interface& interface = m_interfaces[number];
    out.time = interface.scale.at(std::uint64_t{u32(block.start + 12)} << 32 | u32(block.start + 16));
    out.timeDigits = interface.scale.digits();
    out.linkType = interface.linkType;
    out.interface = interface.index;
    out.bytes = rest.first(captured);
    out.originalLength = std::max(u32(block.start + 24), captured);

    Options options(rest.subspan(std::min<std::size_t>(rest.size(), padded(captured))), m_swapped);
    for (Option option; options.next(option);)
        if (option.code == option::comment && m_comments.size() < mostPacketComments)
            m_comments.push_back(asText(option.value));
    return nullptr;
}

// No interface (it is the section's first), no time, no captured length (it follows from the snap length).
PcapngReader::Complaint PcapngReader::readSimplePacket(const Block& block, Packet& out) {
    if (block.length < 16) return "it is too short for a packet";
    if (m_interfaces.empty()) return "it comes before any interface";
    const Interface& interface = m_interfaces.front();
    const std::uint32_t original = u32(block.start + 8);
    const Bytes rest = block.from(12);
    const std::uint32_t captured = interface.snapLength == 0 ? original : std::min(original, interface.snapLength);
    if (captured > rest.size()) return "it claims more captured bytes than it has";

    out.time = m_lastTime;
    out.timeDigits = interface.scale.digits();
    out.linkType = interface.linkType;
    out.interface = interface.index;
    out.bytes = rest.first(captured);
    out.originalLength = original;
    ++m_info.untimedPackets;
    return nullptr;
}

void PcapngReader::readStatistics(const Block& block) {
    if (block.length < 24) return;
    const std::uint32_t number = u32(block.start + 8);
    if (number >= m_interfaces.size()) return;
    InterfaceCounts& counts = m_info.interfaces[m_interfaces[number].index].counts;
    Options options(block.from(20), m_swapped);
    for (Option option; options.next(option);) {
        if (option.value.size() < 8) continue;
        const std::uint64_t count = u64(option.value.data());
        switch (option.code) {
        case option::receivedCount:
            counts.received = count;
            break;
        case option::interfaceDropCount:
            counts.droppedByInterface = count;
            break;
        case option::acceptedCount:
            counts.accepted = count;
            break;
        case option::systemDropCount:
            counts.droppedBySystem = count;
            break;
        case option::deliveredCount:
            counts.delivered = count;
            break;
        default:
            break;
        }
    }
}

void PcapngReader::readSecrets(const Block& block) {
    if (block.length < 20 || u32(block.start + 8) != tlsKeyLog) return;
    Bytes secrets = block.from(16);
    secrets = secrets.first(std::min<std::size_t>(secrets.size(), u32(block.start + 12)));
    if (secrets.empty() || secrets.size() > mostSecretBytes - m_secretBytes) return;
    m_secretBytes += secrets.size();
    m_info.keyLog += asText(secrets);
    if (m_info.keyLog.back() != '\n') m_info.keyLog += '\n';
}

void PcapngReader::keepComment(Bytes text) {
    std::string kept = keepText(text);
    if (!kept.empty()) m_info.comments.push_back(std::move(kept));
}

std::string PcapngReader::keepText(Bytes text) {
    const std::string_view whole = asText(text);
    const std::string_view kept =
        whole.substr(0, std::min({whole.find('\0'), whole.size(), mostTextBytes - m_textBytes}));
    m_textBytes = std::min(mostTextBytes, m_textBytes + kept.size() + sizeof(std::string));
    return std::string(kept);
}

Bytes PcapngReader::Block::from(std::uint32_t offset) const {
    return {start + offset, bodyEnd()};
}

std::uint16_t PcapngReader::u16(const std::uint8_t* p) const {
    return load16(p, m_swapped);
}

std::uint32_t PcapngReader::u32(const std::uint8_t* p) const {
    return load32(p, m_swapped);
}

std::uint64_t PcapngReader::u64(const std::uint8_t* p) const {
    return load64(p, m_swapped);
}

} // namespace brokerscope
