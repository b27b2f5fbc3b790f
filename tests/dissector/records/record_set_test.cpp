// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_set.h"
#include "tests/support/record_bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace brokerscope {
namespace {

// Reads a whole set and keeps what it says as text.
struct Reading {
    std::vector<Batch> batches;
    std::vector<std::string> records; // "offset key=value" or "? key=value"
    std::vector<std::string> batchErrors;
    std::string setError;
    std::uint32_t trailing = 0;
    std::vector<Problem> problems;
};

Reading read(const ByteChain& chain, CodecLimits limits = {}) {
    RecordSetReader reader(limits);
    reader.open(chain, 0, chain.size());
    Reading result;
    while (reader.nextBatch()) {
        while (reader.nextRecord()) {
            const Record& record = reader.record();
            result.records.push_back((record.offset ? std::to_string(*record.offset) : "?") + " " + textOf(record.key) +
                                     "=" + textOf(record.value));
        }
        result.batches.push_back(reader.batch());
        result.batchErrors.push_back(reader.batchError());
    }
    result.setError = reader.setError();
    result.trailing = reader.trailing();
    result.problems = reader.problems();
    return result;
}

Reading read(Bytes bytes, CodecLimits limits = {}) {
    return read(ByteChain::of(bytes), limits);
}

ByteVector plainRecords(int count) {
    ByteWriter out;
    for (int i = 0; i < count; ++i) {
        RecordToWrite record{"k", "v", {}};
        record.offsetDelta = i;
        out.raw(recordBytes(record));
    }
    return out.bytes;
}

BatchToWrite plainBatch(int count) {
    BatchToWrite batch;
    batch.count = count;
    batch.lastOffsetDelta = count - 1;
    batch.payload = plainRecords(count);
    return batch;
}

ByteVector joined(std::initializer_list<ByteVector> parts) {
    ByteWriter out;
    for (const ByteVector& part : parts)
        out.raw(part);
    return out.bytes;
}

Slice lost(std::uint32_t length, Hole kind = Hole::Lost) {
    Slice slice;
    slice.length = length;
    slice.hole = kind;
    return slice;
}

TEST(RecordSetReader, viewsPointIntoTheCaptureWhereARecordLiesInOnePiece) {
    const ByteVector bytes = batchBytes(plainBatch(1));
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 0, chain.size());
    ASSERT_TRUE(reader.nextBatch());
    ASSERT_TRUE(reader.nextRecord());
    EXPECT_GE(reader.record().value->data(), bytes.data());
    EXPECT_LT(reader.record().value->data(), bytes.data() + bytes.size());
}

TEST(RecordSetReader, readsAPartOfAChainAndLeavesWhatIsAroundItAlone) {
    const ByteVector batch = batchBytes(plainBatch(2));
    const ByteVector bytes = joined({{9, 9, 9}, batch, batch});
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 3, 3 + static_cast<std::uint32_t>(batch.size()));
    ASSERT_TRUE(reader.nextBatch());
    EXPECT_EQ(reader.batch().begin, 3u);
    EXPECT_EQ(reader.batch().crcValid(), true);
    EXPECT_FALSE(reader.nextBatch());
    EXPECT_EQ(reader.trailing(), 0u);
}

TEST(RecordSetReader, batchesCanBePassedOverWithoutOpeningThem) {
    const ByteVector bytes = joined({batchBytes(plainBatch(3)), batchBytes(plainBatch(1))});
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 0, chain.size());
    ASSERT_TRUE(reader.nextBatch());
    ASSERT_TRUE(reader.nextRecord());
    ASSERT_TRUE(reader.nextBatch());
    EXPECT_EQ(reader.batchIndex(), 1u);
    EXPECT_TRUE(reader.nextRecord());
    EXPECT_EQ(reader.recordIndex(), 0u);
    EXPECT_FALSE(reader.nextRecord());
    EXPECT_FALSE(reader.nextBatch());
    EXPECT_FALSE(reader.nextRecord());
}

TEST(RecordSetReader, nullAndEmptyAreTwoThings) {
    BatchToWrite batch = plainBatch(0);
    batch.count = 2;
    batch.payload = joined(
        {recordBytes({std::nullopt, "", {{"h", std::nullopt}, {"", ""}}}), recordBytes({"", std::nullopt, {}, 0, 1})});
    const ByteVector bytes = batchBytes(batch);
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 0, chain.size());
    ASSERT_TRUE(reader.nextBatch());
    ASSERT_TRUE(reader.nextRecord());
    EXPECT_EQ(reader.record().key, std::nullopt);
    ASSERT_TRUE(reader.record().value);
    EXPECT_TRUE(reader.record().value->empty());
    ASSERT_EQ(reader.record().headers.size(), 2u);
    EXPECT_EQ(reader.record().headers[0].value, std::nullopt);
    EXPECT_TRUE(reader.record().headers[1].value->empty());
    ASSERT_TRUE(reader.nextRecord());
    EXPECT_TRUE(reader.record().key->empty());
    EXPECT_EQ(reader.record().value, std::nullopt);
    EXPECT_TRUE(reader.record().headers.empty());
}

TEST(RecordSetReader, timesMayLieFarApartAndBefore1970) {
    BatchToWrite batch = plainBatch(0);
    batch.baseTimestamp = 1'700'000'000'123;
    const std::int64_t deltas[] = {0, 3'000'000'000, -5'000'000'000, -1'700'000'000'123 - 86'400'000,
                                   std::numeric_limits<std::int64_t>::max()};
    for (const std::int64_t delta : deltas) {
        const ByteVector record = recordBytes({"k", "v", {}, delta, batch.count++});
        batch.payload.insert(batch.payload.end(), record.begin(), record.end());
    }
    const ByteVector bytes = batchBytes(batch);
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 0, chain.size());
    ASSERT_TRUE(reader.nextBatch());
    std::vector<std::int64_t> times;
    while (reader.nextRecord())
        times.push_back(reader.record().timestamp);
    // The last one wraps, as it does in Kafka.
    EXPECT_EQ(times, (std::vector<std::int64_t>{1'700'000'000'123, 1'703'000'000'123, 1'695'000'000'123, -86'400'000,
                                                std::numeric_limits<std::int64_t>::min() + 1'700'000'000'122}));
}

TEST(RecordSetReader, sequencesWrapToZero) {
    BatchToWrite batch = plainBatch(3);
    batch.baseSequence = std::numeric_limits<std::int32_t>::max() - 1;
    const ByteVector bytes = batchBytes(batch);
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 0, chain.size());
    ASSERT_TRUE(reader.nextBatch());
    std::vector<std::int32_t> sequences;
    while (reader.nextRecord())
        sequences.push_back(reader.record().sequence.value());
    EXPECT_EQ(sequences, (std::vector<std::int32_t>{2147483646, 2147483647, 0}));
}

TEST(RecordSetReader, aBatchOfNoRecordsIsABatch) {
    BatchToWrite empty = plainBatch(0);
    empty.baseOffset = 40;
    empty.lastOffsetDelta = 4;
    empty.producerId = 4001;
    BatchToWrite next = plainBatch(1);
    next.baseOffset = 45;
    const Reading reading = read(joined({batchBytes(empty), batchBytes(next)}));
    ASSERT_EQ(reading.batches.size(), 2u);
    EXPECT_EQ(reading.batches[0].lastOffset, 44);
    EXPECT_EQ(reading.batches[0].producerId, 4001);
    EXPECT_EQ(reading.records, std::vector<std::string>{"45 k=v"});
    EXPECT_TRUE(reading.problems.empty());
}

TEST(RecordSetReader, aBatchMayBeOfAnySize) {
    const std::string value(5'000'000, 'x');
    BatchToWrite batch = plainBatch(0);
    batch.count = 1;
    batch.payload = recordBytes({"big", value, {}});
    const Reading reading = read(batchBytes(batch));
    ASSERT_EQ(reading.records.size(), 1u);
    EXPECT_EQ(reading.records[0], "0 big=" + value);
    EXPECT_EQ(reading.batches[0].crcValid(), true);
}

TEST(RecordSetReader, everyCodecOpensABatch) {
    for (const Codec codec : {Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd}) {
        BatchToWrite batch = plainBatch(2);
        batch.attributes = static_cast<int>(codec);
        batch.payload = compressed(codec, batch.payload);
        const Reading reading = read(batchBytes(batch));
        EXPECT_EQ(reading.records, (std::vector<std::string>{"0 k=v", "1 k=v"})) << name(codec);
        EXPECT_TRUE(reading.problems.empty()) << name(codec);
        EXPECT_EQ(reading.batches[0].codec, codec);
    }
}

TEST(RecordSetReader, aDamagedCodecStreamGivesTheRecordsInFrontOfTheDamage) {
    BatchToWrite batch = plainBatch(60);
    batch.attributes = static_cast<int>(Codec::Snappy);
    batch.payload = xerialFramed(batch.payload, 100);
    batch.payload.resize(batch.payload.size() - 10);
    const Reading reading = read(batchBytes(batch));
    EXPECT_GT(reading.records.size(), 40u);
    EXPECT_LT(reading.records.size(), 60u);
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Codec);
    EXPECT_EQ(reading.problems[0].at, "[0]");
    EXPECT_EQ(reading.problems[0].offset, batchHeaderSize);
    EXPECT_EQ(reading.batchErrors[0], reading.problems[0].text);
}

TEST(RecordSetReader, aBombIsALimitAndGivesTheRecordsInFrontOfIt) {
    BatchToWrite batch = plainBatch(0);
    const std::string zeros(1'000'000, '\0');
    batch.count = 2;
    batch.attributes = static_cast<int>(Codec::Zstd);
    batch.payload = compressed(Codec::Zstd, joined({plainRecords(1), recordBytes({"k", zeros, {}})}));
    const Reading reading = read(batchBytes(batch), {1 << 20, 1 << 16, 10});
    EXPECT_EQ(reading.records, std::vector<std::string>{"0 k=v"});
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Limit);
}

TEST(RecordSetReader, aWrongChecksumIsSaidAndTheRecordsAreReadAllTheSame) {
    ByteVector batch = batchBytes(plainBatch(1));
    batch[20] ^= 1;
    ByteVector message = messageBytes(1, "k", "v");
    message[12] ^= 1;
    const Reading reading = read(joined({batch, message}));
    EXPECT_EQ(reading.records, (std::vector<std::string>{"0 k=v", "0 k=v"}));
    ASSERT_EQ(reading.problems.size(), 2u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Crc);
    EXPECT_EQ(reading.problems[0].offset, 17u);
    EXPECT_EQ(reading.problems[1].at, "[1]");
    EXPECT_EQ(reading.problems[1].offset, batch.size() + 12);
    EXPECT_TRUE(reading.batchErrors[0].empty()); // it keeps nobody from reading
}

// --- hostile counts and lengths

TEST(RecordSetReader, aHeaderCountThatTheRecordCannotHoldTakesNoMemory) {
    ByteWriter body;
    body.integer(0, 1).varint(0).varint(0).sizedVarint("k").sizedVarint("v").varint(1'000'000'000);
    BatchToWrite batch = plainBatch(0);
    batch.count = 1;
    batch.payload = ByteWriter{}.varint(static_cast<std::int64_t>(body.bytes.size())).raw(body.bytes).bytes;
    const Reading reading = read(batchBytes(batch));
    EXPECT_TRUE(reading.records.empty());
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Malformed);
    EXPECT_EQ(reading.problems[0].at, "[0].records[0]");
    EXPECT_EQ(reading.problems[0].offset, batchHeaderSize + 1 + body.bytes.size() - 5);
}

TEST(RecordSetReader, aNegativeOrHugeRecordCountIsAProblem) {
    BatchToWrite batch = plainBatch(2);
    batch.count = -1;
    EXPECT_EQ(read(batchBytes(batch)).problems.size(), 1u);
    EXPECT_TRUE(read(batchBytes(batch)).records.empty());
    batch.count = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(read(batchBytes(batch)).problems.size(), 1u);
    EXPECT_EQ(read(batchBytes(batch)).records.size(), 2u);
}

TEST(RecordSetReader, lengthsInsideARecordAreHeldAgainstTheRecord) {
    const auto recordOf = [](const ByteWriter& body) {
        return ByteWriter{}.varint(static_cast<std::int64_t>(body.bytes.size())).raw(body.bytes).bytes;
    };
    ByteWriter longKey, headerWithoutKey, bytesBehind, cutShort;
    longKey.integer(0, 1).varint(0).varint(0).varint(1000).raw(bytesOf("k"));
    headerWithoutKey.integer(0, 1).varint(0).varint(0).varint(-1).varint(-1).varint(1).varint(-1).varint(-1);
    bytesBehind.integer(0, 1).varint(0).varint(0).varint(-1).varint(-1).varint(0).raw(bytesOf("x"));
    cutShort.integer(0, 1).varint(0);
    for (const ByteVector& record :
         {recordOf(longKey), recordOf(headerWithoutKey), recordOf(bytesBehind), recordOf(cutShort), ByteVector{0x01},
          ByteVector{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}) {
        BatchToWrite batch = plainBatch(1);
        batch.count = 2;
        batch.payload.insert(batch.payload.end(), record.begin(), record.end());
        const Reading reading = read(batchBytes(batch));
        EXPECT_EQ(reading.records, std::vector<std::string>{"0 k=v"});
        ASSERT_EQ(reading.problems.size(), 1u);
        EXPECT_EQ(reading.problems[0].kind, ProblemKind::Malformed);
        EXPECT_FALSE(reading.batchErrors[0].empty());
    }
}

TEST(RecordSetReader, bytesBehindNoRecordsAreTrailing) {
    BatchToWrite batch = plainBatch(1);
    batch.count = 0;
    const Reading reading = read(batchBytes(batch));
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Trailing);
    EXPECT_TRUE(reading.batchErrors[0].empty());
}

TEST(RecordSetReader, aSizeThatItsMagicCannotHaveEndsTheSet) {
    for (const int magic : {1, 2}) {
        ByteVector bytes = messageBytes(0, "k", "v");
        bytes[magicPlace] = static_cast<std::uint8_t>(magic);
        const Reading reading = read(bytes);
        EXPECT_TRUE(reading.batches.empty());
        EXPECT_FALSE(reading.setError.empty());
        EXPECT_EQ(reading.trailing, bytes.size());
    }
}

// --- wrappers

ByteVector wrapper(int magic, Bytes inner, std::int64_t offset, int codec = 1, int moreAttributes = 0) {
    const ByteVector value = compressed(static_cast<Codec>(codec), inner);
    return messageBytes(magic, std::nullopt,
                        std::string_view(reinterpret_cast<const char*>(value.data()), value.size()), offset,
                        codec | moreAttributes);
}

ByteVector innerMessages(int magic) {
    return joined({messageBytes(magic, "k0", "v0", 0), messageBytes(magic, "k1", "v1", 1)});
}

TEST(RecordSetReader, offsetsInAWrapperOfMagic1CountBackFromItsOwn) {
    const Reading stored = read(wrapper(1, innerMessages(1), 5001));
    EXPECT_EQ(stored.records, (std::vector<std::string>{"5000 k0=v0", "5001 k1=v1"}));
    EXPECT_EQ(stored.batches[0].baseOffset, 5000);
    const Reading sent = read(wrapper(1, innerMessages(1), 0)); // as some versions of librdkafka do
    EXPECT_EQ(sent.records, (std::vector<std::string>{"0 k0=v0", "1 k1=v1"}));
    const Reading impossible = read(wrapper(1, joined({innerMessages(1), messageBytes(1, "k", "v", 10)}), 5));
    EXPECT_TRUE(impossible.records.empty());
    EXPECT_EQ(impossible.batches[0].baseOffset, std::nullopt);
    EXPECT_EQ(impossible.problems.size(), 1u);
}

TEST(RecordSetReader, offsetsInAWrapperOfMagic0StandAsTheyAre) {
    const Reading reading = read(wrapper(0, innerMessages(0), 902));
    EXPECT_EQ(reading.records, (std::vector<std::string>{"0 k0=v0", "1 k1=v1"}));
    EXPECT_EQ(reading.batches[0].lastOffset, 902);
}

TEST(RecordSetReader, offsetsOfADamagedWrapperOfMagic1AreNotInvented) {
    ByteVector inner = innerMessages(1);
    const ByteVector tooSmall = ByteWriter{}.integer(2, 8).integer(3, 4).bytes;
    inner.insert(inner.end(), tooSmall.begin(), tooSmall.end());
    const Reading reading = read(wrapper(1, inner, 5002));
    EXPECT_EQ(reading.records, (std::vector<std::string>{"? k0=v0", "? k1=v1"}));
    EXPECT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.batches[0].baseOffset, std::nullopt);
}

TEST(RecordSetReader, aStampedWrapperGivesItsTimeToAll) {
    constexpr int logAppendTime = 8;
    const ByteVector bytes = wrapper(1, messageBytes(1, "k", "v", 0, 0, 5), 7, 1, logAppendTime);
    const ByteChain chain = ByteChain::of(bytes);
    RecordSetReader reader;
    reader.open(chain, 0, chain.size());
    ASSERT_TRUE(reader.nextBatch());
    ASSERT_TRUE(reader.nextRecord());
    EXPECT_EQ(reader.record().timestamp, 1'700'000'000'123);
    EXPECT_EQ(reader.batch().timestampType, TimestampType::LogAppend);
}

TEST(RecordSetReader, theChecksumOfAnInnerMessageIsCheckedToo) {
    ByteVector inner = innerMessages(1);
    inner.back() ^= 1;
    const Reading reading = read(wrapper(1, inner, 1));
    EXPECT_EQ(reading.records.size(), 2u);
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Crc);
    EXPECT_EQ(reading.problems[0].at, "[0].records[1]");
    EXPECT_EQ(reading.batches[0].crcValid(), true);
}

TEST(RecordSetReader, compressionIsNotOpenedTwice) {
    const ByteVector twice = wrapper(0, wrapper(0, wrapper(0, innerMessages(0), 0), 0), 0);
    const Reading reading = read(twice);
    EXPECT_TRUE(reading.records.empty());
    EXPECT_EQ(reading.batches[0].baseOffset, std::nullopt);
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].at, "[0].records[0]");
    const Reading second = read(wrapper(0, joined({messageBytes(0, "k", "v"), twice}), 0));
    EXPECT_EQ(second.records, std::vector<std::string>{"0 k=v"});
}

TEST(RecordSetReader, wrappersThatKafkaRefusesAreProblems) {
    const ByteVector nothingInside = wrapper(1, {}, 0);
    const ByteVector nullValue = messageBytes(1, std::nullopt, std::nullopt, 0, 1);
    const ByteVector zstd = wrapper(1, innerMessages(1), 1, static_cast<int>(Codec::Zstd));
    const ByteVector magic2Inside = wrapper(1, batchBytes(plainBatch(1)), 0);
    for (const ByteVector& bytes : {nothingInside, nullValue, zstd, magic2Inside}) {
        const Reading reading = read(bytes);
        EXPECT_EQ(reading.batches.size(), 1u);
        EXPECT_TRUE(reading.records.empty());
        EXPECT_EQ(reading.problems.size(), 1u);
        EXPECT_EQ(reading.batches[0].baseOffset, std::nullopt);
    }
}

TEST(RecordSetReader, aMessageSetCutInsideItsWrapperGivesTheWholeMessages) {
    ByteVector inner = innerMessages(1);
    inner.resize(inner.size() - 1);
    const Reading reading = read(wrapper(1, inner, 700));
    EXPECT_EQ(reading.records, std::vector<std::string>{"700 k0=v0"}); // as Kafka reads it
    EXPECT_TRUE(reading.problems.empty());
}

TEST(RecordSetReader, bytesBehindTheValueOfAMessageAreTrailing) {
    ByteVector bytes = messageBytes(0, "k", "v");
    bytes.push_back('x');
    ++bytes[11]; // the size
    const Reading reading = read(bytes);
    EXPECT_EQ(reading.records, std::vector<std::string>{"0 k=v"});
    ASSERT_EQ(reading.problems.size(), 2u); // the checksum does not fit either
    EXPECT_EQ(reading.problems[1].kind, ProblemKind::Trailing);
}

TEST(RecordSetReader, aMessageLongerThanItselfIsAProblem) {
    ByteVector bytes = messageBytes(1, "k", "v");
    bytes[29] = 99; // the length of the key
    const Reading reading = read(bytes);
    EXPECT_TRUE(reading.records.empty());
    EXPECT_EQ(reading.problems.back().kind, ProblemKind::Malformed);
}

// --- holes

TEST(RecordSetReader, aHoleInARecordEndsItsBatchAndNotTheSet) {
    const ByteVector batch = batchBytes(plainBatch(3));
    ByteChain chain = ByteChain::of(Bytes{batch}.first(batch.size() - 5));
    chain.append(lost(5));
    const ByteChain next = ByteChain::of(batch);
    chain.append(next.pieces()[0].slice);
    const Reading reading = read(chain);
    EXPECT_EQ(reading.records, (std::vector<std::string>{"0 k=v", "1 k=v", "0 k=v", "1 k=v", "2 k=v"}));
    ASSERT_EQ(reading.batches.size(), 2u);
    EXPECT_EQ(reading.batches[0].crcValid(), std::nullopt);
    EXPECT_EQ(reading.batches[1].crcValid(), true);
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Gap);
    EXPECT_EQ(reading.problems[0].at, "[0].records[2]");
}

TEST(RecordSetReader, aHoleInABatchHeaderIsPassedOver) {
    const ByteVector batch = batchBytes(plainBatch(1));
    ByteChain chain = ByteChain::of(Bytes{batch}.first(20));
    chain.append(lost(static_cast<std::uint32_t>(batch.size()) - 20, Hole::Cut));
    const ByteChain next = ByteChain::of(batch);
    chain.append(next.pieces()[0].slice);
    const Reading reading = read(chain);
    EXPECT_EQ(reading.batches.size(), 1u);
    EXPECT_EQ(reading.records, std::vector<std::string>{"0 k=v"});
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Truncated);
    EXPECT_EQ(reading.problems[0].offset, 17u); // the field that the hole begins in
}

TEST(RecordSetReader, aHoleWhereABatchBeginsEndsTheSet) {
    const ByteVector batch = batchBytes(plainBatch(1));
    ByteChain chain = ByteChain::of(batch);
    chain.append(lost(100));
    const Reading reading = read(chain);
    EXPECT_EQ(reading.batches.size(), 1u);
    EXPECT_FALSE(reading.setError.empty());
    EXPECT_EQ(reading.trailing, 100u);
    ASSERT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Gap);
}

TEST(RecordSetReader, compressedRecordsInFrontOfAHoleAreOpened) {
    BatchToWrite batch = plainBatch(60);
    batch.attributes = static_cast<int>(Codec::Snappy);
    batch.payload = xerialFramed(batch.payload, 100);
    const ByteVector bytes = batchBytes(batch);
    ByteChain chain = ByteChain::of(Bytes{bytes}.first(bytes.size() - 40));
    chain.append(lost(40));
    const Reading reading = read(chain);
    EXPECT_GT(reading.records.size(), 30u);
    EXPECT_EQ(reading.problems.size(), 1u);
    EXPECT_EQ(reading.problems[0].kind, ProblemKind::Gap);
}

} // namespace
} // namespace brokerscope
