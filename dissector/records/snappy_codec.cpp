// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/snappy_codec.h"

#include <fmt/format.h>
#include <snappy-sinksource.h>
#include <snappy.h>

#include <algorithm>
#include <array>

namespace brokerscope {

namespace {

constexpr std::array<std::uint8_t, 8> framingMagic{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
constexpr std::size_t framingHeader = 16;
// The most that a block can open to: its densest element makes 64 bytes of 3.
constexpr std::uint64_t mostPerByte = 22;

bool beginsWithFraming(Bytes bytes) {
    return bytes.size() >= framingHeader && std::equal(framingMagic.begin(), framingMagic.end(), bytes.begin());
}

std::uint32_t bigEndian32(Bytes bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

const char* chars(Bytes bytes) {
    return reinterpret_cast<const char*>(bytes.data());
}

class BufferSink : public snappy::Sink {
  public:
    explicit BufferSink(OutputBuffer& output) : m_output(output) {}
    void Append(const char* bytes, size_t count) override {
        const auto room = m_output.room(count);
        const std::size_t take = std::min(count, room.size());
        std::copy_n(bytes, take, room.begin());
        m_output.commit(take);
    }

  private:
    OutputBuffer& m_output;
};

// A block that does not decode whole: what comes before the damage.
CodecFailure saveDamaged(Bytes block, OutputBuffer& output) {
    const std::size_t before = output.size();
    snappy::ByteArraySource source(chars(block), block.size());
    BufferSink sink(output);
    const std::size_t valid = snappy::UncompressAsMuchAsPossible(&source, &sink);
    output.truncate(before + std::min(valid, output.size() - before));
    return {ProblemKind::Codec, "the snappy block is damaged or ends early"};
}

std::optional<CodecFailure> openBlock(Bytes block, OutputBuffer& output) {
    std::size_t announced = 0;
    if (!snappy::GetUncompressedLength(chars(block), block.size(), &announced))
        return CodecFailure{ProblemKind::Codec, "not a snappy block"};
    if (announced > block.size() * mostPerByte) return saveDamaged(block, output);
    const auto room = output.room(announced);
    if (room.size() < announced) return outputLimitReached(output);
    if (!snappy::RawUncompress(chars(block), block.size(), reinterpret_cast<char*>(room.data())))
        return saveDamaged(block, output);
    output.commit(announced);
    return std::nullopt;
}

} // namespace

std::optional<CodecFailure> SnappyCodec::decompress(Bytes input, OutputBuffer& output) {
    if (!beginsWithFraming(input)) return openBlock(input, output);
    while (!input.empty()) {
        if (beginsWithFraming(input)) {
            input = input.subspan(framingHeader);
            continue;
        }
        if (input.size() < 4) return CodecFailure{ProblemKind::Codec, "the snappy framing ends inside a block length"};
        const std::uint32_t length = bigEndian32(input);
        input = input.subspan(4);
        const Bytes block = input.first(std::min<std::size_t>(length, input.size()));
        if (auto failure = openBlock(block, output)) return failure;
        if (block.size() < length)
            return CodecFailure{ProblemKind::Codec, fmt::format("the snappy framing announces a block of {} bytes, {} "
                                                                "are left",
                                                                length, block.size())};
        input = input.subspan(length);
    }
    return std::nullopt;
}

} // namespace brokerscope
