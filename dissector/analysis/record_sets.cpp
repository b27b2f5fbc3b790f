// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/record_sets.h"

#include <algorithm>
#include <set>

namespace brokerscope {
namespace {

// Topic and partition stand beside the records or in a struct further out: the nearest ones count.
class PlaceFinder {
  public:
    PlaceFinder(const ByteChain& bytes, const DecodedMessage& message, Direction direction)
        : m_bytes(bytes), m_message(message), m_direction(direction) {}

    RecordSetPlace describe(NodeIndex node) {
        const FieldNode& records = nodes()[node];
        RecordSetPlace place;
        place.node = node;
        place.begin = records.offset + records.prefix;
        place.end = records.offset + records.length;
        place.path = (m_direction == Direction::Request ? "request." : "response.") + m_message.tree.path(node);
        lookOutward(records.parent, place);
        return place;
    }

    // Of a field that holds the number of a partition.
    PartitionPlace describePartition(NodeIndex node) {
        RecordSetPlace place;
        if (const auto number = readValue(m_bytes, nodes()[node], m_scratch))
            place.partition = static_cast<std::int32_t>(number->integer);
        lookOutward(nodes()[node].parent, place);
        return {std::move(place.topic), place.topicId, place.partition.value_or(-1)};
    }

  private:
    void lookOutward(NodeIndex outer, RecordSetPlace& place) {
        for (; outer != noNode; outer = nodes()[outer].parent) {
            const bool array = nodes()[outer].kind == NodeKind::Field && nodes()[outer].field->isArray;
            if (!array) lookAround(outer, place); // the elements of an array say nothing about each other
        }
    }

    const std::vector<FieldNode>& nodes() const { return m_message.tree.nodes; }

    void lookAround(NodeIndex parent, RecordSetPlace& place) {
        for (NodeIndex i = m_message.tree.firstChild(parent); i != noNode; i = m_message.tree.nextSibling(i)) {
            const FieldNode& node = nodes()[i];
            if (node.kind != NodeKind::Field || !node.field || !node.field->schema || node.field->isArray) continue;
            const auto value = [&] { return readValue(m_bytes, node, m_scratch); };
            switch (node.field->schema->semantic) {
            case Semantic::Partition:
                if (!place.partition)
                    if (const auto number = value()) place.partition = static_cast<std::int32_t>(number->integer);
                break;
            case Semantic::Topic:
                if (place.topic.empty() && !place.topicId)
                    if (const auto text = value()) place.topic.assign(text->bytes.begin(), text->bytes.end());
                break;
            case Semantic::TopicId:
                if (place.topic.empty() && !place.topicId) readId(value(), place);
                break;
            default:
                break;
            }
        }
    }

    static void readId(const std::optional<FieldValue>& value, RecordSetPlace& place) {
        TopicId id{};
        if (!value || value->bytes.size() != id.size()) return;
        std::ranges::copy(value->bytes, id.begin());
        if (id != TopicId{}) place.topicId = id;
    }

    const ByteChain& m_bytes;
    const DecodedMessage& m_message;
    Direction m_direction;
    std::vector<std::uint8_t> m_scratch;
};

} // namespace

bool beginsWithBatch(const ByteChain& bytes, const DecodedMessage& message, NodeIndex node) {
    const NodeIndex parent = message.tree.nodes[node].parent;
    const NodeIndex position = parent == noNode ? noNode : message.tree.child(parent, "position");
    if (position == noNode) return true;
    std::vector<std::uint8_t> scratch;
    const auto value = readValue(bytes, message.tree.nodes[position], scratch);
    return !value || value->integer == 0;
}

std::string topicText(const RecordSetPlace& place, const TopicNames& names) {
    return place.topicId ? names.nameOrId(*place.topicId) : place.topic;
}

RecordSetPlace recordSetAt(const ByteChain& bytes, const DecodedMessage& message, Direction direction, NodeIndex node) {
    return PlaceFinder(bytes, message, direction).describe(node);
}

std::vector<PartitionPlace> partitionsOf(const ByteChain& bytes, const DecodedMessage& message, std::size_t most) {
    std::vector<PartitionPlace> places;
    std::set<PartitionPlace> seen;
    PlaceFinder finder(bytes, message, Direction::Request);
    const auto& nodes = message.tree.nodes;
    for (NodeIndex i = 0; i < nodes.size() && places.size() < most; ++i) {
        const FieldNode& node = nodes[i];
        const bool partition =
            node.isValue() && node.field->schema && node.field->schema->semantic == Semantic::Partition;
        if (!partition || node.damaged) continue;
        PartitionPlace place = finder.describePartition(i);
        if (seen.insert(place).second) places.push_back(std::move(place));
    }
    return places;
}

std::vector<RecordSetPlace> recordSetsOf(const ByteChain& bytes, const DecodedMessage& message, Direction direction) {
    std::vector<RecordSetPlace> places;
    PlaceFinder finder(bytes, message, direction);
    const auto& nodes = message.tree.nodes;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const FieldNode& node = nodes[i];
        const bool records = node.kind == NodeKind::Field && node.field && node.field->type == FieldType::Records;
        if (records && !node.isNull && node.length > node.prefix && beginsWithBatch(bytes, message, i))
            places.push_back(finder.describe(i));
    }
    return places;
}

} // namespace brokerscope
