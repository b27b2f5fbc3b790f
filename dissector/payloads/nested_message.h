// SPDX-License-Identifier: Apache-2.0
// Messages that live inside byte fields and records: which one it is, in which version, and its field tree. What stands
// in front of them (a version, a record type, the frame of the metadata log) is read by the schema's own word for it.
//
// Errors: values. What could be read is in the tree, the problems say where it ended.
// Bytes:  the chain is not owned; offsets in the tree count from its first byte. Threads: as the decoder.
#pragma once

#include "dissector/message/decoder.h"

#include <optional>
#include <string_view>

namespace brokerscope {

struct NestedMessage {
    const SchemaMessage* schema = nullptr; // null: the bytes in front do not say, or nobody knows the type
    std::int16_t version = 0;              // as it stands; the layout may be an older one
    std::uint32_t bodyOffset = 0;          // behind what stands in front
    DecodedMessage message;                // root: what stands in front (NodeKind::Lead), then the body
};

// A message whose name is known.
void decodeNested(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes, NestedMessage& out);
// Problems are told below `rootPath`.
void decodeNested(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes,
                  std::string_view rootPath, NestedMessage& out);
// One of a family, by the record type in front of it ("cluster-metadata", "offsets-key").
void decodeNestedOf(const Protocol& protocol, std::string_view family, const ByteChain& bytes, NestedMessage& out);
// The number in front that says which message of the family it is; nullopt: the bytes end before it.
std::optional<std::int16_t> recordTypeOf(const Protocol& protocol, std::string_view family, const ByteChain& bytes);

} // namespace brokerscope
