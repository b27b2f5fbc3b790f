// SPDX-License-Identifier: Apache-2.0
// What the bytes of a record's key or value probably are, and how to show them to a person. Kafka itself does not know:
// it is a guess, made from the bytes alone, most telling form first:
//
//     Avro container   begins with "Obj" 1                                 JSON    an object or array, whole
//     text             UTF-8 without control characters                    Int64.. 8, 4 or 2 bytes, big-endian
//     schema registry  0, schema id int32, payload (Confluent's framing)   protobuf  its wire format, whole
//     hex              anything else
//
// A format can be forced; then `fits` says whether the bytes have it, and what does not fit is shown as hex.
// Bounds: text is cut at the limits with an ellipsis; work grows with the bytes looked at (maxInput) only. Never
// throws. Output: valid UTF-8; a line has no control characters. Threads: none of its own.
#pragma once

#include "capture/types/bytes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

enum class ValueFormat : std::uint8_t {
    Auto, // guess
    Json,
    Text,
    Int16,
    Int32,
    Int64,
    Float32,
    Float64,
    SchemaRegistry,
    Protobuf,
    AvroContainer,
    Hex,
};

struct ValueFormatRow {
    ValueFormat format;
    std::string_view name;     // as the command line takes it: "json"
    std::string_view sentence; // for its help
};
const std::array<ValueFormatRow, 12>& valueFormats();
std::optional<ValueFormat> valueFormatOf(std::string_view name);

struct GuessOptions {
    ValueFormat format = ValueFormat::Auto;
    bool pretty = false;              // also the form of many lines
    std::size_t maxLine = 500;        // bytes of text
    std::size_t maxPretty = 1u << 20; // likewise
    std::size_t maxInput = 4u << 20;  // longer values are shown by their first bytes, as text or hex
};

struct GuessedValue {
    ValueFormat format = ValueFormat::Hex; // what the bytes are shown as; never Auto
    bool fits = true;                      // false: a format was forced that these bytes do not have
    std::string line;
    std::string pretty; // empty where the line says it all, or when nobody asked
};

GuessedValue guessValue(Bytes bytes, const GuessOptions& options = {});

} // namespace brokerscope
