// SPDX-License-Identifier: Apache-2.0
// One exchange as one JSON object: the contract of `list --format ndjson`.
// Bounds: what a message decodes to (see decoder.h) and, with records, one decompressed batch. Buffers are reused.
#pragma once

#include "cli/output/json_line.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/message/message_json.h"
#include "dissector/records/record_set.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brokerscope {

struct ExchangeJsonOptions {
    bool bodies = true;
    bool records = false;
    bool showSecrets = false;
};

// Opens `records` fields to their batches. What is wrong inside them is kept in problems.
class RecordsExpander final : public JsonExpander {
  public:
    explicit RecordsExpander(std::string_view root) : m_root(root) {} // "request" or "response"

    bool opens(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) override;
    void write(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node, JsonWriter& out) override;

    std::vector<Problem> problems;

  private:
    std::string_view m_root;
    RecordSetReader m_set;
};

class ExchangeJson {
  public:
    ExchangeJson(const Protocol& protocol, const ExchangeJsonOptions& options);

    // The text is good until the next call.
    std::string_view write(const ExchangeFacts& facts);

  private:
    void writeEnds(const Exchange& exchange);
    void writeHeader(const ExchangeFacts& facts);
    void writeBodies(const Exchange& exchange);
    void writeBody(std::string_view name, const std::optional<Frame>& frame, const MessageContext& context,
                   DecodedMessage& message);
    void writeToken(std::string_view name, const Exchange& exchange, const Frame& frame);
    void writeUnknownTags(const Exchange& exchange);
    void writeTimes(const ExchangeFacts& facts);
    void writeStatus(const ExchangeFacts& facts);
    void writeErrors(const std::vector<ErrorAt>& errors);
    void writeProblems(const ExchangeFacts& facts);
    void writeProblem(const Problem& problem);
    void writePackets(const Exchange& exchange);

    const Protocol& m_protocol;
    ExchangeJsonOptions m_options;
    JsonLine m_json;
    // The texts of both ends, by connection: they are the same in line after line.
    struct Ends {
        std::string client, broker;
    };
    std::unordered_map<KafkaConnectionId, Ends> m_ends;
    std::vector<std::uint64_t> m_packets;
    DecodedMessage m_request, m_response;
    RecordsExpander m_requestRecords{"request"}, m_responseRecords{"response"};
};

} // namespace brokerscope
