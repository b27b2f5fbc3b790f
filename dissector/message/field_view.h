// SPDX-License-Identifier: Apache-2.0
// Reads a decoded message by Kafka's names, for whoever looks into bodies without caring about versions:
//
//     for (const FieldView topic : response["topics"].entries())
//         use(topic["name"].text(), topic["errorCode"].number(0));
//
// A name that this version does not have, null, and bytes that are not there all give an empty view, whose values are
// empty. Bytes: neither the message nor its bytes are owned; both must outlive the view. Threads: as DecodedMessage.
#pragma once

#include "dissector/message/decoder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

class FieldView {
  public:
    FieldView() = default;
    FieldView(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node)
        : m_message(&message), m_bytes(&bytes), m_node(node) {}

    explicit operator bool() const { return m_message && m_node != noNode && !node().isNull; }
    FieldView operator[](std::string_view jsonName) const;

    std::vector<FieldView> entries() const;     // of an array
    std::optional<std::int64_t> number() const; // also of a boolean: 0 or 1
    std::int64_t number(std::int64_t otherwise) const { return number().value_or(otherwise); }
    std::int32_t int32(std::int32_t otherwise) const { return static_cast<std::int32_t>(number(otherwise)); }
    std::string text() const;
    std::optional<std::array<std::uint8_t, 16>> uuid() const; // nullopt: the zero id too
    std::vector<std::uint8_t> content() const;                // of bytes and records
    std::uint32_t contentBegin() const { return *this ? node().contentOffset() : 0; }
    std::uint32_t contentEnd() const { return *this ? node().offset + node().length : 0; }
    NodeIndex index() const { return m_node; }

  private:
    const FieldNode& node() const { return m_message->tree.nodes[m_node]; }
    std::optional<FieldValue> value(std::vector<std::uint8_t>& scratch) const;

    const DecodedMessage* m_message = nullptr;
    const ByteChain* m_bytes = nullptr;
    NodeIndex m_node = noNode;
};

} // namespace brokerscope
