// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/nested_message.h"

#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace brokerscope {
namespace {

// What stands in front, as far as the lead has such a part.
struct LeadParts {
    std::optional<std::int32_t> type, version;
    std::uint32_t length = 0;
    bool ok = false;
};

std::int32_t clipped(std::uint32_t value) {
    return static_cast<std::int32_t>(std::min<std::uint32_t>(value, std::numeric_limits<std::int16_t>::max()));
}

LeadParts readLead(Lead lead, const ByteChain& bytes) {
    Cursor cursor(bytes);
    LeadParts parts;
    switch (lead) {
    case Lead::None:
        break;
    case Lead::Version:
        parts.version = cursor.readI16();
        break;
    case Lead::RecordType:
        parts.type = cursor.readI16();
        break;
    case Lead::Frame:
        cursor.readUvarint(); // the frame's own version
        parts.type = clipped(cursor.readUvarint());
        parts.version = clipped(cursor.readUvarint());
        break;
    }
    parts.ok = cursor.ok();
    parts.length = cursor.position();
    return parts;
}

// Without a lead the first field may be the version itself.
std::optional<std::int32_t> ownVersion(const SchemaMessage& schema, const ByteChain& bytes) {
    if (schema.fields.empty() || schema.fields.front().jsonName != "version") return std::nullopt;
    Cursor cursor(bytes);
    const std::int32_t version =
        schema.fields.front().type == FieldType::Int32 ? cursor.readI32() : std::int32_t{cursor.readI16()};
    if (!cursor.ok()) return std::nullopt;
    return std::clamp<std::int32_t>(version, std::numeric_limits<std::int16_t>::min(),
                                    std::numeric_limits<std::int16_t>::max());
}

void note(NestedMessage& out, ProblemKind kind, std::uint32_t offset, std::string text) {
    out.message.problems.insert(out.message.problems.begin(), Problem{kind, "", offset, std::move(text)});
}

void decodeAs(const Protocol& protocol, const SchemaMessage& schema, std::int16_t version, const ByteChain& bytes,
              NestedMessage& out) {
    const Plan* plan = protocol.nestedPlan(schema.name, version);
    if (plan) decodeBody(*plan, bytes, out.bodyOffset, "", out.message);
}

// Nothing says which version it is: the newest that fits exactly, else the newest.
void decodeByFit(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes, NestedMessage& out) {
    for (std::int16_t version = schema.versions.last; version >= schema.versions.first; --version) {
        out.version = version;
        decodeAs(protocol, schema, version, bytes, out);
        if (out.message.problems.empty()) return;
    }
    out.version = schema.versions.last;
    decodeAs(protocol, schema, out.version, bytes, out);
}

} // namespace

void decodeNested(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes, NestedMessage& out) {
    out.message.clear();
    out.schema = &schema;
    const LeadParts parts = readLead(schema.lead, bytes);
    out.bodyOffset = parts.length;
    if (!parts.ok) {
        note(out, ProblemKind::Malformed, parts.length, "the bytes end before the version of the message");
        return;
    }
    std::optional<std::int32_t> version = parts.version;
    if (schema.lead == Lead::None) version = ownVersion(schema, bytes);
    if (!version && schema.lead != Lead::RecordType) return decodeByFit(protocol, schema, bytes, out);
    out.version = static_cast<std::int16_t>(version.value_or(schema.versions.last));
    const std::int16_t layout = std::clamp(out.version, schema.versions.first, schema.versions.last);
    decodeAs(protocol, schema, layout, bytes, out);
    if (layout == out.version) return;
    note(out, ProblemKind::AssumedVersion, 0,
         fmt::format("version {} of {} is not known; read as version {}", out.version, schema.name, layout));
}

void decodeNestedOf(const Protocol& protocol, std::string_view family, const ByteChain& bytes, NestedMessage& out) {
    out.message.clear();
    out.schema = nullptr;
    const auto all = protocol.nestedMessages();
    const auto member = std::ranges::find(all, family, &SchemaMessage::family);
    if (member == all.end()) return note(out, ProblemKind::UnknownApi, 0, "no such family of messages");
    const LeadParts parts = readLead((*member)->lead, bytes);
    if (!parts.ok || !parts.type)
        return note(out, ProblemKind::Malformed, parts.length, "the bytes end before the type of the record");
    const SchemaMessage* schema = protocol.nestedByType(family, static_cast<std::int16_t>(*parts.type));
    if (!schema)
        return note(out, ProblemKind::UnknownApi, 0, fmt::format("record type {} is not known here", *parts.type));
    decodeNested(protocol, *schema, bytes, out);
}

} // namespace brokerscope
