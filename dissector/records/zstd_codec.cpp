// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/zstd_codec.h"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

namespace brokerscope {

namespace {
constexpr int largestWindow = 27;     // 128 MiB: what level 22 asks for and Kafka's reader takes
constexpr std::size_t firstPiece = 5; // enough for the library to say how much it wants

CodecFailure damaged(std::size_t code) {
    ZSTD_ErrorCode reason = ZSTD_getErrorCode(code);
    // A frame that opens to more than it announced; which of the two is said depends on the room that happens to be
    // left.
    if (reason == ZSTD_error_dstSize_tooSmall) reason = ZSTD_error_corruption_detected;
    return {ProblemKind::Codec, fmt::format("the zstd stream is damaged: {}", ZSTD_getErrorString(reason))};
}
} // namespace

void ZstdCodec::Free::operator()(ZSTD_DCtx_s* context) const {
    ZSTD_freeDCtx(context);
}

std::optional<CodecFailure> ZstdCodec::decompress(Bytes input, OutputBuffer& output) {
    if (!m_context) {
        m_context.reset(ZSTD_createDCtx());
        ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, largestWindow);
    }
    ZSTD_DCtx_reset(m_context.get(), ZSTD_reset_session_only);
    std::size_t position = 0;
    // One block a call, as the library asks for it: a call that fails forgets what it had written.
    for (std::size_t wanted = firstPiece;;) {
        const auto room = output.room();
        if (room.empty()) return outputLimitReached(output);
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        ZSTD_inBuffer in{input.data(), std::min(position + wanted, input.size()), position};
        wanted = ZSTD_decompressStream(m_context.get(), &out, &in);
        if (ZSTD_isError(wanted)) return damaged(wanted);
        output.commit(out.pos);
        position = in.pos;
        const bool more = position < input.size() || out.pos == out.size; // input to read, or output to flush
        if (wanted == 0) {
            if (position == input.size()) return std::nullopt;
            wanted = firstPiece; // of the next frame
        } else if (!more) {
            return CodecFailure{ProblemKind::Codec, "the zstd stream ends early"};
        }
    }
}

} // namespace brokerscope
