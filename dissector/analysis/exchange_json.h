// SPDX-License-Identifier: Apache-2.0
// One exchange as one JSON object: the contract of `list --format ndjson`.
// Bounds: what a message decodes to (see decoder.h) and, with records, one decompressed batch. Buffers are reused.
#pragma once

#include "dissector/analysis/capture_names.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/fetch_sessions.h"
#include "dissector/message/message_json.h"
#include "dissector/payloads/record_payload_json.h"
#include "dissector/payloads/telemetry.h"
#include "dissector/records/record_set.h"
#include "dissector/wire/json_line.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brokerscope {

struct ExchangeJsonOptions {
    bool bodies = true;
    bool records = false;
    bool expand = false; // open payloads instead of writing base64
    bool showSecrets = false;
};

// Opens `records` fields to their batches and telemetry to its metrics. What is wrong inside is kept in problems.
class FieldExpander final : public JsonExpander {
  public:
    // `names` may be null: records of topics that are told by their id stay closed.
    FieldExpander(const Protocol& protocol, Direction direction, const ExchangeJsonOptions& options,
                  const CaptureNames* names)
        : m_direction(direction), m_options(options), m_names(names),
          m_payloads(protocol, {options.expand, options.showSecrets}) {}

    bool opens(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) override;
    void write(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node, JsonWriter& out) override;

    std::vector<Problem> problems;

  private:
    Direction m_direction;
    ExchangeJsonOptions m_options;
    const CaptureNames* m_names;
    PayloadExpander m_payloads;
    std::optional<Telemetry> m_telemetry;
    RecordSetReader m_set;
};

class ExchangeJson {
  public:
    // `names` tells what messages do not say themselves; needed for records and for payloads.
    ExchangeJson(const Protocol& protocol, const ExchangeJsonOptions& options, const CaptureNames* names);

    // The text is good until the next call. `fetched`: what a Fetch asks for, where that is wanted.
    std::string_view write(const ExchangeFacts& facts, const FetchScope* fetched = nullptr);

  private:
    void writeEnds(const Exchange& exchange);
    void writeHeader(const ExchangeFacts& facts);
    void writeBodies(const Exchange& exchange);
    void writeBody(std::string_view name, const Exchange& exchange, const std::optional<Frame>& frame,
                   const MessageContext& context, DecodedMessage& message);
    void writeToken(std::string_view name, const Exchange& exchange, const Frame& frame);
    void writeUnknownTags(const Exchange& exchange);
    void writeFetched(const FetchScope& fetched);
    void writeTimes(const ExchangeFacts& facts);
    void writeTiming(const ExchangeTiming& timing);
    void writeRoundTrip(Duration roundTrip);
    void writeStatus(const ExchangeFacts& facts);
    void writeErrors(const std::vector<ErrorAt>& errors);
    void writeProblems(const ExchangeFacts& facts);
    void writeProblem(const Problem& problem);
    void writePackets(const Exchange& exchange);

    const Protocol& m_protocol;
    ExchangeJsonOptions m_options;
    JsonLine m_json;
    // Texts by connection, which are the same in line after line.
    struct ConnectionTexts {
        std::string client, broker, roundTrip;
        Duration roundTripOf{};
    };
    std::unordered_map<KafkaConnectionId, ConnectionTexts> m_texts;
    ConnectionTexts* m_connection = nullptr; // of the line at work
    std::vector<std::uint64_t> m_packets;
    DecodedMessage m_request, m_response;
    const CaptureNames* m_names;
    PayloadOpener m_opener;
    FieldExpander m_requestExpander, m_responseExpander;
};

} // namespace brokerscope
