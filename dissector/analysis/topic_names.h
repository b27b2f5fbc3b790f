// SPDX-License-Identifier: Apache-2.0
// Which name belongs to a topic id, from whatever messages name both side by side: Metadata, CreateTopics,
// DescribeTopicPartitions, UpdateMetadata, LeaderAndIsr, ... Which ones do is read from the plans.
//
// Memory:  at most maxNames names. Threads: one.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/message/decoder.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace brokerscope {

using TopicId = std::array<std::uint8_t, 16>;

class TopicNames {
  public:
    static constexpr std::size_t maxNames = 100'000;

    explicit TopicNames(const Protocol& protocol);

    // Decodes the messages that can teach something, and no others.
    void learn(const Exchange& exchange);
    void learn(const ByteChain& bytes, const DecodedMessage& message);
    std::string_view name(const TopicId& id) const; // empty: not seen
    std::string nameOrId(const TopicId& id) const;  // the id as Kafka writes it where no name was seen

  private:
    bool teaches(const Plan* plan);
    void decode(const ByteChain& bytes, const MessageContext& context);

    const Protocol* m_protocol;
    std::map<const Plan*, bool> m_teaches;
    std::map<TopicId, std::string> m_names;
    DecodedMessage m_message;
};

} // namespace brokerscope
