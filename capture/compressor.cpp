// SPDX-License-Identifier: Apache-2.0
#include "capture/compressor.h"

#include <zlib.h>
#include <zstd.h>

#include <new>

namespace brokerscope {

namespace {

// Room for the next piece of output, behind what is there already.
constexpr std::size_t pieceSize = std::size_t{64} << 10;

class GzipCompressor final : public Compressor {
  public:
    GzipCompressor() {
        constexpr int gzipFormat = 16, memoryLevel = 8;
        if (deflateInit2(&m_stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipFormat + MAX_WBITS, memoryLevel,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    ~GzipCompressor() override { deflateEnd(&m_stream); }

    void add(Bytes in, Then then, std::vector<std::uint8_t>& out) override {
        const int mode = then == Then::Continue ? Z_NO_FLUSH : then == Then::Flush ? Z_SYNC_FLUSH : Z_FINISH;
        m_stream.next_in = const_cast<Bytef*>(in.data());
        m_stream.avail_in = static_cast<uInt>(in.size());
        do {
            const std::size_t before = out.size();
            out.resize(before + pieceSize);
            m_stream.next_out = out.data() + before;
            m_stream.avail_out = pieceSize;
            deflate(&m_stream, mode);
            out.resize(out.size() - m_stream.avail_out);
        } while (m_stream.avail_out == 0);
    }

  private:
    z_stream m_stream{};
};

class ZstdCompressor final : public Compressor {
  public:
    ZstdCompressor() {
        if (!m_context) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_checksumFlag, 1);
    }

    void add(Bytes in, Then then, std::vector<std::uint8_t>& out) override {
        const ZSTD_EndDirective mode = then == Then::Continue ? ZSTD_e_continue
                                       : then == Then::Flush  ? ZSTD_e_flush
                                                              : ZSTD_e_end;
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        bool more = true;
        while (more) {
            const std::size_t before = out.size();
            out.resize(before + pieceSize);
            ZSTD_outBuffer to{out.data() + before, pieceSize, 0};
            const std::size_t left = ZSTD_compressStream2(m_context.get(), &to, &from, mode);
            out.resize(before + to.pos);
            more = then == Then::Continue ? from.pos < from.size : left != 0;
        }
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };
    std::unique_ptr<ZSTD_CCtx, Free> m_context{ZSTD_createCCtx()};
};

} // namespace

std::unique_ptr<Compressor> Compressor::gzip() {
    return std::make_unique<GzipCompressor>();
}

std::unique_ptr<Compressor> Compressor::zstd() {
    return std::make_unique<ZstdCompressor>();
}

std::unique_ptr<Compressor> Compressor::byName(std::string_view path) {
    if (path.ends_with(".gz")) return gzip();
    if (path.ends_with(".zst")) return zstd();
    return nullptr;
}

} // namespace brokerscope
