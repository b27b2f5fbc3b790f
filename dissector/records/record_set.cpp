// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_set.h"

#include "dissector/records/crc.h"

#include <fmt/format.h>

#include <limits>

namespace brokerscope {

namespace {

constexpr std::int64_t sequences = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;

// Sequence numbers go from 2147483647 to 0.
std::int32_t sequenceAt(std::int32_t base, std::int32_t delta) {
    const std::int64_t sum = std::int64_t{base} + delta;
    return static_cast<std::int32_t>(sum < sequences ? sum : sum - sequences);
}

Problem crcProblem(std::uint32_t place, std::uint32_t stands, std::uint32_t computed) {
    return {ProblemKind::Crc,
            {},
            place,
            fmt::format("the checksum is {:#010x}, the bytes give {:#010x}", stands, computed)};
}

} // namespace

std::uint64_t contentBytes(const Record& record) {
    std::uint64_t size = (record.key ? record.key->size() : 0) + (record.value ? record.value->size() : 0);
    for (const RecordHeader& header : record.headers)
        size += header.key.size() + (header.value ? header.value->size() : 0);
    return size;
}

RecordSetReader::RecordSetReader(CodecLimits limits) : m_decompressor(limits) {}

void RecordSetReader::open(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end) {
    m_bytes = &bytes;
    m_end = std::min(end, bytes.size());
    m_position = std::min(begin, m_end);
    m_setError.clear();
    m_problems.clear();
    m_batch = {};
    m_batchCount = m_recordCount = 0;
    m_batchError.clear();
    m_opened = m_ended = true; // until there is a batch
}

bool RecordSetReader::nextBatch() {
    Problem problem;
    EntryKind kind = EntryKind::Lost;
    while (m_setError.empty() && kind == EntryKind::Lost) {
        kind = readBatch(*m_bytes, m_position, m_end, m_batch, problem);
        if (kind == EntryKind::Lost) m_position = m_batch.end;
        if (kind == EntryKind::None) m_setError = problem.text;
        if (kind == EntryKind::Lost || kind == EntryKind::None) m_problems.push_back(problem);
    }
    m_recordCount = 0;
    m_batchError.clear();
    m_opened = m_ended = kind != EntryKind::Batch;
    if (m_ended) return false;
    m_position = m_batch.end;
    ++m_batchCount;
    if (m_batch.crcOfBytes && *m_batch.crcOfBytes != m_batch.crc)
        note(crcProblem(m_batch.begin + crcPlace(m_batch.magic), m_batch.crc, *m_batch.crcOfBytes), batchPath());
    return true;
}

void RecordSetReader::openBatch() {
    if (m_opened) return;
    m_opened = true;
    m_cursor.reset();
    m_whole = true;
    m_innerBase = 0;
    if (m_batch.isWrapper()) {
        openWrapper();
    } else if (m_batch.magic < 2) {
        m_cursor.emplace(*m_bytes, m_batch.begin, m_batch.end);
    } else if (m_batch.recordCount < 0) {
        failBatch({ProblemKind::Malformed,
                   {},
                   m_batch.begin + recordCountPlace,
                   fmt::format("the batch announces {} records", m_batch.recordCount)});
        m_ended = true;
    } else if (m_batch.codec == Codec::None || m_batch.recordCount == 0) {
        // Without records nothing is compressed, whatever the attributes say.
        m_cursor.emplace(*m_bytes, m_batch.begin + batchHeaderSize, m_batch.end);
        if (m_batch.recordCount == 0 && m_cursor->remaining() != 0)
            note({ProblemKind::Trailing,
                  {},
                  m_cursor->position(),
                  fmt::format("{} bytes in a batch of no records", m_cursor->remaining())},
                 batchPath());
    } else {
        decompress(m_batch.begin + batchHeaderSize, m_batch.end);
    }
}

bool RecordSetReader::nextRecord() {
    openBatch();
    if (m_ended) return false;
    m_ended = !(m_batch.magic == 2 ? readRecord() : readMessage());
    if (!m_ended) ++m_recordCount;
    return !m_ended;
}

// --- magic 2

bool RecordSetReader::readRecord() {
    Cursor& cursor = *m_cursor;
    const auto announced = static_cast<std::uint32_t>(m_batch.recordCount);
    if (m_recordCount == announced) return false;
    const std::uint32_t place = cursor.position();
    const std::int32_t length = cursor.readVarint();
    if (cursor.failure() == Cursor::Failure::End)
        return failBatch({ProblemKind::Malformed,
                          {},
                          place,
                          fmt::format("the batch announces {} records and ends after {}", announced, m_recordCount)});
    if (cursor.failure() == Cursor::Failure::BadVarint) return failRecord(place, "the length of a record is no varint");
    if (!cursor.ok()) return failAtHole(place, cursor.end());
    if (length < 0 || static_cast<std::uint32_t>(length) > cursor.remaining())
        return failRecord(place, fmt::format("a record of {} bytes where {} are left", length, cursor.remaining()));
    const std::uint32_t begin = cursor.position();
    const std::uint32_t end = begin + static_cast<std::uint32_t>(length);
    const auto body = cursor.chain().view(begin, end - begin, m_body);
    if (!body) return failAtHole(begin, end);
    Cursor inside = cursor;
    inside.setEnd(end);
    if (!readBody(inside, *body)) return false;
    cursor.skip(end - begin);
    // As Kafka's reader: whether the count is right is asked before the last record is given out.
    if (m_recordCount + 1 == announced && cursor.remaining() != 0 && m_whole)
        return failBatch({ProblemKind::Malformed,
                          {},
                          end,
                          fmt::format("{} bytes are left behind the {} records that the batch announces",
                                      cursor.remaining(), announced)});
    return true;
}

bool RecordSetReader::readBody(Cursor cursor, Bytes body) {
    const std::uint32_t begin = cursor.position();
    cursor.readI8(); // attributes, of which none is in use
    const std::int64_t timestampDelta = cursor.readVarlong();
    const std::int32_t offsetDelta = cursor.readVarint();
    m_record.offset = plusWrapping(*m_batch.baseOffset, offsetDelta);
    m_record.timestamp = m_batch.timestampType == TimestampType::LogAppend
                             ? m_batch.maxTimestamp
                             : plusWrapping(m_batch.baseTimestamp, timestampDelta);
    m_record.sequence.reset();
    if (m_batch.baseSequence >= 0) m_record.sequence = sequenceAt(m_batch.baseSequence, offsetDelta);
    if (!readBytes(cursor, body, begin, "key", m_record.key)) return false;
    if (!readBytes(cursor, body, begin, "value", m_record.value)) return false;
    if (!readHeaders(cursor, body, begin)) return false;
    if (cursor.remaining() == 0) return true;
    return failRecord(cursor.position(),
                      fmt::format("{} bytes are left behind the record's headers", cursor.remaining()));
}

bool RecordSetReader::readHeaders(Cursor& cursor, Bytes body, std::uint32_t bodyBegin) {
    m_record.headers.clear();
    const std::uint32_t place = cursor.position();
    const std::int32_t count = cursor.readVarint();
    if (!cursor.ok()) return failRecord(place, "the record ends in front of its headers");
    if (count < 0 || static_cast<std::uint32_t>(count) > cursor.remaining())
        return failRecord(place, fmt::format("{} headers in the {} bytes that are left", count, cursor.remaining()));
    for (std::int32_t i = 0; i < count; ++i) {
        std::optional<Bytes> key, value;
        if (!readBytes(cursor, body, bodyBegin, "header's key", key)) return false;
        if (!key) return failRecord(cursor.position(), "a header without a key");
        if (!readBytes(cursor, body, bodyBegin, "header's value", value)) return false;
        m_record.headers.push_back({*key, value});
    }
    return true;
}

bool RecordSetReader::readBytes(Cursor& cursor, Bytes body, std::uint32_t bodyBegin, std::string_view what,
                                std::optional<Bytes>& out) {
    out.reset();
    const std::uint32_t place = cursor.position();
    const std::int32_t length = cursor.readVarint();
    if (!cursor.ok()) return failRecord(place, fmt::format("the record ends in front of the {}", what));
    if (length < 0) return true; // -1 by the rules; Kafka's reader takes any negative length for null
    if (static_cast<std::uint32_t>(length) > cursor.remaining())
        return failRecord(place,
                          fmt::format("the {} has {} bytes, the record {} left", what, length, cursor.remaining()));
    out = body.subspan(cursor.position() - bodyBegin, static_cast<std::uint32_t>(length));
    cursor.skip(static_cast<std::uint32_t>(length));
    return true;
}

// --- magic 0 and 1

void RecordSetReader::openWrapper() {
    LegacyMessage wrapper;
    Problem problem;
    if (!readLegacyMessage(*m_bytes, m_batch.begin, m_batch.end, wrapper, problem)) {
        failBatch(std::move(problem));
    } else if (m_batch.codec == Codec::Zstd) {
        failBatch({ProblemKind::Codec, {}, m_batch.begin + magicPlace + 1, "zstd in a message older than magic 2"});
    } else if (!wrapper.value) {
        failBatch({ProblemKind::Malformed, {}, wrapper.behind, "a compressed message whose value is null"});
    } else {
        decompress(wrapper.value->begin, wrapper.value->begin + wrapper.value->length);
        placeInnerSet();
        return;
    }
    m_ended = true;
}

// Finds the offsets of the messages inside. Those of magic 0 are absolute. Those of magic 1 count from 0, and the
// wrapper has the offset of the last one (KIP-31), or 0 in Produce requests from some versions of librdkafka.
void RecordSetReader::placeInnerSet() {
    Cursor cursor = *m_cursor;
    EntryHead entry;
    std::optional<EntryHead> first;
    std::int64_t lastInner = 0;
    NextEntry next = NextEntry::Found;
    while ((next = nextEntry(cursor, entry)) == NextEntry::Found) {
        if (!first) first = entry;
        lastInner = entry.offset;
    }
    const std::uint32_t place = cursor.position();
    if (next == NextEntry::TooSmall)
        failBatch({ProblemKind::Malformed, {}, place, "a message inside is smaller than any message can be"});
    else if (!first && m_whole)
        failBatch({ProblemKind::Malformed, {}, place, "a compressed message with no messages inside"});
    if (m_batch.magic == 1 && m_batch.lastOffset != 0) {
        m_innerBase.reset();
        if (m_batchError.empty() && m_batch.lastOffset < lastInner) {
            failBatch({ProblemKind::Malformed,
                       {},
                       m_batch.begin,
                       fmt::format("the wrapper's offset {} is below that of its last message, {}", m_batch.lastOffset,
                                   lastInner)});
            m_ended = true;
        } else if (m_batchError.empty()) {
            m_innerBase = minusWrapping(m_batch.lastOffset, lastInner);
        }
    }
    LegacyMessage message;
    Problem problem;
    if (m_batchError.empty() && readLegacyMessage(cursor.chain(), first->begin, first->end, message, problem) &&
        !message.isCompressed())
        m_batch.baseOffset = plusWrapping(*m_innerBase, message.offset);
}

bool RecordSetReader::readMessage() {
    EntryHead entry;
    if (nextEntry(*m_cursor, entry) != NextEntry::Found) return false;
    LegacyMessage message;
    Problem problem;
    if (!readLegacyMessage(m_cursor->chain(), entry.begin, entry.end, message, problem)) {
        problem.at = recordPath();
        return failBatch(std::move(problem));
    }
    return takeMessage(message);
}

bool RecordSetReader::takeMessage(const LegacyMessage& message) {
    const bool inner = m_batch.isWrapper();
    if (inner && message.isCompressed())
        return failRecord(message.begin, "a compressed message inside a compressed one, which Kafka does not allow");
    const ByteChain& chain = m_cursor->chain();
    const auto entry = chain.view(message.begin, message.end - message.begin, m_body);
    if (!entry) return failAtHole(message.begin, message.end);
    const auto bytesOf = [&](const std::optional<LegacyMessage::Part>& part) {
        return part ? std::optional<Bytes>(entry->subspan(part->begin - message.begin, part->length)) : std::nullopt;
    };
    m_record.offset.reset();
    if (m_innerBase) m_record.offset = plusWrapping(*m_innerBase, message.offset);
    // A broker that stamps the time does so in the wrapper only.
    const bool stamped = inner && message.magic == 1 && m_batch.timestampType == TimestampType::LogAppend;
    m_record.timestamp = stamped ? m_batch.maxTimestamp : message.timestamp;
    m_record.sequence.reset();
    m_record.key = bytesOf(message.key);
    m_record.value = bytesOf(message.value);
    m_record.headers.clear();
    const auto computed = crc32(chain, message.begin + magicPlace, message.end);
    if (inner && computed && *computed != message.crc)
        note(crcProblem(message.begin + entryOverhead, message.crc, *computed), recordPath());
    if (message.behind < message.end)
        note({ProblemKind::Trailing,
              {},
              message.behind,
              fmt::format("{} bytes behind the value of the message", message.end - message.behind)},
             recordPath());
    return true;
}

// --- both

void RecordSetReader::decompress(std::uint32_t begin, std::uint32_t end) {
    const auto view = m_bytes->view(begin, end - begin, m_compressed);
    if (!view) {
        m_compressed.clear();
        m_bytes->copyAvailable(begin, end - begin, m_compressed);
    }
    const Decompressed out = m_decompressor.decompress(m_batch.codec, view ? *view : Bytes{m_compressed},
                                                       m_batch.magic == 0 ? RecordDecompressor::Lz4Header::Unchecked
                                                                          : RecordDecompressor::Lz4Header::Checked);
    m_content = out.bytes;
    m_decompressed = ByteChain::of(m_content);
    m_cursor.emplace(m_decompressed);
    m_compressedBegin = begin;
    m_whole = view && !out.failure;
    if (!view)
        failBatch(missingBytes(*m_bytes, begin, end, "a part of the compressed records"));
    else if (out.failure)
        failBatch({out.failure->kind, {}, begin, out.failure->text});
}

bool RecordSetReader::failAtHole(std::uint32_t begin, std::uint32_t end) {
    Problem problem = missingBytes(m_cursor->chain(), begin, end, "a part of the record");
    problem.at = recordPath();
    return failBatch(std::move(problem));
}

bool RecordSetReader::failRecord(std::uint32_t place, std::string text) {
    return failBatch({ProblemKind::Malformed, recordPath(), place, std::move(text)});
}

// The first reason counts: what follows from it is none of its own.
bool RecordSetReader::failBatch(Problem problem) {
    if (!m_batchError.empty()) return false;
    m_batchError = problem.text;
    std::string at = problem.at.empty() ? batchPath() : std::move(problem.at);
    note(std::move(problem), std::move(at));
    return false;
}

void RecordSetReader::note(Problem problem, std::string at) {
    problem.at = std::move(at);
    if (isDecompressed()) problem.offset = m_compressedBegin;
    m_problems.push_back(std::move(problem));
}

std::string RecordSetReader::batchPath() const {
    return fmt::format("[{}]", batchIndex());
}

std::string RecordSetReader::recordPath() const {
    return fmt::format("[{}].records[{}]", batchIndex(), m_recordCount);
}

} // namespace brokerscope
