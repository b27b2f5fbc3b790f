// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/codecs.h"

#include "dissector/records/gzip_codec.h"
#include "dissector/records/lz4_codec.h"
#include "dissector/records/output_buffer.h"
#include "dissector/records/snappy_codec.h"
#include "dissector/records/zstd_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {

namespace {
constexpr std::array<std::string_view, 5> names{"none", "gzip", "snappy", "lz4", "zstd"};
constexpr unsigned codecBits = 7;
} // namespace

std::string_view name(Codec codec) {
    return names[static_cast<std::size_t>(codec)];
}

std::optional<Codec> codecOf(unsigned attributes) {
    const unsigned number = attributes & codecBits;
    if (number >= names.size()) return std::nullopt;
    return static_cast<Codec>(number);
}

std::uint64_t CodecLimits::outputFor(std::uint64_t inputSize) const {
    return std::min(maxOutput, std::max(freeOutput, inputSize * maxRatio)); // the input is below 2^31: no overflow
}

CodecFailure outputLimitReached(const OutputBuffer& output) {
    return {ProblemKind::Limit, fmt::format("decompression stopped at {} bytes, the most that so few compressed bytes "
                                            "may open to",
                                            output.limit())};
}

struct RecordDecompressor::Parts {
    CodecLimits limits;
    OutputBuffer output;
    GzipCodec gzip;
    SnappyCodec snappy;
    Lz4Codec lz4;
    ZstdCodec zstd;

    std::optional<CodecFailure> run(Codec codec, Bytes input, bool checkLz4Header) {
        switch (codec) {
        case Codec::Gzip:
            return gzip.decompress(input, output);
        case Codec::Snappy:
            return snappy.decompress(input, output);
        case Codec::Lz4:
            return lz4.decompress(input, checkLz4Header, output);
        case Codec::Zstd:
            return zstd.decompress(input, output);
        case Codec::None:
            break;
        }
        return std::nullopt;
    }
};

RecordDecompressor::RecordDecompressor(CodecLimits limits) : m_parts(std::make_unique<Parts>()) {
    m_parts->limits = limits;
}

RecordDecompressor::~RecordDecompressor() = default;
RecordDecompressor::RecordDecompressor(RecordDecompressor&&) noexcept = default;
RecordDecompressor& RecordDecompressor::operator=(RecordDecompressor&&) noexcept = default;

Decompressed RecordDecompressor::decompress(Codec codec, Bytes input, Lz4Header lz4Header) {
    if (codec == Codec::None) return {input, std::nullopt};
    m_parts->output.reset(m_parts->limits.outputFor(input.size()));
    auto failure = m_parts->run(codec, input, lz4Header == Lz4Header::Checked);
    return {m_parts->output.bytes(), std::move(failure)};
}

} // namespace brokerscope
