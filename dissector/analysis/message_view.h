// SPDX-License-Identifier: Apache-2.0
// The fields of a decoded message by Kafka's names, for analysers that want a few of them:
//
//     for (const StructView topic : body.each("topics"))
//         for (const StructView partition : topic.each("partitions"))
//             use(topic.text("name"), partition.number("highWatermark"));
//
// What is absent, null or damaged reads as nullopt, as an empty text, as no elements: an analyser never has to ask
// first. Bytes: a view of message and chain; good as long as both. Threads: none of its own.
#pragma once

#include "dissector/message/decoder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

class StructView {
  public:
    StructView() = default; // nothing is there
    StructView(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node)
        : m_message(&message), m_bytes(&bytes), m_node(node) {}
    static StructView bodyOf(const DecodedMessage& message, const ByteChain& bytes) {
        return message.body == noNode ? StructView() : StructView(message, bytes, message.body);
    }

    explicit operator bool() const { return m_node != noNode; }
    NodeIndex node() const { return m_node; }

    bool has(std::string_view name) const; // there and not null
    std::optional<std::int64_t> number(std::string_view name) const;
    std::int64_t number(std::string_view name, std::int64_t otherwise) const {
        return number(name).value_or(otherwise);
    }
    bool flag(std::string_view name) const { return number(name, 0) != 0; }
    std::string text(std::string_view name) const;
    std::vector<std::uint8_t> bytes(std::string_view name) const;
    std::optional<std::array<std::uint8_t, 16>> uuid(std::string_view name) const; // the zero id: none
    StructView child(std::string_view name) const;
    // The elements of an array; of numbers and texts too, see value() and text().
    std::vector<StructView> each(std::string_view name) const;
    std::size_t count(std::string_view name) const { return each(name).size(); }

    // Of an element that is no struct.
    std::optional<std::int64_t> value() const;
    std::string text() const;

  private:
    NodeIndex find(std::string_view name) const;
    std::optional<FieldValue> read(NodeIndex node, std::vector<std::uint8_t>& scratch) const;

    const DecodedMessage* m_message = nullptr;
    const ByteChain* m_bytes = nullptr;
    NodeIndex m_node = noNode;
};

} // namespace brokerscope
