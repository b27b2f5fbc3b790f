// SPDX-License-Identifier: Apache-2.0
// From the bytes of one message to its field tree. Never throws and never fails on traffic: the tree holds what could
// be read, `problems` say where it ended and why, the rest of the bytes is a Raw node.
//
// A field with missing bytes is a damaged node; when its size is known, decoding goes on behind it.
// Bounds: depth as the schema's, 4 million nodes; counts are held against the bytes left before anything is allocated.
// Threads: none of its own; a Protocol may be shared, a DecodedMessage belongs to one thread.
#pragma once

#include "dissector/message/field_tree.h"
#include "dissector/schema/protocol.h"
#include "dissector/wire/problem.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct MessageContext {
    Direction direction = Direction::Request;
    // For a response: the api and version of its request. For a request they are read from its header.
    std::int16_t apiKey = -1;
    std::int16_t apiVersion = 0;
    bool framed = true; // the bytes begin with the 4-byte length
    bool token = false; // a raw SASL token: length and opaque bytes, no header
};

// A bytes field whose content was opened: its tree hangs below the node (see payloads/payload_opener.h).
struct OpenedPayload {
    NodeIndex node = noNode;
    std::string type;                    // "ConsumerProtocolSubscription", "SCRAM client-first-message"
    std::optional<std::int16_t> version; // where it has one
};

struct DecodedMessage {
    FieldTree tree;
    std::vector<Problem> problems;
    std::int16_t apiKey = -1;
    std::int16_t apiVersion = 0;    // as the header says
    std::int16_t layoutVersion = 0; // whose layout the body was read in
    std::string previewOf;          // that layout is one that these preview releases wrote: "3.5-3.6"
    NodeIndex header = noNode, body = noNode;
    std::vector<OpenedPayload> opened; // by node

    const OpenedPayload* openedAt(NodeIndex node) const; // null: it was not
    void clear();
};

// `out` is cleared first; reuse it to spare allocations.
void decodeMessage(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context,
                   DecodedMessage& out);
// A header-less body, or a nested message: `plan` over [offset, end of bytes). Problems are told below `rootPath`.
void decodeBody(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::string_view rootPath,
                DecodedMessage& out);

} // namespace brokerscope
