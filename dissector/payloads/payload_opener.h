// SPDX-License-Identifier: Apache-2.0
// The one entry to what hides in bytes fields: subscriptions and assignments, user data of assignors, SASL tokens,
// forwarded requests, principals, keys and values of internal topics, control records. What a field holds is said by
// its meaning in the schemas (~groupmetadata, ~sasl, ~opens:..) and by the payload lines of payloads.schema; what
// stands elsewhere (the mechanism, the group's protocol) comes in a PayloadContext.
//
// What is opened becomes part of the tree (see tree_graft.h): its fields hang below the bytes field, with offsets in
// the same bytes; DecodedMessage::opened says what it is. What nobody knows stays a leaf. Bounds: eight levels of
// payloads in payloads, and what a tree may hold. Threads: none of its own.
#pragma once

#include "dissector/message/decoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

// What the message itself does not say. All of it may be unknown.
struct PayloadContext {
    Direction direction = Direction::Request;
    std::string mechanism;                        // of SASL, from the handshake
    std::string protocolType, protocolName;       // of the group: "consumer", "range"
    std::int16_t innerApi = -1, innerVersion = 0; // of the request in the Envelope that this response answers
};

class PayloadOpener {
  public:
    explicit PayloadOpener(const Protocol& protocol) : m_protocol(protocol) {}

    // All fields of a message. Problems are told below `root` ("request").
    void open(const ByteChain& bytes, std::string_view root, const PayloadContext& context,
              DecodedMessage& message) const;
    // The records in the tree of a record set or of decompressed records: keys and values, where `topic` is an internal
    // one, and control records. `control`: they come from a control batch that is not part of this tree.
    void openRecords(const ByteChain& bytes, std::string_view topic, bool control, DecodedMessage& records) const;

  private:
    const Protocol& m_protocol;
};

// A key or value on its own.
struct RecordPayload {
    ByteChain bytes;
    DecodedMessage message; // the root's children are the parts
    OpenedPayload type;
};
class RecordPayloads {
  public:
    explicit RecordPayloads(const Protocol& protocol) : m_protocol(protocol) {}

    // False: nothing is known of it. `out` points into the bytes.
    bool openKey(std::string_view topic, bool control, Bytes key, RecordPayload& out) const;
    // What the value is may stand in the key.
    bool openValue(std::string_view topic, bool control, const std::optional<Bytes>& key, Bytes value,
                   RecordPayload& out) const;

  private:
    const Protocol& m_protocol;
};

// Whether anything in a tree has to be masked.
bool holdsSecrets(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes);

} // namespace brokerscope
