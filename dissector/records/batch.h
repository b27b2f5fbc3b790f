// SPDX-License-Identifier: Apache-2.0
// The entries of a record set, as they stand in front of the records: a batch of magic 2, or a message of magic 0 or 1,
// which is a batch of its own (with a codec: a wrapper whose value is a whole message set).
//
//     every magic:  offset int64, size int32 (of what follows), crc or epoch 4 bytes, magic int8
//     magic 0, 1:   crc int32, magic, attributes int8, [timestamp int64], key, value
//     magic 2:      leaderEpoch int32, magic, crc uint32, attributes int16, lastOffsetDelta int32, baseTimestamp int64,
//                   maxTimestamp int64, producerId int64, producerEpoch int16, baseSequence int32, recordCount int32
//
// Bytes:  read from a ByteChain, nothing is kept; begin and end are places in it.
// Errors: values. What no batch can be made of is said in a Problem.
#pragma once

#include "dissector/records/codecs.h"
#include "dissector/wire/cursor.h"
#include "dissector/wire/problem.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace brokerscope {

constexpr std::uint32_t entryOverhead = 12;    // offset and size, which size does not count
constexpr std::uint32_t magicPlace = 16;       // in every entry
constexpr std::uint32_t batchHeaderSize = 61;  // of magic 2
constexpr std::uint32_t recordCountPlace = 57; // of magic 2
constexpr std::uint32_t crcPlace(std::int8_t magic) {
    return magic == 2 ? 17 : 12;
}
constexpr std::int32_t smallestEntrySize = 14; // as the size field says it: a message of magic 0 without key and value

// Who set the time of the records.
enum class TimestampType : std::uint8_t { None, Create, LogAppend };
std::string_view name(TimestampType type); // Kafka's: "CreateTime"

struct Batch {
    std::uint32_t begin = 0, end = 0; // in the chain
    std::int8_t magic = 0;
    std::uint16_t attributes = 0; // as they stand; what is known of them is below
    Codec codec = Codec::None;
    TimestampType timestampType = TimestampType::None;
    std::uint32_t crc = 0;
    std::optional<std::uint32_t> crcOfBytes; // what it should be; nullopt: bytes are missing
    std::optional<std::int64_t> baseOffset;  // of a wrapper: known once it is opened, if then
    std::int64_t lastOffset = 0;
    std::int64_t maxTimestamp = -1; // milliseconds since 1970, as all times here; -1 none

    // Only magic 2 has these; -1 is "none", on the wire too.
    std::int64_t baseTimestamp = -1;
    std::int64_t producerId = -1;
    std::int16_t producerEpoch = -1;
    std::int32_t baseSequence = -1;
    std::int32_t partitionLeaderEpoch = -1;
    std::int32_t recordCount = -1;
    bool isTransactional = false;
    bool isControl = false;
    std::optional<std::int64_t> deleteHorizonMs;

    std::uint32_t sizeInBytes() const { return end - begin; }
    std::optional<bool> crcValid() const { return crcOfBytes ? std::optional<bool>(*crcOfBytes == crc) : std::nullopt; }
    bool isWrapper() const { return magic < 2 && codec != Codec::None; }
};

enum class EntryKind : std::uint8_t {
    Batch,   // found
    Partial, // the set ends inside it: usual in a Fetch response, where the broker cuts at max bytes
    Lost,    // begin and end are known, the header is not: bytes are missing
    None,    // no batch can begin here, and where the next one does is not known
};

// Reads the entry at `begin` of a set that ends at `end`. For Lost and None, `problem` says why.
EntryKind readBatch(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, Batch& batch, Problem& problem);

// Offsets and times are the sender's numbers: sums may overflow, and wrap as they do in Kafka.
constexpr std::int64_t plusWrapping(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

constexpr std::int64_t minusWrapping(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// What to say of [begin, end), which has a hole.
Problem missingBytes(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, std::string_view what);

} // namespace brokerscope
