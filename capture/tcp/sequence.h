// SPDX-License-Identifier: Apache-2.0
// Sequence numbers (32 bits, they wrap) as places in a stream (64 bits, they compare).
#pragma once

#include "capture/tcp/waiting_slices.h"

#include <cstdint>

namespace brokerscope {

// How far from where its stream is a segment may lie to belong to it: more than any window in use, and a random place
// is still outside with 99 %.
inline constexpr Offset kPlausible = 16 << 20;

// The place of the first number of a stream. Far enough from 0 that places before it are no problem.
inline Offset firstOffset(std::uint32_t seq) {
    return (Offset{1} << 32) + seq;
}

// The place with this number that is nearest to `reference`.
inline Offset toOffset(std::uint32_t seq, Offset reference) {
    const auto distance = static_cast<std::int32_t>(seq - static_cast<std::uint32_t>(reference));
    return reference + static_cast<Offset>(static_cast<std::int64_t>(distance));
}

} // namespace brokerscope
