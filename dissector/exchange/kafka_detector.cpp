// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/kafka_detector.h"

#include "dissector/exchange/fit.h"
#include "dissector/wire/cursor.h"
#include "dissector/wire/utf8.h"

#include <algorithm>
#include <array>

namespace brokerscope {

namespace {

constexpr std::int16_t vendorKeys = 10000;       // vendors number their own APIs from here on
constexpr std::int16_t versionsAhead = 127;      // how far a version may be ahead of what is known here
constexpr std::int32_t longestClientId = 1024;   // Kafka sets no bound; longer ones are not seen
constexpr std::uint32_t weakBody = 4;            // a body this short proves nothing by being consumed
constexpr std::uint32_t foreignAfter = 4u << 20; // bytes without a sign of Kafka, then a connection is called foreign
constexpr std::uint32_t foreignAfterBegun = 128u << 20;
constexpr int framesToJudge = 16;
constexpr std::uint32_t largestToken = 64u << 10;
constexpr int plausibleInARow = 3;

// Client ids are texts that people chose: UTF-8 without control characters.
bool printable(Bytes text) {
    return validUtf8Prefix(text) == text.size() &&
           std::none_of(text.begin(), text.end(), [](std::uint8_t c) { return c < 0x20 || c == 0x7f; });
}

std::uint32_t bodyBytes(const RequestGuess& guess) {
    return guess.frameBytes - guess.bodyOffset;
}

bool isNamed(const RequestGuess& guess) {
    return guess.header.clientId && !guess.header.clientId->empty();
}

// Does it prove something when the layout consumes the body? A named client does; without a name the bytes must say
// something themselves, since zeros are consumed by many layouts.
bool tells(const ByteChain& bytes, std::uint32_t offset, const RequestGuess& guess) {
    constexpr int enough = 8;
    constexpr std::uint32_t looked = 1024;
    if (bodyBytes(guess) <= weakBody) return false;
    if (isNamed(guess)) return true;
    Cursor cursor(bytes, offset + guess.bodyOffset, offset + guess.bodyOffset + std::min(bodyBytes(guess), looked));
    int said = 0;
    while (cursor.remaining() > 0 && cursor.ok() && said < enough)
        said += cursor.readU8() != 0;
    return said == enough;
}

Fit fitOfRequest(const Protocol& protocol, const ByteChain& bytes, std::uint32_t offset, const RequestGuess& guess) {
    MessageContext context;
    context.apiKey = guess.header.apiKey;
    context.apiVersion = guess.header.apiVersion;
    return fitOf(protocol, bytes.part(offset, guess.frameBytes), context);
}

} // namespace

bool opensWithToken(const ByteChain& frame) {
    Cursor cursor(frame, 4, frame.size());
    return cursor.readU8() == 0x60 && cursor.ok();
}

namespace {

// An answer in `server` (frames from its begin on) with the guess's id that fits its layout.
bool hasFittingAnswer(const Protocol& protocol, const ByteChain& server, const RequestGuess& guess) {
    std::uint32_t offset = 0;
    for (int i = 0; i < framesToJudge; ++i) {
        const auto size = frameSizeAt(server, offset);
        if (!size || *size < 8 || *size > server.size() - offset) return false;
        Cursor cursor(server, offset + 4, server.size());
        if (cursor.readI32() == guess.header.correlationId && cursor.ok()) {
            MessageContext context;
            context.direction = Direction::Response;
            context.apiKey = guess.header.apiKey;
            context.apiVersion = guess.header.apiVersion;
            if (fitOf(protocol, server.part(offset, *size), context) == Fit::Exact) return true;
        }
        offset += *size;
    }
    return false;
}

enum class Opinion : std::uint8_t { No, Maybe, Yes };

// Is the stream that begins at a frame's border one of requests?
Opinion judgeClient(const Protocol& protocol, const ByteChain& client, const ByteChain& server, bool aligned) {
    std::uint32_t offset = 0;
    int plausible = 0;
    for (int i = 0; i < framesToJudge; ++i) {
        const RequestGuess guess = guessRequest(protocol, client, offset);
        if (guess.kind == RequestGuess::Kind::NeedMore) return Opinion::Maybe;
        if (guess.kind != RequestGuess::Kind::Plausible) {
            // Kafka 0.9's Kerberos clients begin with bare GSSAPI tokens, the first of which is told by its tag.
            const auto size = frameSizeAt(client, offset);
            const bool token = size && *size < largestToken && aligned && opensWithToken(client);
            if (token && *size >= client.size() - offset) return Opinion::Maybe;
            if (token && plausible == 0) {
                offset += *size;
                continue;
            }
            return Opinion::No;
        }
        const bool complete = guess.frameBytes <= client.size() - offset;
        const bool judged = complete && guess.known && client.holeIn(offset, guess.frameBytes) == Hole::None;
        const bool exact = judged && fitOfRequest(protocol, client, offset, guess) == Fit::Exact;
        // ApiVersions v0 is the one request without a body that opens a connection.
        const bool opening = aligned && i == 0 && bodyBytes(guess) == 0;
        if (exact && (opening || tells(client, offset, guess))) return Opinion::Yes;
        if ((exact || !judged) && ++plausible >= plausibleInARow) return Opinion::Yes;
        if (hasFittingAnswer(protocol, server, guess)) return Opinion::Yes;
        if (judged && !exact && !aligned) return Opinion::No; // not even the border is certain
        if (!complete) return Opinion::Maybe;
        offset += guess.frameBytes;
    }
    return Opinion::Maybe;
}

// The last word when no more bytes come: a whole header of a known request with a name in it.
bool strongHeader(const Protocol& protocol, const ByteChain& client) {
    const RequestGuess guess = guessRequest(protocol, client, 0);
    return guess.kind == RequestGuess::Kind::Plausible && guess.known && guess.header.clientId &&
           !guess.header.clientId->empty() && client.size() > guess.bodyOffset;
}

Bytes front(const ByteChain& chain) {
    return chain.empty() ? Bytes{} : chain.pieces().front().slice.bytes();
}

bool startsWith(Bytes bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::equal(text.begin(), text.end(), bytes.begin());
}

} // namespace

std::string_view knownProtocol(Bytes firstBytes) {
    struct Row {
        std::string_view begin, name;
    };
    static constexpr std::array<Row, 17> rows{{
        {"GET ", "HTTP"},
        {"POST ", "HTTP"},
        {"PUT ", "HTTP"},
        {"HEAD ", "HTTP"},
        {"OPTIONS ", "HTTP"},
        {"DELETE ", "HTTP"},
        {"HTTP/1.", "HTTP"},
        {"CONNECT ", "HTTP"},
        {"PATCH ", "HTTP"},
        {"PRI * HTTP/2.0", "HTTP/2"},
        {"SSH-", "SSH"},
        {"AMQP", "AMQP"},
        {"CONNECT {", "NATS"},
        {"INFO {", "NATS"},
        {"\x16\x03", "TLS"},
        {"\x15\x03", "TLS"},
        {"*1\r\n", "Redis"},
    }};
    for (const Row& row : rows)
        if (startsWith(firstBytes, row.begin)) return row.name;
    return {};
}

std::optional<std::uint32_t> frameSizeAt(const ByteChain& bytes, std::uint32_t offset) {
    Cursor cursor(bytes, offset, bytes.size());
    const std::int32_t length = cursor.readI32();
    if (!cursor.ok() || length < 0 || static_cast<std::uint32_t>(length) > largestPlausibleFrame) return std::nullopt;
    return static_cast<std::uint32_t>(length) + 4;
}

RequestGuess guessRequest(const Protocol& protocol, const ByteChain& bytes, std::uint32_t offset) {
    using Kind = RequestGuess::Kind;
    RequestGuess guess;
    Cursor cursor(bytes, offset, bytes.size());
    const std::int32_t length = cursor.readI32();
    guess.header.apiKey = cursor.readI16();
    guess.header.apiVersion = cursor.readI16();
    guess.header.correlationId = cursor.readI32();
    const auto unread = [&cursor] { return cursor.failure() == Cursor::Failure::End ? Kind::NeedMore : Kind::No; };
    if (!cursor.ok() && cursor.position() - offset < 4) return {.kind = unread()};
    if (length < 8 || static_cast<std::uint32_t>(length) > largestPlausibleFrame) return guess;
    guess.frameBytes = static_cast<std::uint32_t>(length) + 4;
    if (!cursor.ok()) return {.kind = unread()};
    const Api* api = protocol.api(guess.header.apiKey);
    const std::int16_t newest = api ? api->versions.last : 0;
    if (guess.header.apiKey < 0) return guess;
    if (guess.header.apiVersion < 0 || guess.header.apiVersion > newest + versionsAhead) return guess;
    guess.known = api && api->versions.contains(guess.header.apiVersion);
    if ((api ? api->requestHeaderVersion(guess.header.apiVersion) : 1) >= 1) {
        const std::int16_t idLength = cursor.readI16();
        if (!cursor.ok()) return {.kind = unread()};
        const std::uint32_t left = guess.frameBytes - (cursor.position() - offset);
        if (idLength < -1 || idLength > longestClientId ||
            (idLength > 0 && static_cast<std::uint32_t>(idLength) > left))
            return guess;
        if (idLength >= 0) {
            const auto size = static_cast<std::uint32_t>(idLength);
            std::vector<std::uint8_t> scratch;
            const auto text = bytes.view(cursor.position(), size, scratch);
            if (!text) return {.kind = size > cursor.remaining() ? Kind::NeedMore : Kind::No};
            if (!printable(*text)) return guess;
            guess.header.clientId.emplace(text->begin(), text->end());
            cursor.skip(size);
        }
    }
    guess.bodyOffset = cursor.position() - offset;
    const bool named = isNamed(guess);
    // What is not known must at least bear a name: most bytes of answers would pass for some version of the future.
    const bool knowable = guess.known || (named && (api || guess.header.apiKey >= vendorKeys));
    guess.kind = knowable ? Kind::Plausible : named ? Kind::Possible : Kind::No;
    return guess;
}

Verdict detectKafka(const Protocol& protocol, const ByteChain& first, const ByteChain& second, bool aligned, bool ended,
                    bool toKnownBroker) {
    Verdict verdict;
    for (const ByteChain* stream : {&first, &second})
        if (const std::string_view known = knownProtocol(front(*stream)); !known.empty())
            return {Verdict::Kind::Foreign, Side::First, known};

    const bool fromBegin = aligned && !front(first).empty();
    struct Candidate {
        Side side;
        const ByteChain &client, &server;
    };
    const Candidate candidates[] = {{Side::First, first, second}, {Side::Second, second, first}};
    bool possible = false;
    for (const Candidate& candidate : candidates) {
        if (aligned && candidate.side == Side::Second) break; // brokers do not open connections to ask to be asked
        const Opinion opinion = candidate.client.empty()
                                    ? Opinion::Maybe
                                    : judgeClient(protocol, candidate.client, candidate.server, fromBegin);
        const bool yes = opinion == Opinion::Yes ||
                         (opinion == Opinion::Maybe && ended && strongHeader(protocol, candidate.client)) ||
                         (!fromBegin && findRequest(protocol, candidate.client, 0, ended).found);
        if (yes) return {Verdict::Kind::Kafka, candidate.side, {}};
        possible = possible || opinion == Opinion::Maybe || !fromBegin;
    }
    // Somebody talks to a Kafka broker in an API that is not known: a client id is sign enough.
    if (aligned && toKnownBroker && guessRequest(protocol, first, 0).kind >= RequestGuess::Kind::Possible)
        return {Verdict::Kind::Kafka, Side::First, {}};
    // A first request of many megabytes is waited for: its header speaks for it.
    const bool begun = aligned && guessRequest(protocol, first, 0).kind == RequestGuess::Kind::Plausible;
    const std::uint32_t most = begun ? foreignAfterBegun : foreignAfter;
    if (!possible || ended || first.size() > most || second.size() > most) verdict.kind = Verdict::Kind::Foreign;
    return verdict;
}

namespace {

enum class Confirmed : std::uint8_t { No, Yes, NeedMore };

// Clients count: an id soon behind the last one seen is hardly chance.
bool goesOn(std::int32_t lastId, std::int32_t id) {
    constexpr std::int64_t mostLost = 1000;
    const std::int64_t step = std::int64_t{id} - lastId;
    return step > 0 && step <= mostLost;
}

// A guess in the middle of a stream needs proof: a body that its layout consumes exactly, or another request behind.
Confirmed confirmRequest(const Protocol& protocol, const ByteChain& bytes, std::uint32_t offset,
                         const RequestGuess& guess, bool ended, std::optional<std::int32_t> lastId) {
    const std::uint32_t left = bytes.size() - offset;
    if (guess.frameBytes > left) return ended ? Confirmed::No : Confirmed::NeedMore;
    const bool whole = bytes.holeIn(offset, guess.frameBytes) == Hole::None;
    if (whole && guess.known) {
        const Fit fit = fitOfRequest(protocol, bytes, offset, guess);
        // Clients mostly write one request at a time: it begins with a packet and ends with one.
        const bool fillsPackets = bytes.isBorder(offset) && bytes.isBorder(offset + guess.frameBytes);
        if (fillsPackets && isNamed(guess) && fit >= Fit::Nearly) return Confirmed::Yes;
        if (fit != Fit::Exact) return Confirmed::No;
        if (tells(bytes, offset, guess)) return Confirmed::Yes;
        if (fillsPackets && lastId && goesOn(*lastId, guess.header.correlationId)) return Confirmed::Yes;
    }
    const RequestGuess next = guessRequest(protocol, bytes, offset + guess.frameBytes);
    switch (next.kind) {
    case RequestGuess::Kind::Plausible:
        return isNamed(guess) || isNamed(next) ? Confirmed::Yes : Confirmed::No;
    case RequestGuess::Kind::Possible:
    case RequestGuess::Kind::No:
        return Confirmed::No;
    case RequestGuess::Kind::NeedMore:
        break;
    }
    return !ended ? Confirmed::NeedMore : whole && guess.known && isNamed(guess) ? Confirmed::Yes : Confirmed::No;
}

// Quick look at the fixed bytes of a header: length from 8 and below 2^28, api key and version below 256.
bool mayBegin(const std::uint8_t* at) {
    const bool hasHeader = (at[0] | at[1] | at[2]) != 0 || at[3] >= 8;
    return hasHeader && at[0] < 0x10 && at[6] == 0 && (at[4] == 0 || at[4] >= 0x27);
}

} // namespace

SearchResult findRequest(const Protocol& protocol, const ByteChain& bytes, std::uint32_t from, bool ended,
                         std::optional<std::int32_t> lastId) {
    constexpr std::uint32_t fixedHeader = 12;
    std::optional<std::uint32_t> waiting;
    for (const ByteChain::Piece& piece : bytes.pieces()) {
        const std::uint32_t pieceEnd = piece.offset + piece.slice.length;
        if (pieceEnd <= from || !piece.slice.data) continue;
        for (std::uint32_t at = std::max(from, piece.offset); at < pieceEnd; ++at) {
            if (at + fixedHeader <= pieceEnd && !mayBegin(piece.slice.data + (at - piece.offset))) continue;
            const RequestGuess guess = guessRequest(protocol, bytes, at);
            if (guess.kind != RequestGuess::Kind::Plausible) continue;
            switch (confirmRequest(protocol, bytes, at, guess, ended, lastId)) {
            case Confirmed::Yes:
                return {true, at};
            case Confirmed::NeedMore:
                waiting = waiting.value_or(at);
                break;
            case Confirmed::No:
                break;
            }
        }
    }
    if (waiting) return {false, *waiting};
    // The last bytes may be the begin of a header that is not whole yet.
    const std::uint32_t keep =
        ended ? 0 : std::min<std::uint32_t>(bytes.size(), fixedHeader + 2 + std::uint32_t{longestClientId});
    return {false, std::max(from, bytes.size() - keep)};
}

} // namespace brokerscope
