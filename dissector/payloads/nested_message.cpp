// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/nested_message.h"

#include "dissector/message/plausibility.h"
#include "dissector/schema/field_table.h"
#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace brokerscope {
namespace {

struct LeadFields {
    FieldTable table;
    const PlanField* version = table.add("Version", FieldType::Int16, "Chooses the layout of what follows.");
    const PlanField* type = table.add("Type", FieldType::Int16, "Which kind of record this is.");
    const PlanField* frameVersion = table.add("FrameVersion", FieldType::Uvarint, "Of this frame of three numbers.");
    const PlanField* frameType = table.add("Type", FieldType::Uvarint, "Which kind of record this is.");
    const PlanField* recordVersion = table.add("Version", FieldType::Uvarint, "Chooses the layout of what follows.");
};

const LeadFields& leadFields() {
    static const LeadFields fields;
    return fields;
}

// What stands in front, as far as the lead has such a part.
struct LeadParts {
    struct Part {
        const PlanField* field;
        std::uint32_t end;
    };
    std::optional<std::int32_t> type, version;
    std::vector<Part> parts;
    std::uint32_t length = 0;
    bool ok = false;
};

std::int32_t clipped(std::uint32_t value) {
    return static_cast<std::int32_t>(std::min<std::uint32_t>(value, std::numeric_limits<std::int16_t>::max()));
}

LeadParts readLead(Lead lead, const ByteChain& bytes) {
    Cursor cursor(bytes);
    LeadParts parts;
    const auto part = [&](const PlanField* field) { parts.parts.push_back({field, cursor.position()}); };
    switch (lead) {
    case Lead::None:
        break;
    case Lead::Version:
        parts.version = cursor.readI16();
        part(leadFields().version);
        break;
    case Lead::RecordType:
        parts.type = cursor.readI16();
        part(leadFields().type);
        break;
    case Lead::Frame:
        cursor.readUvarint();
        part(leadFields().frameVersion);
        parts.type = clipped(cursor.readUvarint());
        part(leadFields().frameType);
        parts.version = clipped(cursor.readUvarint());
        part(leadFields().recordVersion);
        break;
    }
    parts.ok = cursor.ok();
    parts.length = cursor.position();
    return parts;
}

// Puts them into the tree, in front of the body.
void insertLead(const LeadParts& lead, FieldTree& tree) {
    const auto count = static_cast<NodeIndex>(lead.parts.size());
    if (count == 0) return;
    for (FieldNode& node : tree.nodes) {
        node.end += count;
        if (node.parent != noNode && node.parent > 0) node.parent += count;
    }
    FieldNode& root = tree.nodes.front();
    root.length += root.offset;
    root.offset = 0;
    std::vector<FieldNode> nodes(count);
    std::uint32_t begin = 0;
    for (NodeIndex i = 0; i < count; ++i) {
        FieldNode& node = nodes[i];
        node.kind = NodeKind::Lead;
        node.field = lead.parts[i].field;
        node.parent = 0;
        node.end = i + 2;
        node.offset = begin;
        node.length = lead.parts[i].end - begin;
        begin = lead.parts[i].end;
    }
    tree.nodes.insert(tree.nodes.begin() + 1, nodes.begin(), nodes.end());
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

class NestedDecoder {
  public:
    NestedDecoder(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes,
                  std::string_view rootPath, NestedMessage& out)
        : m_protocol(protocol), m_schema(schema), m_bytes(bytes), m_rootPath(rootPath), m_out(out) {}

    void run() {
        m_out.message.clear();
        m_out.schema = &m_schema;
        const LeadParts lead = readLead(m_schema.lead, m_bytes);
        m_out.bodyOffset = lead.length;
        if (!lead.ok)
            return note(ProblemKind::Malformed, lead.length, "the bytes end before the version of the message");
        std::optional<std::int32_t> version = lead.version;
        if (m_schema.lead == Lead::None) version = ownVersion(m_schema, m_bytes);
        if (!version && m_schema.lead != Lead::RecordType)
            byFit();
        else
            inVersion(static_cast<std::int16_t>(version.value_or(m_schema.versions.last)));
        insertLead(lead, m_out.message.tree);
        if (m_out.message.body != noNode) m_out.message.body += static_cast<NodeIndex>(lead.parts.size());
    }

  private:
    void note(ProblemKind kind, std::uint32_t offset, std::string text) {
        auto& problems = m_out.message.problems;
        problems.insert(problems.begin(), Problem{kind, std::string(m_rootPath), offset, std::move(text)});
    }

    void decodeAs(std::int16_t version) {
        const Plan* plan = m_protocol.nestedPlan(m_schema.name, version);
        if (!plan) return;
        const Plan& layout = layoutThatFits(*plan, m_bytes, m_out.bodyOffset, m_bytes.size());
        decodeBody(layout, m_bytes, m_out.bodyOffset, m_rootPath, m_out.message);
        m_out.message.previewOf = layout.seenIn;
        if (!layout.seenIn.empty())
            note(ProblemKind::OtherLayout, m_out.bodyOffset,
                 fmt::format("the layout of version {} in Kafka {}", version, layout.seenIn));
    }

    void inVersion(std::int16_t version) {
        m_out.version = version;
        const std::int16_t layout = std::clamp(version, m_schema.versions.first, m_schema.versions.last);
        decodeAs(layout);
        if (layout == version) return;
        note(ProblemKind::AssumedVersion, 0,
             fmt::format("version {} of {} is not known; read as version {}", version, m_schema.name, layout));
    }

    // Nothing says which version it is: the newest that fits exactly, else the newest.
    void byFit() {
        for (std::int16_t version = m_schema.versions.last; version >= m_schema.versions.first; --version) {
            m_out.version = version;
            decodeAs(version);
            if (m_out.message.problems.empty()) return;
        }
        m_out.version = m_schema.versions.last;
        decodeAs(m_out.version);
    }

    const Protocol& m_protocol;
    const SchemaMessage& m_schema;
    const ByteChain& m_bytes;
    std::string_view m_rootPath;
    NestedMessage& m_out;
};

const SchemaMessage* anyOf(const Protocol& protocol, std::string_view family) {
    const auto all = protocol.nestedMessages();
    const auto member = std::ranges::find(all, family, &SchemaMessage::family);
    return member == all.end() ? nullptr : *member;
}

} // namespace

void decodeNested(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes, NestedMessage& out) {
    decodeNested(protocol, schema, bytes, "", out);
}

void decodeNested(const Protocol& protocol, const SchemaMessage& schema, const ByteChain& bytes,
                  std::string_view rootPath, NestedMessage& out) {
    NestedDecoder(protocol, schema, bytes, rootPath, out).run();
}

std::optional<std::int16_t> recordTypeOf(const Protocol& protocol, std::string_view family, const ByteChain& bytes) {
    const SchemaMessage* member = anyOf(protocol, family);
    if (!member) return std::nullopt;
    const LeadParts lead = readLead(member->lead, bytes);
    return lead.ok && lead.type ? std::optional(static_cast<std::int16_t>(*lead.type)) : std::nullopt;
}

void decodeNestedOf(const Protocol& protocol, std::string_view family, const ByteChain& bytes, NestedMessage& out) {
    out.message.clear();
    out.schema = nullptr;
    const auto fail = [&](ProblemKind kind, std::string text) {
        out.message.problems.push_back({kind, "", 0, std::move(text)});
    };
    if (!anyOf(protocol, family)) return fail(ProblemKind::UnknownApi, "no such family of messages");
    const std::optional<std::int16_t> type = recordTypeOf(protocol, family, bytes);
    if (!type) return fail(ProblemKind::Malformed, "the bytes end before the type of the record");
    const SchemaMessage* schema = protocol.nestedByType(family, *type);
    if (!schema) return fail(ProblemKind::UnknownApi, fmt::format("record type {} is not known here", *type));
    decodeNested(protocol, *schema, bytes, out);
}

} // namespace brokerscope
