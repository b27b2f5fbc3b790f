// SPDX-License-Identifier: Apache-2.0
// Decides in which layouts header and body of a message are read; the tree decoder and the skim decide alike.
// What the bytes have to say is peeked at, nothing is kept. Missing bytes never make a choice fail.
#pragma once

#include "dissector/message/decoder.h"

#include <cstdint>

namespace brokerscope {

// What the 4 bytes in front of a frame say.
struct FrameExtent {
    enum class State : std::uint8_t { Good, Missing, Impossible } state = State::Missing;
    std::int32_t length = 0;
    std::uint32_t end = 0; // of the frame, from the start of its length; never behind what follows in `bytes`
};
FrameExtent frameExtent(const ByteChain& bytes);

struct HeaderChoice {
    const Plan* plan = nullptr; // never null
    const Api* api = nullptr;   // null: unknown
    std::int16_t apiKey = -1;
    std::int16_t apiVersion = 0;
};
HeaderChoice chooseHeader(const Protocol& protocol, const ByteChain& bytes, std::uint32_t offset, std::uint32_t limit,
                          const MessageContext& context);

struct BodyChoice {
    const Plan* plan = nullptr; // null: a version below 0
    bool assumed = false;       // the version is newer than any known
};
BodyChoice chooseBody(const Protocol& protocol, const Api& api, std::int16_t version, Direction direction,
                      const ByteChain& bytes, std::uint32_t offset, std::uint32_t limit);

} // namespace brokerscope
