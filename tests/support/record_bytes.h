// SPDX-License-Identifier: Apache-2.0
// Writes records, batches and old messages for tests: what a producer would send, or what nobody should.
#pragma once

#include "dissector/records/codecs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brokerscope {

using ByteVector = std::vector<std::uint8_t>;

struct ByteWriter {
    ByteVector bytes;

    ByteWriter& integer(std::int64_t value, int size); // big-endian
    ByteWriter& varint(std::int64_t value);            // zig-zag
    ByteWriter& raw(Bytes content);
    ByteWriter& sized(std::optional<std::string_view> content);       // int32 length, -1 null
    ByteWriter& sizedVarint(std::optional<std::string_view> content); // varint length, -1 null
};

Bytes bytesOf(std::string_view text);
std::string textOf(const std::optional<Bytes>& bytes); // "(null)" for null

struct RecordToWrite {
    std::optional<std::string_view> key, value;
    std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers;
    std::int64_t timestampDelta = 0;
    std::int32_t offsetDelta = 0;
};
ByteVector recordBytes(const RecordToWrite& record);

struct BatchToWrite {
    std::int64_t baseOffset = 0;
    int attributes = 0;
    std::int32_t lastOffsetDelta = 0;
    std::int64_t baseTimestamp = 1'700'000'000'123, maxTimestamp = 1'700'000'000'123;
    std::int64_t producerId = -1;
    int producerEpoch = -1;
    std::int32_t baseSequence = -1;
    std::int32_t count = 0;
    ByteVector payload; // what stands behind the count
};
ByteVector batchBytes(const BatchToWrite& batch); // magic 2, its checksum right

ByteVector messageBytes(int magic, std::optional<std::string_view> key, std::optional<std::string_view> value,
                        std::int64_t offset = 0, int attributes = 0, std::int64_t timestamp = 1'700'000'000'123);

// As the libraries write it by themselves: one member, one raw block, one frame.
ByteVector compressed(Codec codec, Bytes content);
ByteVector xerialFramed(Bytes content, std::size_t blockSize, bool repeatHeader = false);

} // namespace brokerscope
