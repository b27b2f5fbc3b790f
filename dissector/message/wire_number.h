// SPDX-License-Identifier: Apache-2.0
// Numbers as they stand on the wire, big endian.
#pragma once

#include "dissector/schema/schema.h"

#include <cstdint>

namespace brokerscope {

template<int Size>
std::uint64_t bigEndian(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < Size; ++i)
        value = value << 8 | bytes[i];
    return value;
}

// Of an integer or bool type (a bool is 0 or 1), or the bits of a float64.
inline std::int64_t wireNumber(FieldType type, const std::uint8_t* bytes) {
    switch (type) {
    case FieldType::Bool:
        return bytes[0] != 0;
    case FieldType::Int8:
        return static_cast<std::int8_t>(bytes[0]);
    case FieldType::Int16:
        return static_cast<std::int16_t>(bigEndian<2>(bytes));
    case FieldType::Uint16:
        return static_cast<std::int64_t>(bigEndian<2>(bytes));
    case FieldType::Int32:
        return static_cast<std::int32_t>(bigEndian<4>(bytes));
    case FieldType::Uint32:
        return static_cast<std::int64_t>(bigEndian<4>(bytes));
    case FieldType::Int64:
    case FieldType::Float64:
        return static_cast<std::int64_t>(bigEndian<8>(bytes));
    default:
        return 0;
    }
}

} // namespace brokerscope
