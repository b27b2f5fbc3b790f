// SPDX-License-Identifier: Apache-2.0
// What is wrong with a message, as data. The kinds are a closed list (docs: README, "Problems"): one row each in
// problem.cpp with its name in ndjson, its severity and its sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class ProblemKind : std::uint8_t {
    Truncated,      // cut by the snap length or by the capture's end
    Gap,            // bytes lost on the way
    Malformed,      // the bytes contradict the layout
    Trailing,       // bytes left over behind a whole body
    AssumedVersion, // newer than known, decoded with the newest known layout
    OtherLayout,    // decoded in another version's layout than the request said
    UnknownApi,
    Clock, // an answer stands before its request in time
    Crc,
    Codec, // cannot be decompressed
    Limit, // a bound of ours was reached
};

struct ProblemRow {
    ProblemKind kind;
    std::string_view name;     // "malformed"
    std::string_view sentence; // what it means, for people
    bool damage;               // bytes are missing or wrong, as opposed to merely unusual
};

const ProblemRow& row(ProblemKind kind);
const std::vector<ProblemRow>& problemRows();

struct Problem {
    ProblemKind kind = ProblemKind::Malformed;
    std::string at;           // path as in ndjson: "response.topics[3].name"
    std::uint32_t offset = 0; // in the message, counted from its 4-byte length
    std::string text;         // what was expected and what stood there
};

} // namespace brokerscope
