// SPDX-License-Identifier: Apache-2.0
// A plan is one message in one version, flattened for the decoder: what to read, in wire order, with nothing left to
// decide about versions. Compiled on first use by Protocol and immutable from then on.
//
// Layout: fields[0] is the message itself (a struct). The children of a struct field are fields[childBegin, childEnd):
// first those in wire order, then, from taggedBegin on, those of the tag buffer by ascending tag.
#pragma once

#include "dissector/schema/schema.h"

#include <cstdint>
#include <string>
#include <vector>

namespace brokerscope {

struct PlanField {
    const SchemaField* schema = nullptr; // name, note, semantic; lives as long as the Protocol. Null for fields[0]
    std::uint32_t childBegin = 0, taggedBegin = 0, childEnd = 0;
    std::uint32_t fixedSize = 0; // of one element; 0 when it varies
    std::uint32_t minSize = 0;   // the fewest bytes that one element can take
    std::uint32_t skipBytes = 0; // this and the following skipFields - 1 siblings are unwanted and of a fixed size
    std::uint32_t runBytes = 0;  // of a struct: all its wire fields are one such run; 0: they are not
    std::uint16_t skipFields = 0;
    FieldType type = FieldType::Struct;
    Semantic semantic = Semantic::None;
    bool isArray = false;
    bool nullable = false;
    bool compact = false;          // lengths as uvarint N+1
    bool wanted = false;           // it or something below it has a semantic that the index collects
    bool countsTopic = false;      // one topic a value (a topic id beside a name is the same topic)
    bool countsPartitions = false; // of an array: one partition an entry
    bool defaultNull = false;
    std::int32_t tag = -1; // -1: not in the tag buffer
    std::int64_t defaultNumber = 0;

    bool tagged() const { return tag >= 0; }
};

struct Plan {
    const SchemaMessage* message = nullptr;
    std::int16_t version = 0;
    bool flexible = false; // structs end with a tag buffer
    std::vector<PlanField> fields;
    const Plan* variant = nullptr; // the next layout to try when the bytes do not fit this one
    std::string seenIn;            // of a variant: the releases that wrote it

    const PlanField& root() const { return fields.front(); }
};

// Of one value, in bytes; 0 when it varies.
std::uint32_t sizeOf(FieldType type);
// `variant` is null for the layout proper. `version` must be one of the message's (or the variant's).
Plan compilePlan(const SchemaMessage& message, std::int16_t version, const SchemaMessage::Variant* variant = nullptr);

} // namespace brokerscope
