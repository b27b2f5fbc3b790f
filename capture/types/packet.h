// SPDX-License-Identifier: Apache-2.0
// One captured packet as a PacketSource hands it out.
// Bytes: not owned; valid as long as the source that made them (a mapped file or a SpillFile), so slices of them may
//        be kept for as long as the source lives.
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/ids.h"
#include "capture/types/time.h"

#include <cstdint>

namespace brokerscope {

struct Packet {
    PacketNumber number; // from 1, over all files of one capture
    Timestamp time;
    std::uint8_t timeDigits = 6;      // the capture's resolution: 6 or 9 digits behind the second
    std::uint16_t linkType = 0;       // LINKTYPE_ value (tcpdump.org/linktypes)
    std::uint32_t interface = 0;      // index over all interfaces of the capture
    Bytes bytes;                      // what was captured
    std::uint32_t originalLength = 0; // what was on the wire; more than bytes.size() when cut by the snap length
};

} // namespace brokerscope
