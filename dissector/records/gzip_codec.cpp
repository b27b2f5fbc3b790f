// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/gzip_codec.h"

#include <fmt/format.h>
#include <zlib.h>

namespace brokerscope {

namespace {

constexpr int gzipOnly = 15 + 16; // the largest window, gzip's header and trailer

bool beginsMember(const z_stream& stream) {
    return stream.avail_in >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b;
}

CodecFailure damaged(const z_stream& stream, int code) {
    if (code == Z_BUF_ERROR) return {ProblemKind::Codec, "the gzip stream ends early"};
    return {ProblemKind::Codec, fmt::format("the gzip stream is damaged: {}", stream.msg ? stream.msg : zError(code))};
}

} // namespace

void GzipCodec::Free::operator()(z_stream_s* stream) const {
    inflateEnd(stream);
    delete stream;
}

std::optional<CodecFailure> GzipCodec::decompress(Bytes input, OutputBuffer& output) {
    if (!m_stream) {
        m_stream.reset(new z_stream{});
        inflateInit2(m_stream.get(), gzipOnly);
    }
    z_stream& stream = *m_stream;
    stream.next_in = const_cast<Bytef*>(input.data()); // zlib's old signature; it only reads
    stream.avail_in = static_cast<uInt>(input.size());
    do {
        inflateReset2(&stream, gzipOnly);
        int code = Z_OK;
        while (code == Z_OK) {
            const auto room = output.room();
            if (room.empty()) return outputLimitReached(output);
            stream.next_out = room.data();
            stream.avail_out = static_cast<uInt>(room.size());
            code = inflate(&stream, Z_NO_FLUSH);
            output.commit(room.size() - stream.avail_out);
        }
        if (code != Z_STREAM_END) return damaged(stream, code);
    } while (beginsMember(stream)); // anything else behind a member is passed over, as Kafka's reader does
    return std::nullopt;
}

} // namespace brokerscope
