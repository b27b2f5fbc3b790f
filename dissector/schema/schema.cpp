// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/schema.h"

namespace brokerscope {

std::string toString(VersionRange range) {
    if (range.empty()) return "none";
    if (range.last == VersionRange::open) return std::to_string(range.first) + "+";
    if (range.first == range.last) return std::to_string(range.first);
    return std::to_string(range.first) + "-" + std::to_string(range.last);
}

std::string_view name(FieldType type) {
    switch (type) {
    case FieldType::Bool:
        return "bool";
    case FieldType::Int8:
        return "int8";
    case FieldType::Int16:
        return "int16";
    case FieldType::Uint16:
        return "uint16";
    case FieldType::Int32:
        return "int32";
    case FieldType::Uint32:
        return "uint32";
    case FieldType::Int64:
        return "int64";
    case FieldType::Uvarint:
        return "uvarint";
    case FieldType::Varint:
        return "varint";
    case FieldType::Varlong:
        return "varlong";
    case FieldType::Float64:
        return "float64";
    case FieldType::Uuid:
        return "uuid";
    case FieldType::String:
        return "string";
    case FieldType::JavaText:
    case FieldType::Utf16:
        return "text";
    case FieldType::Bytes:
        return "bytes";
    case FieldType::Records:
        return "records";
    case FieldType::Struct:
        return "struct";
    }
    return {};
}

std::int16_t Api::requestHeaderVersion(std::int16_t version) const {
    if (requestException && requestException->versions.contains(version)) return requestException->header;
    return flexible.contains(version) ? 2 : 1;
}

std::int16_t Api::responseHeaderVersion(std::int16_t version) const {
    if (responseException && responseException->versions.contains(version)) return responseException->header;
    return flexible.contains(version) ? 1 : 0;
}

} // namespace brokerscope
