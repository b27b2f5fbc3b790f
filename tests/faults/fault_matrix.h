// SPDX-License-Identifier: Apache-2.0
// What a capture gives with faults in it, held against what it gives whole.
//
// The law: every exchange whose bytes are all in the damaged capture is reported exactly as in the whole one; every
// other one is absent or marked; nothing is invented.
#pragma once

#include "capture/types/ids.h"
#include "tests/faults/faulty_source.h"

#include <map>
#include <string>
#include <vector>

namespace brokerscope {

struct ReportedExchange {
    std::string text; // status, header, bodies, problems: all that must be equal
    std::vector<PacketNumber> packets;
    bool clean = false; // answered as it should be, and nothing wrong with it
};

// By the client, the broker, the correlation id and the request's (or orphan's) first packet.
using Report = std::map<std::string, ReportedExchange>;

Report report(PacketSource& source);

struct FaultOutcome {
    std::size_t whole = 0;   // exchanges of the whole capture
    std::size_t present = 0; // of these, with all bytes in the damaged one
    std::size_t found = 0;   // of these, reported equally
    std::size_t clean = 0;   // clean exchanges in the damaged one
    std::vector<std::string> missing, invented;
};

FaultOutcome compare(const std::string& path, const Report& whole, const Faults& faults);

} // namespace brokerscope
