// SPDX-License-Identifier: Apache-2.0
// Reads from a message only what an index, a table row or a counter needs, without a tree: errors, topics, throttle
// time, the few numbers that explain a wait. Several times cheaper than decoding; skips what no semantic asks for.
// Same plans, same checks; a message that does not decode gives what was read before the place.
#pragma once

#include "dissector/message/decoder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

struct ErrorAt {
    std::int16_t code = 0;
    std::string at; // path below the body: "responses[0].partitions[1].errorCode"
};

struct Skim {
    std::vector<ErrorAt> errors;                        // non-zero ones, at most 1,000
    std::vector<std::string> topics;                    // distinct, in order, at most 64
    std::vector<std::array<std::uint8_t, 16>> topicIds; // likewise
    std::uint32_t topicCount = 0;                       // all of them
    std::uint32_t partitionCount = 0;
    std::string group, transactionalId, softwareName, softwareVersion, mechanism;
    std::optional<std::int32_t> throttleMs, maxWaitMs, minBytes;
    std::optional<std::int16_t> acks;
    std::uint64_t recordBytes = 0; // over all `records` fields
    bool whole = true;             // consumed exactly
    std::vector<Problem> problems;

    void clear();
};

// The acks of a Produce request, without looking at the rest; nullopt when they cannot be read.
std::optional<std::int16_t> skimAcks(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context);

void skimMessage(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context, Skim& out);

} // namespace brokerscope
