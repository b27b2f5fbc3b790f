// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/batch.h"

#include "dissector/records/crc.h"

#include <fmt/format.h>

namespace brokerscope {

namespace {

constexpr std::int8_t newestMagic = 2;
constexpr std::uint32_t crcBegin2 = 21; // the checksum of magic 2 leaves out what brokers change in place
constexpr unsigned logAppendBit = 1u << 3, transactionalBit = 1u << 4, controlBit = 1u << 5, deleteHorizonBit = 1u << 6;

std::uint32_t smallestEntry(std::int8_t magic) {
    switch (magic) {
    case 0:
        return entryOverhead + smallestEntrySize;
    case 1:
        return entryOverhead + smallestEntrySize + 8; // the timestamp
    default:
        return batchHeaderSize;
    }
}

EntryKind none(ProblemKind kind, std::uint32_t offset, std::string text, Problem& problem) {
    problem = {kind, {}, offset, std::move(text)};
    return EntryKind::None;
}

TimestampType timestampType(std::int8_t magic, unsigned attributes) {
    if (magic == 0) return TimestampType::None;
    return attributes & logAppendBit ? TimestampType::LogAppend : TimestampType::Create;
}

void readHeader2(Cursor& cursor, Batch& batch) {
    batch.crc = cursor.readU32();
    batch.attributes = cursor.readU16();
    const std::int32_t lastOffsetDelta = cursor.readI32();
    batch.baseTimestamp = cursor.readI64();
    batch.maxTimestamp = cursor.readI64();
    batch.producerId = cursor.readI64();
    batch.producerEpoch = cursor.readI16();
    batch.baseSequence = cursor.readI32();
    batch.recordCount = cursor.readI32();
    batch.lastOffset = plusWrapping(*batch.baseOffset, lastOffsetDelta);
    batch.isTransactional = batch.attributes & transactionalBit;
    batch.isControl = batch.attributes & controlBit;
    // KIP-534: the cleaner keeps tombstones until this time and puts it in the place of the base timestamp. The deltas
    // of the records still count from it.
    if (batch.attributes & deleteHorizonBit) batch.deleteHorizonMs = batch.baseTimestamp;
}

void readHeader01(Cursor& cursor, std::uint32_t crc, Batch& batch) {
    batch.crc = crc;
    batch.attributes = cursor.readU8();
    if (batch.magic == 1) batch.maxTimestamp = cursor.readI64();
    batch.lastOffset = *batch.baseOffset;
}

} // namespace

std::string_view name(TimestampType type) {
    switch (type) {
    case TimestampType::Create:
        return "CreateTime";
    case TimestampType::LogAppend:
        return "LogAppendTime";
    case TimestampType::None:
        break;
    }
    return "NoTimestampType";
}

Problem missingBytes(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, std::string_view what) {
    const bool cut = bytes.holeIn(begin, end - begin) == Hole::Cut;
    return {cut ? ProblemKind::Truncated : ProblemKind::Gap,
            {},
            begin,
            fmt::format("{} {}", what, cut ? "was cut by the snap length" : "was lost on the way")};
}

EntryKind readBatch(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, Batch& batch, Problem& problem) {
    batch = {};
    Cursor cursor(bytes, begin, end);
    const std::uint32_t left = cursor.remaining();
    if (left < entryOverhead) return EntryKind::Partial;
    batch.begin = begin;
    batch.baseOffset = cursor.readI64();
    const std::int32_t size = cursor.readI32();
    if (cursor.ok() && size < smallestEntrySize)
        return none(
            ProblemKind::Malformed, begin + 8,
            fmt::format("the size of a batch is {}, less than the smallest message ({})", size, smallestEntrySize),
            problem);
    if (cursor.ok() && left <= magicPlace) return EntryKind::Partial;
    const std::uint32_t epochOrCrc = cursor.readU32();
    batch.magic = cursor.readI8();
    if (!cursor.ok()) {
        problem = missingBytes(bytes, begin, begin + magicPlace + 1, "the head of a batch");
        return EntryKind::None;
    }
    if (batch.magic < 0 || batch.magic > newestMagic)
        return none(ProblemKind::Malformed, begin + magicPlace,
                    fmt::format("a batch of magic {}; only 0, 1 and 2 are known", batch.magic), problem);
    if (static_cast<std::uint32_t>(size) > left - entryOverhead) return EntryKind::Partial;
    batch.end = begin + entryOverhead + static_cast<std::uint32_t>(size);
    if (batch.sizeInBytes() < smallestEntry(batch.magic))
        return none(ProblemKind::Malformed, begin + 8,
                    fmt::format("a batch of magic {} in {} bytes; its header alone takes {}", batch.magic,
                                batch.sizeInBytes(), smallestEntry(batch.magic)),
                    problem);
    if (batch.magic == 2) {
        batch.partitionLeaderEpoch = static_cast<std::int32_t>(epochOrCrc);
        readHeader2(cursor, batch);
    } else {
        readHeader01(cursor, epochOrCrc, batch);
    }
    if (!cursor.ok()) {
        problem = missingBytes(bytes, cursor.position(), batch.end, "the header of a batch");
        return EntryKind::Lost;
    }
    const auto codec = codecOf(batch.attributes);
    if (!codec)
        return none(ProblemKind::Codec, begin + magicPlace + (batch.magic == 2 ? 6 : 1),
                    fmt::format("no codec has the number {}", batch.attributes & 7u), problem);
    batch.codec = *codec;
    batch.timestampType = timestampType(batch.magic, batch.attributes);
    if (batch.isWrapper()) batch.baseOffset.reset();
    batch.crcOfBytes =
        batch.magic == 2 ? crc32c(bytes, begin + crcBegin2, batch.end) : crc32(bytes, begin + magicPlace, batch.end);
    return EntryKind::Batch;
}

} // namespace brokerscope
