// SPDX-License-Identifier: Apache-2.0
// Reads pcap files: a header of 24 bytes, then records.
//
//     header   0 magic, 4 version (2 x 16 bits), 8 zone, 12 unused, 16 snap length, 20 link type (low 16 bits)
//     record   0 seconds, 4 fraction, 8 captured length, 12 original length, [more, by variant], the packet's bytes
//
// The magic tells byte order, fraction (micro- or nanoseconds) and variant. Some variants share a magic and differ in
// the size of the record header: the one that makes sense of the first records is taken.
#pragma once

#include "capture/files/file_reader.h"

#include <span>

namespace brokerscope {

class PcapReader final : public FileReader {
  public:
    // Is this the start of a pcap file? Looks at the first four bytes.
    static bool recognises(const std::uint8_t* start);
    // The input has its first four bytes; waits for the header.
    static Result<std::unique_ptr<FileReader>> open(std::unique_ptr<InputBytes> input, const std::string& name,
                                                    CaptureInfo& info);

    Step step(Packet& out, Deadline until) override;

  private:
    enum class Fit : std::uint8_t { No, Unknown, Yes };
    struct Record {
        std::uint32_t seconds, fraction, captured, original;
    };

    PcapReader(std::unique_ptr<InputBytes> input, const std::string& name, CaptureInfo& info);
    Record record(std::uint64_t position) const;
    void chooseRecordHeader(std::span<const std::uint32_t> sizes);
    Fit recordsFit(std::uint32_t recordHeaderSize) const;
    Step tooShort(Have have, std::uint64_t needed);
    Step refuse(const Record& r);

    bool m_swapped = false;
    bool m_lengthsSwapped = false; // captured and original length changed places before version 2.3
    std::uint8_t m_timeDigits = 6;
    std::uint16_t m_linkType = 0;
    std::uint32_t m_interface = 0;
    std::uint32_t m_nanosecondsPerUnit = 1000;
    std::uint32_t m_recordHeaderSize = 16;
    std::uint32_t m_longest = 0; // a packet longer than this is nonsense
};

} // namespace brokerscope
