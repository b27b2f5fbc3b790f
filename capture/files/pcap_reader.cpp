// SPDX-License-Identifier: Apache-2.0
#include "capture/files/pcap_reader.h"

#include "capture/files/byte_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {

namespace {

struct Variant {
    std::uint32_t magic;
    std::uint32_t nanosecondsPerUnit;
    std::uint32_t headerSize;
    // Sizes of the record header, the likelier first; 0 ends the list.
    std::array<std::uint32_t, 4> recordHeaderSizes;
};

constexpr Variant variants[] = {
    {0xa1b2c3d4, 1000, 24, {16, 24, 20}}, // microseconds; 24: an early patched libpcap; 20: Nokia
    {0xa1b23c4d, 1, 24, {16}},            // nanoseconds
    {0xa1b2cd34, 1000, 24, {24, 28}},     // "modified" by Alexey Kuznetsov's patches; 28: the first of these
    {0x1c0001ab, 1000, 28, {16}},         // Ixia, software: the size of all records behind the header
    {0x1c0001ac, 1, 28, {16}},            // Ixia, hardware
};

// No snap length of libpcap is larger, and no packet of a network is larger than `plentyForAPacket`.
constexpr std::uint32_t largestSnapLength = 128U << 20;
constexpr std::uint32_t plentyForAPacket = 16U << 20;

const Variant* variantOf(const std::uint8_t* start, bool& swapped) {
    for (const bool swap : {false, true}) {
        const std::uint32_t magic = load32(start, swap);
        for (const Variant& v : variants) {
            if (v.magic != magic) continue;
            swapped = swap;
            return &v;
        }
    }
    return nullptr;
}

} // namespace

bool PcapReader::recognises(const std::uint8_t* start) {
    bool swapped = false;
    return variantOf(start, swapped) != nullptr;
}

Result<std::unique_ptr<FileReader>> PcapReader::open(std::unique_ptr<InputBytes> input, const std::string& name,
                                                     CaptureInfo& info) {
    bool swapped = false;
    const Variant& variant = *variantOf(input->at(0), swapped);
    if (input->need(variant.headerSize, waitForever) != Have::Yes)
        return endsInsideHeader(*input, name, variant.headerSize);
    const std::uint8_t* header = input->at(0);
    const unsigned major = load16(header + 4, swapped), minor = load16(header + 6, swapped);
    const bool fromDgUx = major == 543 && minor == 0;
    if (major != 2 && !fromDgUx)
        return Error{fmt::format("{} is a pcap file of version {}.{}, which is not known: its header is damaged, or a "
                                 "newer Brokerscope is needed",
                                 name, major, minor),
                     "",
                     {}};

    std::unique_ptr<PcapReader> reader(new PcapReader(std::move(input), name, info));
    reader->m_swapped = swapped;
    reader->m_lengthsSwapped = fromDgUx || minor <= 3;
    reader->m_position = variant.headerSize;
    reader->m_nanosecondsPerUnit = variant.nanosecondsPerUnit;
    reader->m_timeDigits = variant.nanosecondsPerUnit == 1 ? 9 : 6;
    reader->m_linkType = static_cast<std::uint16_t>(load32(header + 20, swapped));
    const std::uint32_t snapLength = load32(header + 16, swapped);
    reader->m_longest = std::max(std::min(snapLength, largestSnapLength), plentyForAPacket);
    reader->chooseRecordHeader(variant.recordHeaderSizes);

    CaptureInterface interface;
    interface.file = name;
    interface.linkType = reader->m_linkType;
    interface.snapLength = snapLength;
    interface.resolution.exponent = reader->m_timeDigits;
    reader->m_interface = static_cast<std::uint32_t>(info.interfaces.size());
    info.interfaces.push_back(std::move(interface));
    return std::unique_ptr<FileReader>(std::move(reader));
}

PcapReader::PcapReader(std::unique_ptr<InputBytes> input, const std::string& name, CaptureInfo& info)
    : FileReader(std::move(input), name, info) {}

void PcapReader::chooseRecordHeader(std::span<const std::uint32_t> sizes) {
    m_recordHeaderSize = sizes.front();
    if (recordsFit(sizes.front()) != Fit::No) return;
    for (const std::uint32_t size : sizes.subspan(1))
        if (size != 0 && recordsFit(size) == Fit::Yes) m_recordHeaderSize = size;
}

// Do the first records that are here make sense with record headers of this size?
PcapReader::Fit PcapReader::recordsFit(std::uint32_t recordHeaderSize) const {
    std::uint64_t position = m_position;
    std::uint32_t seconds = 0;
    int records = 0;
    for (; records < 3 && position + recordHeaderSize <= m_input->available(); ++records) {
        const Record r = record(position);
        constexpr std::uint32_t year = 366 * 86400;
        if (r.captured > m_longest || r.original > m_longest) return Fit::No;
        if (r.fraction >= 1'000'000'000 / m_nanosecondsPerUnit) return Fit::No;
        if (records > 0 && std::max(r.seconds, seconds) - std::min(r.seconds, seconds) > year) return Fit::No;
        seconds = r.seconds;
        position += recordHeaderSize + r.captured;
    }
    return records >= 2 || (records == 1 && position == m_input->available()) ? Fit::Yes : Fit::Unknown;
}

inline PcapReader::Record PcapReader::record(std::uint64_t position) const {
    const std::uint8_t* p = m_input->at(position);
    Record r{load32(p, m_swapped), load32(p + 4, m_swapped), load32(p + 8, m_swapped), load32(p + 12, m_swapped)};
    if (m_lengthsSwapped && r.captured > r.original) std::swap(r.captured, r.original);
    return r;
}

Step PcapReader::step(Packet& out, Deadline until) {
    const std::uint64_t dataAt = m_position + m_recordHeaderSize;
    Have have = m_input->need(dataAt, until);
    if (have != Have::Yes) return tooShort(have, dataAt);
    const Record r = record(m_position);
    if (r.captured > m_longest || (r.seconds | r.fraction | r.captured | r.original) == 0) return refuse(r);
    have = m_input->need(dataAt + r.captured, until);
    if (have != Have::Yes) return tooShort(have, dataAt + r.captured);

    out.time =
        Timestamp(Duration(std::int64_t{r.seconds} * 1'000'000'000 + std::int64_t{r.fraction} * m_nanosecondsPerUnit));
    out.timeDigits = m_timeDigits;
    out.linkType = m_linkType;
    out.interface = m_interface;
    out.bytes = Bytes(m_input->at(dataAt), r.captured);
    // Some writers put less than was captured; the wire had at least what is here.
    out.originalLength = std::max(r.original, r.captured);
    m_position = dataAt + r.captured;
    m_input->prefetch(m_position);
    ++m_packets;
    return Step::Packet;
}

Step PcapReader::tooShort(Have have, std::uint64_t needed) {
    if (have == Have::NotYet) return Step::NotYet;
    if (m_input->available() == m_position) return finish();
    return cut(fmt::format("packet {}", m_packets + 1), needed);
}

Step PcapReader::refuse(const Record& r) {
    if (r.captured == 0) return damaged(fmt::format("zeros stand where packet {} should begin", m_packets + 1));
    return damaged(
        fmt::format("the header of packet {} is damaged, it claims {} captured bytes", m_packets + 1, r.captured));
}

} // namespace brokerscope
