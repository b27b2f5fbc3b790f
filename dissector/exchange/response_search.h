// SPDX-License-Identifier: Apache-2.0
// Looks for the next response in a stream whose place was lost. A response says little about itself: it is known by the
// correlation id of an open request, by the layout of that request's answer, and by where it lies in the packets.
//
// Pure functions over the bytes seen so far; nothing is kept.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/exchange/kafka_detector.h"

#include <cstdint>
#include <map>
#include <optional>

namespace brokerscope {

std::optional<std::int32_t> correlationIdAt(const ByteChain& bytes, std::uint32_t frameOffset);

// In which layout the answer in `frame` is: ApiVersions of an unknown version is answered in that of 0 (KIP-511).
MessageContext answerContext(const Exchange& request, const ByteChain& frame);

struct OpenRequest {
    const Exchange* exchange = nullptr;
    Timestamp notBefore; // an answer cannot be older, whatever the clocks say
};
using OpenRequests = std::multimap<std::int32_t, OpenRequest>; // by correlation id

// `ended`: no more bytes will come. Waits (not found, at offset 0) for the rest of an answer that looks right so far.
SearchResult findResponse(const Protocol& protocol, const ByteChain& bytes, const OpenRequests& open, bool ended);

} // namespace brokerscope
