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
    FieldType type = FieldType::Struct;
    bool isArray = false;
    bool nullable = false;
    bool compact = false; // lengths as uvarint N+1
    bool tagged = false;
    bool wanted = false;         // it or something below it has a semantic that the index collects
    std::uint32_t fixedSize = 0; // of one element; 0 when it varies
    std::int32_t tag = -1;
    std::uint32_t childBegin = 0, taggedBegin = 0, childEnd = 0;
    std::int64_t defaultNumber = 0;
    bool defaultNull = false;
    std::string defaultString;
};

struct Plan {
    const SchemaMessage* message = nullptr;
    std::int16_t version = 0;
    bool flexible = false; // structs end with a tag buffer
    std::vector<PlanField> fields;

    const PlanField& root() const { return fields.front(); }
};

} // namespace brokerscope
