// SPDX-License-Identifier: Apache-2.0
// One gzip member or one zstd frame, as the libraries make them; and what is in one that ends properly.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

inline std::string gzipped(std::string_view bytes) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string zstandard(std::string_view bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    return out;
}

// nullopt: not whole.
inline std::optional<std::string> ungzipped(std::string_view bytes) {
    z_stream stream{};
    inflateInit2(&stream, 16 + MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string out;
    int result = Z_OK;
    while (result == Z_OK) {
        const std::size_t before = out.size();
        out.resize(before + 65536);
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
        stream.avail_out = 65536;
        result = inflate(&stream, Z_NO_FLUSH);
        out.resize(stream.total_out);
    }
    inflateEnd(&stream);
    return result == Z_STREAM_END ? std::optional(out) : std::nullopt;
}

inline std::optional<std::string> unzstandard(std::string_view bytes) {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
    std::string out;
    std::size_t left = 1;
    while (left != 0 && !ZSTD_isError(left)) {
        const std::size_t before = out.size();
        out.resize(before + 65536);
        ZSTD_outBuffer to{out.data() + before, 65536, 0};
        left = ZSTD_decompressStream(context, &to, &from);
        out.resize(before + to.pos);
        if (to.pos == 0 && from.pos == from.size) break;
    }
    ZSTD_freeDCtx(context);
    return left == 0 ? std::optional(out) : std::nullopt;
}

} // namespace brokerscope
