// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/codecs.h"
#include "tests/support/record_bytes.h"

#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <random>

namespace brokerscope {
namespace {

constexpr Codec allCodecs[] = {Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd};

// Compressible, and different everywhere.
ByteVector text(std::size_t size) {
    ByteVector result;
    for (std::size_t i = 0; result.size() < size; ++i) {
        const std::string line = "{\"id\":" + std::to_string(i * 7919) + ",\"name\":\"order\"}\n";
        result.insert(result.end(), line.begin(), line.end());
    }
    result.resize(size);
    return result;
}

ByteVector noise(std::size_t size) {
    std::mt19937 random(1);
    ByteVector result(size);
    for (auto& byte : result)
        byte = static_cast<std::uint8_t>(random());
    return result;
}

bool isWhole(const Decompressed& result, Bytes content) {
    return !result.failure && std::equal(result.bytes.begin(), result.bytes.end(), content.begin(), content.end());
}

bool isPrefixOf(Bytes part, Bytes whole) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

ByteVector lz4Frame(Bytes content, const LZ4F_preferences_t& preferences) {
    ByteVector out(LZ4F_compressFrameBound(content.size(), &preferences));
    out.resize(LZ4F_compressFrame(out.data(), out.size(), content.data(), content.size(), &preferences));
    return out;
}

// As a stream writer makes it: no content size, flushed into blocks of `step` bytes.
ByteVector zstdStream(Bytes content, std::size_t step, int windowLog = 0) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    if (windowLog) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog);
    ByteVector out(ZSTD_compressBound(content.size()) + 1000);
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (!content.empty()) {
        const Bytes part = content.first(std::min(step, content.size()));
        content = content.subspan(part.size());
        ZSTD_inBuffer from{part.data(), part.size(), 0};
        ZSTD_compressStream2(context, &to, &from, content.empty() ? ZSTD_e_end : ZSTD_e_flush);
    }
    ZSTD_freeCCtx(context);
    out.resize(to.pos);
    return out;
}

TEST(Codecs, haveTheNumbersOfTheAttributes) {
    EXPECT_EQ(codecOf(0), Codec::None);
    EXPECT_EQ(codecOf(0x18 | 4), Codec::Zstd); // other bits do not matter
    EXPECT_EQ(codecOf(5), std::nullopt);
    EXPECT_EQ(codecOf(7), std::nullopt);
    EXPECT_EQ(name(Codec::Lz4), "lz4");
}

TEST(Codecs, whatIsNotCompressedIsHandedThrough) {
    RecordDecompressor decompressor;
    const ByteVector content = text(10);
    const Decompressed result = decompressor.decompress(Codec::None, content);
    EXPECT_EQ(result.bytes.data(), content.data());
    EXPECT_TRUE(isWhole(result, content));
}

TEST(Codecs, openWhatTheirLibrariesWroteOfAnySize) {
    RecordDecompressor decompressor;
    for (const Codec codec : allCodecs)
        for (const std::size_t size : {1u, 100u, 65'536u, 65'537u, 1'000'000u, 5'000'000u})
            for (const ByteVector& content : {text(size), noise(size)})
                EXPECT_TRUE(isWhole(decompressor.decompress(codec, compressed(codec, content)), content))
                    << name(codec) << " " << size;
}

TEST(Codecs, aStreamCutAnywhereGivesTheFrontOfItsContentAndAReason) {
    RecordDecompressor decompressor;
    const ByteVector content = text(300'000);
    for (const Codec codec : allCodecs) {
        const ByteVector stream = compressed(codec, content);
        for (std::size_t length = 0; length < stream.size(); length += 97) {
            const Decompressed result = decompressor.decompress(codec, Bytes{stream}.first(length));
            ASSERT_TRUE(result.failure) << name(codec) << " cut at " << length;
            ASSERT_EQ(result.failure->kind, ProblemKind::Codec);
            ASSERT_TRUE(isPrefixOf(result.bytes, content)) << name(codec) << " cut at " << length;
        }
    }
}

TEST(Codecs, aStreamCutLateHasGivenMostOfItsContent) {
    RecordDecompressor decompressor;
    const ByteVector content = text(1'000'000);
    for (const Codec codec : allCodecs) {
        const ByteVector stream = compressed(codec, content);
        const Decompressed result = decompressor.decompress(codec, Bytes{stream}.first(stream.size() - 20));
        EXPECT_GT(result.bytes.size(), 700'000u) << name(codec);
    }
}

TEST(Codecs, damageInTheMiddleKeepsWhatCameBefore) {
    RecordDecompressor decompressor;
    const ByteVector content = text(1'000'000);
    for (const Codec codec : {Codec::Lz4, Codec::Zstd}) { // those whose library forgets what a failed call had written
        ByteVector stream = compressed(codec, content);
        std::fill(stream.end() - 500, stream.end(), 0xff);
        const Decompressed result = decompressor.decompress(codec, stream);
        ASSERT_TRUE(result.failure) << name(codec);
        EXPECT_TRUE(isPrefixOf(result.bytes, content)) << name(codec);
        EXPECT_GT(result.bytes.size(), 700'000u) << name(codec);
    }
}

TEST(Codecs, noiseIsNeverAStream) {
    RecordDecompressor decompressor;
    for (const Codec codec : allCodecs)
        EXPECT_TRUE(decompressor.decompress(codec, noise(1000)).failure) << name(codec);
}

TEST(Codecs, aDecompressorIsGoodForTheNextStreamAfterADamagedOne) {
    RecordDecompressor decompressor;
    const ByteVector content = text(1000);
    for (const Codec codec : allCodecs) {
        const ByteVector stream = compressed(codec, content);
        decompressor.decompress(codec, Bytes{stream}.first(stream.size() / 2));
        EXPECT_TRUE(isWhole(decompressor.decompress(codec, stream), content)) << name(codec);
    }
}

TEST(Gzip, membersFollowEachOther) {
    RecordDecompressor decompressor;
    const ByteVector content = text(5000);
    ByteWriter stream;
    for (const Bytes part : {Bytes{content}.first(1234), Bytes{}, Bytes{content}.subspan(1234)})
        stream.raw(compressed(Codec::Gzip, part));
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Gzip, stream.bytes), content));
    stream.raw(bytesOf("no member")); // Kafka's reader does not look at it either
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Gzip, stream.bytes), content));
}

TEST(Snappy, javasFramingIsOpenedBlockByBlock) {
    const ByteVector content = text(20'000);
    RecordDecompressor decompressor;
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Snappy, xerialFramed(content, 32'768)), content));
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Snappy, xerialFramed(content, 130)), content)); // 154 blocks
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Snappy, xerialFramed(content, 5000, true)), content));
}

TEST(Snappy, aFramedStreamGivesTheBlocksInFrontOfTheDamage) {
    RecordDecompressor decompressor;
    const ByteVector content = text(20'000);
    ByteVector stream = xerialFramed(content, 5000);
    stream.resize(stream.size() - 1);
    const Decompressed cut = decompressor.decompress(Codec::Snappy, stream);
    EXPECT_TRUE(cut.failure);
    EXPECT_GE(cut.bytes.size(), 15'000u);
    EXPECT_TRUE(isPrefixOf(cut.bytes, content));

    stream = xerialFramed(content, 5000);
    stream[16] = 0x80; // the length of the first block
    const Decompressed negative = decompressor.decompress(Codec::Snappy, stream);
    EXPECT_TRUE(negative.failure);
    EXPECT_TRUE(isPrefixOf(negative.bytes, content));
}

TEST(Snappy, anAnnouncedLengthThatTheBlockCannotHoldTakesNoMemory) {
    RecordDecompressor decompressor;
    const ByteVector block{0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 'a'}; // 4 GiB, then one literal
    const Decompressed result = decompressor.decompress(Codec::Snappy, block);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(textOf(result.bytes), "a");
}

TEST(Lz4, everyFlagOfTheFrameIsUnderstood) {
    const ByteVector content = text(400'000);
    RecordDecompressor decompressor;
    for (const auto blockSize : {LZ4F_max64KB, LZ4F_max256KB, LZ4F_max1MB, LZ4F_max4MB})
        for (const auto mode : {LZ4F_blockIndependent, LZ4F_blockLinked})
            for (const auto contentSum : {LZ4F_noContentChecksum, LZ4F_contentChecksumEnabled})
                for (const auto blockSum : {LZ4F_noBlockChecksum, LZ4F_blockChecksumEnabled})
                    for (const unsigned long long size : {0ull, 400'000ull}) {
                        LZ4F_preferences_t preferences{};
                        preferences.frameInfo = {blockSize, mode, contentSum, LZ4F_frame, size, 0, blockSum};
                        const ByteVector frame = lz4Frame(content, preferences);
                        EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Lz4, frame), content));
                    }
}

// The frame of a case: 21 literals in one block, the checksum of the header over magic and descriptor (KAFKA-3160).
TEST(Lz4, theOldHeaderChecksumIsAcceptedOnlyWhereNobodyChecksIt) {
    const ByteVector content = text(21);
    ByteVector frame = compressed(Codec::Lz4, content);
    const std::uint8_t right = frame[6];
    RecordDecompressor decompressor;
    for (const int difference : {1, 100, 255}) {
        frame[6] = static_cast<std::uint8_t>(right + difference);
        EXPECT_TRUE(
            isWhole(decompressor.decompress(Codec::Lz4, frame, RecordDecompressor::Lz4Header::Unchecked), content));
        EXPECT_TRUE(decompressor.decompress(Codec::Lz4, frame).failure);
    }
    frame[6] = right;
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Lz4, frame, RecordDecompressor::Lz4Header::Unchecked), content));
    EXPECT_TRUE(
        decompressor.decompress(Codec::Lz4, Bytes{frame}.first(5), RecordDecompressor::Lz4Header::Unchecked).failure);
}

TEST(Lz4, framesThatLieAreProblems) {
    RecordDecompressor decompressor;
    const ByteVector frames[] = {
        // a block of 2 GB
        {0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 0xff, 0xff, 0xff, 0x7f, 'a', 'b', 'c'},
        // a match that begins before the output
        {0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0x0a, 0, 0, 0, 0x1f, 'a',
         0xff, 0xff, 0xff, 0x10, 0x30, 'a',  'a',  'a',  0, 0, 0, 0},
    };
    for (const ByteVector& frame : frames)
        EXPECT_TRUE(decompressor.decompress(Codec::Lz4, frame).failure);
}

TEST(Zstd, framesWithoutTheirSizeAreReadAsStreams) {
    const ByteVector content = text(500'000);
    RecordDecompressor decompressor;
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Zstd, zstdStream(content, 1000)), content));
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Zstd, zstdStream(content, 500'000)), content));
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Zstd, zstdStream(content, 500'000, 27)), content));
}

TEST(Zstd, aWindowBeyondKafkasOwnIsRefused) {
    RecordDecompressor decompressor;
    const ByteVector content = text(1000);
    EXPECT_TRUE(decompressor.decompress(Codec::Zstd, zstdStream(content, 500, 28)).failure);
}

TEST(Zstd, framesFollowEachOther) {
    RecordDecompressor decompressor;
    const ByteVector content = text(5000);
    ByteWriter stream;
    stream.raw(zstdStream(Bytes{content}.first(2000), 500)).raw(compressed(Codec::Zstd, Bytes{content}.subspan(2000)));
    EXPECT_TRUE(isWhole(decompressor.decompress(Codec::Zstd, stream.bytes), content));
    stream.raw(bytesOf("no frame"));
    const Decompressed result = decompressor.decompress(Codec::Zstd, stream.bytes);
    EXPECT_TRUE(result.failure);
    EXPECT_TRUE(std::equal(result.bytes.begin(), result.bytes.end(), content.begin(), content.end()));
}

TEST(CodecLimits, smallOutputIsFreeThenTheRatioCountsThenTheCap) {
    const CodecLimits limits{1000, 100, 10};
    EXPECT_EQ(limits.outputFor(0), 100u);
    EXPECT_EQ(limits.outputFor(50), 500u);
    EXPECT_EQ(limits.outputFor(5000), 1000u);
}

TEST(CodecLimits, aBombEndsAtTheLimitWithWhatCameUntilThen) {
    const ByteVector zeros(1'000'000);
    const CodecLimits limits{500'000, 10'000, 20};
    RecordDecompressor decompressor(limits);
    for (const Codec codec : allCodecs) {
        const ByteVector stream = compressed(codec, zeros);
        const Decompressed result = decompressor.decompress(codec, stream);
        ASSERT_TRUE(result.failure) << name(codec);
        EXPECT_EQ(result.failure->kind, ProblemKind::Limit) << name(codec);
        EXPECT_LE(result.bytes.size(), limits.outputFor(stream.size())) << name(codec);
    }
}

} // namespace
} // namespace brokerscope
