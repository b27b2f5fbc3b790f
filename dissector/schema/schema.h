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
    bool operator==(const VersionRange&) const = default;
    static constexpr std::int16_t open = std::numeric_limits<std::int16_t>::max(); // "12+"
};
std::string toString(VersionRange range); // "0-13", "9+", "4", "none"

enum class FieldType : std::uint8_t {
    Bool,
    Int8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uvarint, // 32 bits: in front of nested messages
    Varint,  // zig-zag, 32 bits: lengths and deltas inside records only
    Varlong, // zig-zag, 64 bits: likewise
    Float64,
    Uuid,
    String,
    JavaText, // uint16 length, Java's modified UTF-8
    Utf16,    // int32 count of characters of two bytes, big endian; none is null
    Bytes,
    Records,
    Struct,
};
// Kafka's name of a type: "int32".
std::string_view name(FieldType type);

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
    Time, // milliseconds since 1970
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
    ConfigValue,       // secret or not by the name beside it
    GroupProtocol,     // the protocol type: "consumer"
    GroupProtocolName, // what the members agreed on: "range"
    GroupMetadata,
    GroupAssignment, // payloads that open further
    SubscriptionData,
    AssignmentData, // the assignor's own, inside of those
    SaslToken,
    EmbeddedRequest,
    EmbeddedResponse,
    Telemetry,
    NestedMessage, // opens as the message named in enumName
    Address,       // the raw bytes of an IP address
    Dictionary,    // entries that others name by their index
    Index,         // of an entry in the dictionary named in enumName
    Unordered,     // entries in no order on the wire, written sorted in JSON
};

struct SchemaField {
    std::string name;     // Kafka's, as in "TimeoutMs"
    std::string jsonName; // "timeoutMs"
    FieldType type = FieldType::Struct;
    bool isArray = false;
    VersionRange versions;                  // where the field exists
    VersionRange nullable;                  // where it may be null
    std::int32_t tag = -1;                  // in the tag buffer in all its versions; -1: an ordinary field
    bool neverCompact = false;              // the old length style even in flexible versions (header ClientId)
    std::optional<std::string> defaultText; // as written: "-1", "null", "true"
    Semantic semantic = Semantic::None;
    std::string enumName; // of the values, also beside another semantic ("-1 LATEST"): a row set of enums.schema
    std::string note;     // our own words, for reference and tooltips
    std::vector<SchemaField> children;
};

// Which nested message a payload is, by a name that stands elsewhere.
struct PayloadRule {
    enum class Place : std::uint8_t {
        GroupMetadata,    // by protocol type
        GroupAssignment,  // likewise
        SubscriptionData, // by protocol name
        AssignmentData,   // likewise
        RecordKey,        // by topic
        RecordValue,      // likewise
    } place{};
    std::string name;   // "consumer", "range", "__consumer_offsets"
    std::string target; // a message, or a family of messages
};

enum class MessageKind : std::uint8_t { Request, Response, Header, Nested };

// What stands in front of a nested message.
enum class Lead : std::uint8_t {
    None,       // nothing; a first field named "version" chooses the layout
    Version,    // int16 version
    RecordType, // int16 type of record
    Frame,      // uvarint frame version, uvarint type of record, uvarint version
};

struct SchemaMessage {
    std::string name; // "Fetch" for both directions, "OffsetCommitValue"
    MessageKind kind = MessageKind::Nested;
    std::int16_t apiKey = -1; // for Nested: the first record type, where it has one
    VersionRange versions;
    VersionRange flexible;
    std::string note; // of nested messages and headers
    std::vector<SchemaField> fields;

    // Layouts that a preview release wrote under a version whose layout is another one today; tried when the bytes do
    // not fit the layout above.
    struct Variant {
        VersionRange versions;
        VersionRange flexible;
        std::string seenIn; // "3.5-3.6"
        std::vector<SchemaField> fields;
    };
    std::vector<Variant> variants;

    // Nested messages only.
    Lead lead = Lead::None;
    std::string family;                    // "offsets-value", "cluster-metadata", ...; empty: none
    std::vector<std::int16_t> recordTypes; // within the family
};

struct ReleaseRange {
    std::string release;   // the first with this range; "2.2" stands for it and all before
    VersionRange versions; // empty: the API is gone
};

struct Api {
    std::int16_t key = -1;
    std::string name;     // "SaslHandshake"
    std::string enumName; // "SASL_HANDSHAKE", as brokers log it
    VersionRange versions;
    VersionRange flexible;
    const SchemaMessage* request = nullptr;
    const SchemaMessage* response = nullptr;
    std::vector<std::string> formerNames;
    std::vector<ReleaseRange> releases;
    std::string note;

    // Where the header does not follow from `flexible`.
    struct HeaderException {
        VersionRange versions;
        std::int16_t header = 0;
    };
    std::optional<HeaderException> requestException, responseException;
    // The version in whose layout a broker answers when it does not know the asked one, and the error code that its
    // response then begins with. -1: there is no such custom.
    std::int16_t fallbackVersion = -1, fallbackError = 0;

    std::int16_t requestHeaderVersion(std::int16_t version) const;
    std::int16_t responseHeaderVersion(std::int16_t version) const;
};

struct ErrorCode {
    std::int16_t code = 0;
    std::string name;
    bool retriable = false;
    std::string meaning; // one sentence
};

struct EnumValue {
    std::int64_t value = 0;
    std::string name;
    std::string note;
};

} // namespace brokerscope
