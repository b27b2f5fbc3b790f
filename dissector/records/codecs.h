// SPDX-License-Identifier: Apache-2.0
// Takes compressed records apart: the five codecs of Kafka's record attributes behind one door.
//
// Never fails: the output is all that came out before the stream gave up, `failure` says why it did.
// Bytes:   the output belongs to the RecordDecompressor and lives until its next call.
// Bounds:  no memory is taken by a number of the wire; the output grows as bytes come and ends at CodecLimits. Codecs
//          keep at most their own window besides (zstd 128 MiB at the utmost, as Kafka's reader, touched only as the
//          output grows; lz4 4 MiB).
// Threads: one thread at a time per object. Contexts and buffers are reused from call to call.
#pragma once

#include "capture/types/bytes.h"
#include "dissector/records/codec_failure.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace brokerscope {

enum class Codec : std::uint8_t { None, Gzip, Snappy, Lz4, Zstd }; // the numbers of the attributes' lowest three bits

std::string_view name(Codec codec);                // "gzip"
std::optional<Codec> codecOf(unsigned attributes); // nullopt: a number that no codec has

// Compressed records may be a trap: a few kilobytes that open to gigabytes. Small output is always allowed (Kafka's
// text-like data may well shrink a thousandfold); beyond that the ratio counts, and beyond maxOutput nothing comes.
struct CodecLimits {
    std::uint64_t maxOutput = 512u << 20;
    std::uint64_t freeOutput = 16u << 20; // allowed whatever the ratio
    std::uint64_t maxRatio = 1000;

    std::uint64_t outputFor(std::uint64_t inputSize) const;
};

struct Decompressed {
    Bytes bytes;
    std::optional<CodecFailure> failure;
};

class RecordDecompressor {
  public:
    // Magic 0 writers computed the checksum of the LZ4 header over too many bytes (KAFKA-3160), so readers of magic 0
    // do not look at it; everybody else does.
    enum class Lz4Header : std::uint8_t { Checked, Unchecked };

    explicit RecordDecompressor(CodecLimits limits = {});
    ~RecordDecompressor();
    RecordDecompressor(RecordDecompressor&&) noexcept;
    RecordDecompressor& operator=(RecordDecompressor&&) noexcept;

    Decompressed decompress(Codec codec, Bytes input, Lz4Header lz4Header = Lz4Header::Checked);

  private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace brokerscope
