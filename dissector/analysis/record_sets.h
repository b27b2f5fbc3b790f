// SPDX-License-Identifier: Apache-2.0
// Where in a decoded message record sets lie, and which topic and partition they belong to. Opening them is left to
// RecordSetReader.
#pragma once

#include "dissector/analysis/topic_names.h"
#include "dissector/message/decoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

struct RecordSetPlace {
    NodeIndex node = noNode;          // the `records` field
    std::uint32_t begin = 0, end = 0; // of its content, in the message
    std::string path;                 // "response.responses[0].partitions[0].records"
    std::string topic;                // empty: told by its id
    std::optional<TopicId> topicId;
    std::optional<std::int32_t> partition;
};

// A partition that a message is about.
struct PartitionPlace {
    std::string topic; // empty: told by its id
    std::optional<TopicId> topicId;
    std::int32_t partition = -1;

    auto operator<=>(const PartitionPlace&) const = default;
};

// In the order of the message, each once, at most `most`.
std::vector<PartitionPlace> partitionsOf(const ByteChain& bytes, const DecodedMessage& message, std::size_t most);

// The topic's name as far as it is known, else its id as Kafka writes it.
std::string topicText(const RecordSetPlace& place, const TopicNames& names);
// Of one `records` field.
RecordSetPlace recordSetAt(const ByteChain& bytes, const DecodedMessage& message, Direction direction, NodeIndex node);
// False for the part of a snapshot that goes on where an earlier answer ended (FetchSnapshot with a position): it
// begins anywhere in a batch.
bool beginsWithBatch(const ByteChain& bytes, const DecodedMessage& message, NodeIndex node);
// In the order of the message; those that are null or empty are left out, and those that do not begin with a batch.
std::vector<RecordSetPlace> recordSetsOf(const ByteChain& bytes, const DecodedMessage& message, Direction direction);

} // namespace brokerscope
