// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/lz4_codec.h"

#include <fmt/format.h>
#include <lz4frame.h>

#include <algorithm>
#include <array>

namespace brokerscope {

namespace {

CodecFailure damaged(std::size_t code) {
    return {ProblemKind::Codec, fmt::format("the lz4 frame is damaged: {}", LZ4F_getErrorName(code))};
}

} // namespace

void Lz4Codec::Free::operator()(LZ4F_dctx_s* context) const {
    LZ4F_freeDecompressionContext(context);
}

std::optional<CodecFailure> Lz4Codec::decompress(Bytes input, bool checkHeader, OutputBuffer& output) {
    if (!m_context) {
        LZ4F_dctx* context = nullptr;
        LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
        m_context.reset(context);
    }
    LZ4F_resetDecompressionContext(m_context.get());
    if (!checkHeader) input = input.subspan(feedHeader(input));
    return run(input, output);
}

// Gives the library the frame's header with the checksum that it wants and returns the header's length; 0 when this is
// no header. The checksum is one byte, and the library knows best which one is right: ask for each.
std::size_t Lz4Codec::feedHeader(Bytes input) {
    if (input.size() < LZ4F_MIN_SIZE_TO_KNOW_HEADER_LENGTH) return 0;
    const std::size_t size = LZ4F_headerSize(input.data(), input.size());
    std::array<std::uint8_t, LZ4F_HEADER_SIZE_MAX> header{};
    if (LZ4F_isError(size) || size > input.size() || size > header.size()) return 0;
    std::copy_n(input.begin(), size, header.begin());
    for (int tried = 0; tried <= 0xff; ++tried, ++header[size - 1])
        if (acceptsHeader({header.data(), size})) return size;
    LZ4F_resetDecompressionContext(m_context.get());
    return 0;
}

bool Lz4Codec::acceptsHeader(Bytes header) {
    LZ4F_resetDecompressionContext(m_context.get());
    LZ4F_frameInfo_t info{};
    std::size_t taken = header.size();
    return !LZ4F_isError(LZ4F_getFrameInfo(m_context.get(), &info, header.data(), &taken)) && taken == header.size();
}

std::optional<CodecFailure> Lz4Codec::run(Bytes input, OutputBuffer& output) {
    // One block a call, as the library asks for it: a call that fails forgets what it had written.
    for (std::size_t wanted = LZ4F_HEADER_SIZE_MIN; wanted != 0;) {
        const auto room = output.room();
        if (room.empty()) return outputLimitReached(output);
        std::size_t written = room.size();
        std::size_t taken = std::min(wanted, input.size());
        wanted = LZ4F_decompress(m_context.get(), room.data(), &written, input.data(), &taken, nullptr);
        if (LZ4F_isError(wanted)) return damaged(wanted);
        output.commit(written);
        input = input.subspan(taken);
        if (wanted != 0 && input.empty() && written < room.size())
            return CodecFailure{ProblemKind::Codec, "the lz4 frame ends early"};
    }
    return std::nullopt;
}

} // namespace brokerscope
