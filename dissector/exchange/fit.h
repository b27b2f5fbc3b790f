// SPDX-License-Identifier: Apache-2.0
// How well the bytes of a frame fit the layout that a context names. The proof behind everything that is recognised
// without having been told: a layout that consumes its bytes exactly is hard to meet by chance.
#pragma once

#include "dissector/message/decoder.h"

#include <cstdint>

namespace brokerscope {

enum class Fit : std::uint8_t {
    No,     // the bytes contradict the layout
    SoFar,  // they do not, but some are missing or many left over
    Nearly, // all are there, and no more than 4 left over: some clients and brokers write such
    Exact,  // all are there and all are consumed
};

Fit fitOf(const Protocol& protocol, const ByteChain& frame, const MessageContext& context);

} // namespace brokerscope
