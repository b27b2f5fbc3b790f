// SPDX-License-Identifier: Apache-2.0
// An exchange: a request with its response, or the lack of it. What the whole pipeline is for.
//
// Bytes: the frames point into the capture and live as long as its source; decoding is left to whoever shows them.
// Time:  as the capture saw it. Latency is split at the last byte of the request and the first of the response.
#pragma once

#include "capture/types/endpoint.h"
#include "capture/types/ids.h"
#include "capture/types/time.h"
#include "capture/types/tls_facts.h"
#include "dissector/message/decoder.h"
#include "dissector/wire/byte_chain.h"
#include "dissector/wire/problem.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

// A 4-byte length and what it announces. Bytes that the capture does not have are holes: bytes.size() is always what
// was announced, or less than 4 when the stream ended inside the length itself.
struct Frame {
    ByteChain bytes;       // from the length on
    bool complete = false; // the stream went on to the last announced byte (holes inside do not matter)
    Timestamp begin, end;  // the earliest and the latest packet that carried a byte of it

    void append(const Slice& slice);
};

struct RequestHeader {
    std::int16_t apiKey = -1;
    std::int16_t apiVersion = 0;
    std::int32_t correlationId = 0;
    std::optional<std::string> clientId; // nullopt: null on the wire, or no such field in this header version
};

enum class ExchangeStatus : std::uint8_t {
    Open, // the capture ended before an answer could come
    Paired,
    NoResponseExpected, // Produce with acks=0
    Unanswered,         // the capture went on, no answer came
    OrphanResponse,     // the request was not captured
    Inferred,           // an orphan whose api and version were worked out from the bytes
    SaslToken,          // raw tokens after SaslHandshake v0
};
std::string_view name(ExchangeStatus status); // as in ndjson

// Why an exchange has no answer, where the capture tells.
enum class NoAnswerReason : std::uint8_t {
    None,
    CaptureEnded,
    ConnectionClosed,
    ConnectionReset,
    LaterAnswered,
    IdReused,
    LostBytes
};
std::string_view name(NoAnswerReason reason); // as in ndjson; empty for None

// What a connection has told about itself; grows while it is read. Shared by the exchanges of the connection.
struct PeerInfo {
    std::string softwareName, softwareVersion; // ApiVersions request v3+
    std::string saslMechanism;
};

// Where an exchange stands among those of its connection, which a broker answers one after the other, and what TCP did
// meanwhile. Known when the exchange has ended.
struct ExchangeTiming {
    // From the end of the answer before to the first byte of this request. nullopt: that answer was still awaited, or
    // there was none before.
    std::optional<Duration> think;
    Duration blocked{};          // the part of Latency::wait in which the answer before was awaited or on its way
    std::uint32_t inFlight = 1;  // requests under way when this one began, with this one
    std::uint32_t sentAgain = 0; // TCP segments that came once more, of either side, from its first to its last byte
    std::optional<Duration> roundTrip; // of a packet to the other end and back; see ConnectionFacts::roundTrip()

    bool operator==(const ExchangeTiming&) const = default;
};

struct Exchange {
    ExchangeId id;
    KafkaConnectionId connection;
    ConnectionId tcpConnection;
    Endpoint client, broker;
    ExchangeStatus status = ExchangeStatus::Open;
    NoAnswerReason reason = NoAnswerReason::None;
    std::optional<RequestHeader> header; // nullopt: orphan response, SASL token
    std::int32_t correlationId = 0;      // also of an orphan
    std::optional<Frame> request, response;
    std::int16_t responseVersion = 0; // whose layout the response is in (ApiVersions may fall back to 0)
    std::optional<double> confidence; // of an Inferred one, 0 to 1
    std::vector<Problem> problems;    // of the stream: gap, truncated, clock, other-layout
    std::shared_ptr<const PeerInfo> peer;
    ExchangeTiming timing;

    Timestamp start() const { return request ? request->begin : response->begin; }
    MessageContext requestContext() const;
    MessageContext responseContext() const;
};

// The times of a paired exchange; nullopt without an answer. total == requestTransfer + wait + responseTransfer.
struct Latency {
    Duration total{}, requestTransfer{}, wait{}, responseTransfer{};
};
std::optional<Latency> latency(const Exchange& exchange);

class ExchangeSink {
  public:
    virtual ~ExchangeSink() = default;
    // The first byte of a request was seen: the id is taken. exchangeEnded will follow, maybe much later.
    virtual void exchangeStarted(ExchangeId, Timestamp) {}
    // A whole request was read; its answer may come later (the same id comes again in exchangeEnded). For live views.
    virtual void requestSeen(const Exchange&) {}
    // Nothing about this exchange will change any more. Comes in the order of ends, not of numbers: see InOrder.
    virtual void exchangeEnded(Exchange&& exchange) = 0;
    // A connection turned out to be something else: "HTTP", "TLS", "SSH", ... or unknown ("").
    virtual void foreignConnection(const Connection&, std::string_view /*protocol*/) {}
    // Bytes of a Kafka stream that belong to no frame: lost ones, or such as make no sense where a frame should begin.
    virtual void bytesPassedOver(KafkaConnectionId, Side, std::uint64_t /*count*/, Hole /*None: garbage*/) {}
    // A connection had TLS, whatever could be read of it: all that was seen, told just before connectionEnded.
    virtual void tlsSeen(const Connection&, KafkaConnectionId /*none: not Kafka*/, const TlsFacts&) {}
    // A TCP connection is over (or the capture is), Kafka or not.
    virtual void connectionEnded(const Connection&, KafkaConnectionId /*none: not Kafka*/) {}
};

} // namespace brokerscope
