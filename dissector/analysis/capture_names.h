// SPDX-License-Identifier: Apache-2.0
// Names for the ids of a capture, from whatever messages put both side by side: topic ids to topics, members to the
// client ids that they use, producer ids to transactional ids, nodes to addresses; and what groups speak, by which the
// bytes that their members exchange are opened. Which messages teach something is read from the plans; records of the
// metadata log teach too.
//
// Memory: at most `most` of each kind; later ones are not learned. Threads: one.
#pragma once

#include "dissector/analysis/metadata_log.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/exchange/exchange.h"
#include "dissector/message/value_text.h"
#include "dissector/payloads/payload_opener.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace brokerscope {

class CaptureNames {
  public:
    static constexpr std::size_t most = 100'000;

    explicit CaptureNames(const Protocol& protocol);

    void learn(const Exchange& exchange);
    void learnTopics(const Exchange& exchange); // only these

    const TopicNames& topics() const { return m_topics; }
    // Empty: not seen.
    std::string_view clientOf(std::string_view member) const;
    std::string_view transactionalIdOf(std::int64_t producerId) const;
    std::string_view addressOf(std::int32_t node) const; // "10.77.0.11:9092"

    // What a message of this exchange does not say itself, for opening its payloads.
    PayloadContext payloadContext(const Exchange& exchange, Direction direction) const;
    // For value texts; looks into this object, which must stay.
    IdNames idNames() const;

  private:
    struct Row;
    struct Learned; // of one message
    bool teaches(const Plan* plan);
    void learn(const ByteChain& bytes, const MessageContext& context, Learned& learned);
    void learn(const ByteChain& bytes, const DecodedMessage& message, Learned* learned);
    void keep(const Row& row, const ByteChain& bytes, const DecodedMessage& message);
    void keepEndpoint(const Row& row, NodeIndex parent, const ByteChain& bytes, const DecodedMessage& message);
    void learnGroup(const Learned& request, const Learned& response);
    std::string groupOf(const Exchange& exchange) const;

    struct GroupProtocol {
        std::string type, name;
    };

    const Protocol& m_protocol;
    TopicNames m_topics;
    MetadataLog m_metadataLog;
    std::unordered_map<std::string, std::string> m_clients; // by member id
    std::unordered_map<std::int64_t, std::string> m_transactionalIds;
    std::unordered_map<std::int32_t, std::string> m_addresses;
    std::unordered_map<std::string, GroupProtocol> m_groups;
    std::map<const Plan*, bool> m_teaches;
    std::unordered_set<const PlanField*> m_teachers; // structs whose fields tell something together
    DecodedMessage m_message;
};

} // namespace brokerscope
