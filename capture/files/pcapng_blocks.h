// SPDX-License-Identifier: Apache-2.0
// The parts that pcapng files are made of, shared by reader and writer.
//
//     block    0 type, 4 length (of all of it), 8 body, length-4 the length again; padded to multiples of 4
//     option   0 code (16 bits), 2 length (16 bits), 4 value, padded to a multiple of 4; code 0 ends the list
#pragma once

#include "capture/files/byte_order.h"
#include "capture/types/bytes.h"

#include <algorithm>
#include <cstdint>

namespace brokerscope::pcapng {

constexpr std::uint32_t sectionHeader = 0x0a0d0d0a; // the same in both byte orders
constexpr std::uint32_t interfaceDescription = 1;
constexpr std::uint32_t obsoletePacket = 2;
constexpr std::uint32_t simplePacket = 3;
constexpr std::uint32_t interfaceStatistics = 5;
constexpr std::uint32_t enhancedPacket = 6;
constexpr std::uint32_t decryptionSecrets = 10;

constexpr std::uint32_t byteOrderMark = 0x1a2b3c4d;
constexpr std::uint32_t tlsKeyLog = 0x544c534b; // the kind of secrets that is of use here
constexpr std::uint64_t sectionLengthUnknown = ~std::uint64_t{0};

namespace option {
constexpr std::uint16_t end = 0, comment = 1;
constexpr std::uint16_t sectionHardware = 2, sectionSystem = 3, sectionApplication = 4;
constexpr std::uint16_t interfaceName = 2, interfaceDescription = 3, interfaceResolution = 9, interfaceFilter = 11,
                        interfaceTimeOffset = 14;
constexpr std::uint16_t receivedCount = 4, interfaceDropCount = 5, acceptedCount = 6, systemDropCount = 7,
                        deliveredCount = 8;
} // namespace option

constexpr std::uint64_t padded(std::uint64_t length) {
    return (length + 3) & ~std::uint64_t{3};
}

struct Option {
    std::uint16_t code = 0;
    Bytes value;
};

// Walks a list of options; ends at its end mark, at the end of the bytes, or where an option would pass that end.
class Options {
  public:
    Options(Bytes bytes, bool swapped) : m_left(bytes), m_swapped(swapped) {}

    bool next(Option& out) {
        if (m_left.size() < 4) return false;
        out.code = load16(m_left.data(), m_swapped);
        const std::size_t length = load16(m_left.data() + 2, m_swapped);
        if (out.code == option::end || length > m_left.size() - 4) return false;
        out.value = m_left.subspan(4, length);
        m_left = m_left.subspan(std::min<std::size_t>(m_left.size(), 4 + padded(length)));
        return true;
    }

  private:
    Bytes m_left;
    bool m_swapped;
};

} // namespace brokerscope::pcapng
