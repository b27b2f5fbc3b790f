// SPDX-License-Identifier: Apache-2.0
// The protocol as it is written in protocol/*.schema: APIs, messages and fields over all their versions, before a
// version is chosen. The notation is described in docs/schema-notation.md.
// Immutable once parsed; shared by all threads.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct VersionRange {
    std::int16_t first = 0;
    std::int16_t last = -1; // below first: empty

    bool contains(std::int16_t version) const { return version >= first && version <= last; }
    bool empty() const { return last < first; }
    static constexpr std::int16_t open = std::numeric_limits<std::int16_t>::max(); // "12+"
};

enum class FieldType : std::uint8_t {
    Bool,
    Int8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Varint,  // zig-zag, 32 bits: lengths and deltas inside records only
    Varlong, // zig-zag, 64 bits: likewise
    Float64,
    Uuid,
    String,
    Bytes,
    Records,
    Struct,
};

// What a field means beyond its type: decides how people see it and what the index collects.
enum class Semantic : std::uint8_t {
    None,
    Topic,
    TopicId,
    Partition,
    Group,
    Member,
    TransactionalId,
    ProducerId,
    NodeId, // names and ids
    Error,
    ErrorMessage,
    Milliseconds,
    Time,
    Size, // units
    Enum,
    BitField, // see SchemaField::enumName
    Offset,
    Epoch,
    ThrottleTime,
    Acks,
    MaxWait,
    MinBytes,
    SoftwareName,
    SoftwareVersion,
    Mechanism,
    Host,
    Port,
    ApiKey,
    Secret,
    GroupProtocol,
    GroupMetadata,
    GroupAssignment, // payloads that open further
    SaslToken,
    EmbeddedRequest,
    EmbeddedResponse,
    Principal,
    Telemetry,
};

struct SchemaField {
    std::string name;     // Kafka's, as in "TimeoutMs"
    std::string jsonName; // "timeoutMs"
    FieldType type = FieldType::Struct;
    bool isArray = false;
    VersionRange versions; // where the field exists
    VersionRange nullable; // where it may be null
    VersionRange tagged;   // where it lives in the tag buffer
    std::int32_t tag = -1;
    bool neverCompact = false;              // the old length style even in flexible versions (header ClientId)
    std::optional<std::string> defaultText; // as written: "-1", "null", "true"
    Semantic semantic = Semantic::None;
    std::string enumName; // for Enum and BitField: a row set of enums.schema
    std::string note;     // our own words, for reference and tooltips
    std::vector<SchemaField> children;
};

enum class MessageKind : std::uint8_t { Request, Response, Header, Nested };

struct SchemaMessage {
    std::string name; // "Fetch" for both directions, "OffsetCommitValue"
    MessageKind kind = MessageKind::Nested;
    std::int16_t apiKey = -1; // for Nested: the record type, where it has one
    VersionRange versions;
    VersionRange flexible;
    std::vector<SchemaField> fields;
};

} // namespace brokerscope
