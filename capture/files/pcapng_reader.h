// SPDX-License-Identifier: Apache-2.0
// Reads pcapng files: blocks (see pcapng_blocks.h) in sections, each section with a byte order and interfaces of its
// own. Packets come from enhanced, simple and obsolete packet blocks; interfaces, their statistics, comments and TLS
// secrets are kept in the CaptureInfo; all other blocks and options are passed over.
//
// Memory:  texts, secrets and interfaces are copied up to a limit each (see below); packets never are.
#pragma once

#include "capture/files/file_reader.h"
#include "capture/files/time_scale.h"

#include <vector>

namespace brokerscope {

class PcapngReader final : public FileReader {
  public:
    static constexpr std::uint32_t longestBlock = 128U << 20;
    static constexpr std::size_t mostInterfaces = 65536;   // of the whole capture
    static constexpr std::size_t mostTextBytes = 4U << 20; // names and comments, of a file
    static constexpr std::size_t mostPacketComments = 64;  // of one packet
    static constexpr std::size_t mostSecretBytes = 64U << 20;

    // Is this the start of a pcapng file? Looks at the first four bytes.
    static bool recognises(const std::uint8_t* start);
    // The input has its first four bytes; waits for the header of the first section.
    static Result<std::unique_ptr<FileReader>> open(std::unique_ptr<InputBytes> input, const std::string& name,
                                                    CaptureInfo& info);

    Step step(Packet& out, Deadline until) override;

  private:
    struct Interface {
        std::uint32_t index = 0; // over the whole capture
        std::uint16_t linkType = 0;
        std::uint32_t snapLength = 0;
        TimeScale scale;
    };
    struct Block {
        std::uint32_t type = 0;
        std::uint32_t length = 0;
        const std::uint8_t* start = nullptr;

        const std::uint8_t* bodyEnd() const { return start + length - 4; }
        Bytes from(std::uint32_t offset) const; // the rest of the body
    };
    // What is wrong with a block, or null.
    using Complaint = const char*;

    PcapngReader(std::unique_ptr<InputBytes> input, const std::string& name, CaptureInfo& info);

    Step nextBlock(Block& out, Deadline until);
    Step tooShort(Have have, std::uint64_t needed);
    std::string thisBlock() const;
    Complaint checkLength(std::uint32_t length) const;
    Complaint readByteOrder(const std::uint8_t* mark);

    Complaint readSection(const Block& block);
    Complaint readInterface(const Block& block);
    Complaint readTimedPacket(const Block& block, Packet& out);
    Complaint readSimplePacket(const Block& block, Packet& out);
    void readStatistics(const Block& block);
    void readSecrets(const Block& block);

    void keepComment(Bytes text);
    std::string keepText(Bytes text);
    std::uint16_t u16(const std::uint8_t* p) const;
    std::uint32_t u32(const std::uint8_t* p) const;
    std::uint64_t u64(const std::uint8_t* p) const;

    bool m_swapped = false;
    std::vector<Interface> m_interfaces; // of the section
    Timestamp m_lastTime;
    std::size_t m_textBytes = 0, m_secretBytes = 0;
};

} // namespace brokerscope
