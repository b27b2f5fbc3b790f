// SPDX-License-Identifier: Apache-2.0
#include "tests/support/record_bytes.h"

#include "dissector/records/crc.h"

#include <lz4frame.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace brokerscope {

namespace {

char* chars(ByteVector& bytes) {
    return reinterpret_cast<char*>(bytes.data());
}

const char* chars(Bytes bytes) {
    return reinterpret_cast<const char*>(bytes.data());
}

ByteVector gzip(Bytes content) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    ByteVector out(deflateBound(&stream, content.size()));
    stream.next_in = const_cast<Bytef*>(content.data());
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

} // namespace

ByteWriter& ByteWriter::integer(std::int64_t value, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    return *this;
}

ByteWriter& ByteWriter::varint(std::int64_t value) {
    auto rest = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
    for (; rest > 0x7f; rest >>= 7)
        bytes.push_back(static_cast<std::uint8_t>(rest | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(rest));
    return *this;
}

ByteWriter& ByteWriter::raw(Bytes content) {
    bytes.insert(bytes.end(), content.begin(), content.end());
    return *this;
}

ByteWriter& ByteWriter::sized(std::optional<std::string_view> content) {
    integer(content ? static_cast<std::int64_t>(content->size()) : -1, 4);
    return content ? raw(bytesOf(*content)) : *this;
}

ByteWriter& ByteWriter::sizedVarint(std::optional<std::string_view> content) {
    varint(content ? static_cast<std::int64_t>(content->size()) : -1);
    return content ? raw(bytesOf(*content)) : *this;
}

Bytes bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string textOf(const std::optional<Bytes>& bytes) {
    return bytes ? std::string(bytes->begin(), bytes->end()) : "(null)";
}

ByteVector recordBytes(const RecordToWrite& record) {
    ByteWriter body;
    body.integer(0, 1).varint(record.timestampDelta).varint(record.offsetDelta);
    body.sizedVarint(record.key).sizedVarint(record.value).varint(static_cast<std::int64_t>(record.headers.size()));
    for (const auto& [key, value] : record.headers)
        body.sizedVarint(key).sizedVarint(value);
    return ByteWriter{}.varint(static_cast<std::int64_t>(body.bytes.size())).raw(body.bytes).bytes;
}

ByteVector batchBytes(const BatchToWrite& batch) {
    ByteWriter body; // what the checksum covers
    body.integer(batch.attributes, 2).integer(batch.lastOffsetDelta, 4);
    body.integer(batch.baseTimestamp, 8).integer(batch.maxTimestamp, 8);
    body.integer(batch.producerId, 8).integer(batch.producerEpoch, 2).integer(batch.baseSequence, 4);
    body.integer(batch.count, 4).raw(batch.payload);
    const ByteChain chain = ByteChain::of(body.bytes);
    ByteWriter out;
    out.integer(batch.baseOffset, 8).integer(static_cast<std::int64_t>(body.bytes.size()) + 9, 4);
    out.integer(0, 4).integer(2, 1).integer(*crc32c(chain, 0, chain.size()), 4).raw(body.bytes);
    return out.bytes;
}

ByteVector messageBytes(int magic, std::optional<std::string_view> key, std::optional<std::string_view> value,
                        std::int64_t offset, int attributes, std::int64_t timestamp) {
    ByteWriter body;
    body.integer(magic, 1).integer(attributes, 1);
    if (magic == 1) body.integer(timestamp, 8);
    body.sized(key).sized(value);
    const ByteChain chain = ByteChain::of(body.bytes);
    ByteWriter out;
    out.integer(offset, 8).integer(static_cast<std::int64_t>(body.bytes.size()) + 4, 4);
    out.integer(*crc32(chain, 0, chain.size()), 4).raw(body.bytes);
    return out.bytes;
}

ByteVector compressed(Codec codec, Bytes content) {
    ByteVector out;
    std::size_t size = 0;
    switch (codec) {
    case Codec::None:
        return {content.begin(), content.end()};
    case Codec::Gzip:
        return gzip(content);
    case Codec::Snappy:
        out.resize(snappy::MaxCompressedLength(content.size()));
        snappy::RawCompress(chars(content), content.size(), chars(out), &size);
        break;
    case Codec::Lz4:
        out.resize(LZ4F_compressFrameBound(content.size(), nullptr));
        size = LZ4F_compressFrame(out.data(), out.size(), content.data(), content.size(), nullptr);
        break;
    case Codec::Zstd:
        out.resize(ZSTD_compressBound(content.size()));
        size = ZSTD_compress(out.data(), out.size(), content.data(), content.size(), 3);
        break;
    }
    out.resize(size);
    return out;
}

ByteVector xerialFramed(Bytes content, std::size_t blockSize, bool repeatHeader) {
    ByteWriter out;
    for (bool header = true; !content.empty(); header = repeatHeader) {
        if (header) out.raw(bytesOf({"\x82SNAPPY\0\0\0\0\1\0\0\0\1", 16}));
        const Bytes part = content.first(std::min(blockSize, content.size()));
        const ByteVector block = compressed(Codec::Snappy, part);
        out.integer(static_cast<std::int64_t>(block.size()), 4).raw(block);
        content = content.subspan(part.size());
    }
    return out.bytes;
}

} // namespace brokerscope
