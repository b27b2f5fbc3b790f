// SPDX-License-Identifier: Apache-2.0
// A decoded message as a flat pre-order array of small nodes over the message's bytes. Values are not stored: they are
// read from the bytes when somebody shows them.
//
// Law (tested on every vector): each byte of the message belongs to exactly one node's own bytes. A node covers
// [offset, offset + length). Its own bytes are its prefix (length, count, null marker, tag and size: the first
// `prefix` bytes) and, for a leaf, its content behind that. What is behind the prefix of a node with children is
// covered by the children, in order and without holes.
// Bounds: depth and node count are capped by the decoder, which reports a Limit problem.
#pragma once

#include "dissector/schema/plan.h"
#include "dissector/wire/chain_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

using NodeIndex = std::uint32_t;
constexpr NodeIndex noNode = 0xffffffff;

enum class NodeKind : std::uint8_t {
    Message,     // the root
    FrameLength, // the 4 bytes in front of a frame
    Header,      // struct
    Body,        // struct
    Lead,        // a number in front of a nested message: its version, its type of record
    Field,       // a field of the plan; `field` says which
    Element,     // an entry of an array; `field` is the array's, `index` its place
    TagBuffer,   // prefix: the count; children: the tagged fields that are there
    UnknownTag,  // prefix: tag and size; `index`: the tag
    Raw,         // bytes whose layout is not known (unknown API, SASL token) or that could not be decoded
    Trailing,    // bytes behind a whole body
    // Parts of record sets; their field points to the descriptors in records/record_fields.h
    Batch,
    Record,
    RecordHeader,
};

struct FieldNode {
    std::uint32_t offset = 0;
    std::uint32_t length = 0; // with the prefix
    NodeIndex end = 0;        // the index behind this node's subtree; end == own index + 1 for a leaf
    NodeIndex parent = noNode;
    const PlanField* field = nullptr;
    // Element: its place. UnknownTag: the tag. Field: the count of an array, the length of a text as announced, also
    // where fewer are there.
    std::uint32_t index = 0;
    NodeKind kind = NodeKind::Field;
    std::uint8_t prefix = 0; // how many of the first bytes are length, count, marker, tag or size
    bool isNull = false;
    bool damaged = false; // not all of it could be read

    std::uint32_t contentOffset() const { return offset + prefix; }
    std::uint32_t contentLength() const { return length - prefix; }
    bool isArray() const { return kind == NodeKind::Field && field && field->isArray; }
    // A single value: no struct, no array.
    bool isValue() const {
        return field && field->type != FieldType::Struct &&
               ((kind == NodeKind::Field && !field->isArray) || kind == NodeKind::Element || kind == NodeKind::Lead);
    }
};

struct FieldTree {
    std::vector<FieldNode> nodes;

    bool hasChildren(NodeIndex node) const { return nodes[node].end > node + 1; }
    NodeIndex firstChild(NodeIndex node) const { return hasChildren(node) ? node + 1 : noNode; }
    NodeIndex nextSibling(NodeIndex node) const; // noNode at the last
    NodeIndex find(NodeKind kind) const;         // the first child of the root of that kind
    NodeIndex child(NodeIndex node,
                    std::string_view jsonName) const; // looks into the tag buffer too; noNode when absent
    NodeIndex nodeAt(std::uint32_t offset) const;     // the deepest node that owns the byte
    std::string path(NodeIndex node) const;           // "topics[0].partitions[1].errorCode", below header or body
};

// Reading values. Missing or damaged bytes give nullopt.
struct FieldValue {
    enum class Kind : std::uint8_t { Null, Bool, Integer, Float, Text, Bytes, Uuid } kind = Kind::Null;
    std::int64_t integer = 0;
    double real = 0;
    Bytes bytes; // Text, Bytes, Uuid: valid until the next read with the same scratch or reader
};

// Of a single value, or the content of an UnknownTag, Raw or Trailing node as Bytes.
std::optional<FieldValue> readValue(const ByteChain& bytes, const FieldNode& node, std::vector<std::uint8_t>& scratch);
// The same, for those who read many values of one message in order.
std::optional<FieldValue> readValue(ChainReader& bytes, const FieldNode& node);
constexpr std::size_t uuidLength = 22;
std::string uuidText(Bytes sixteen); // Kafka's base64url form, 22 characters
void writeUuid(const std::uint8_t* sixteen, char* to);

} // namespace brokerscope
