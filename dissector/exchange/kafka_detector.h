// SPDX-License-Identifier: Apache-2.0
// Is it Kafka, who is the client, and where does a frame begin? Judged by what the bytes look like, never by ports.
//
// A single sign is never enough: a header that looks like a request's must come with a body that its layout consumes
// exactly, with an answer that fits, or with another such request behind it. Other length-prefixed protocols fail
// there. Pure functions over the bytes seen so far; nothing is kept, nothing allocated beyond the call.
#pragma once

#include "capture/types/stream.h"
#include "dissector/exchange/exchange.h"
#include "dissector/schema/protocol.h"
#include "dissector/wire/byte_chain.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace brokerscope {

constexpr std::uint32_t largestPlausibleFrame = 256u << 20; // brokers refuse requests over 100 MB by default

// What stands where a request would begin.
struct RequestGuess {
    // Possible: a whole header with a client id, but of no API that is known or a vendor's.
    enum class Kind : std::uint8_t { No, NeedMore, Possible, Plausible } kind = Kind::No;
    RequestHeader header;
    std::uint32_t frameBytes = 0; // with the length
    std::uint32_t bodyOffset = 0; // from the frame's begin; 0 for an unknown api
    bool known = false;           // api and version are in the protocol
};
RequestGuess guessRequest(const Protocol& protocol, const ByteChain& bytes, std::uint32_t offset);

// A GSSAPI token in place of a request, as Kafka 0.9 clients open a connection with (RFC 2743, 3.1).
bool opensWithToken(const ByteChain& frame);

// The length in front of a frame; nullopt when it is not there or cannot be one.
std::optional<std::uint32_t> frameSizeAt(const ByteChain& bytes, std::uint32_t offset);

struct Verdict {
    enum class Kind : std::uint8_t { Unknown, Kafka, Foreign } kind = Kind::Unknown;
    Side client = Side::First; // when Kafka
    std::string_view protocol; // when Foreign: its name where the first bytes tell
};

// What both streams of a connection have shown so far, from their first captured byte. `aligned`: the handshake was
// seen, so both begin at a boundary. `ended`: no more bytes will come. `toKnownBroker`: other connections to the same
// endpoint carry Kafka.
Verdict detectKafka(const Protocol& protocol, const ByteChain& first, const ByteChain& second, bool aligned, bool ended,
                    bool toKnownBroker = false);

// The name of a protocol that the first bytes of a stream give away ("HTTP", "TLS", "SSH", ...); empty: none known.
std::string_view knownProtocol(Bytes firstBytes);

// Looks for the begin of a request at or behind `from`. `found`: a frame begins at `offset`. Otherwise nothing begins
// before `offset`; more bytes are needed to judge from there on.
struct SearchResult {
    bool found = false;
    std::uint32_t offset = 0;
};
// `lastId`: of the last request before the place was lost, when one was seen; ids that go on from it speak for a
// request.
SearchResult findRequest(const Protocol& protocol, const ByteChain& bytes, std::uint32_t from, bool ended,
                         std::optional<std::int32_t> lastId = std::nullopt);

} // namespace brokerscope
