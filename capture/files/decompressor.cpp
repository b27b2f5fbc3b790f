// SPDX-License-Identifier: Apache-2.0
#include "capture/files/decompressor.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

namespace brokerscope {

namespace {

class Gzip final : public Decompressor {
  public:
    Gzip() { m_ready = inflateInit2(&m_stream, 16 + MAX_WBITS) == Z_OK; }
    ~Gzip() override { inflateEnd(&m_stream); }

    Outcome run(Bytes in, std::span<std::uint8_t> out) override {
        if (!m_ready) return {0, 0, "there is no memory to decompress it"};
        if (m_between) return beginMember(in);
        m_stream.next_in = const_cast<Bytef*>(in.data());
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = out.data();
        m_stream.avail_out = static_cast<uInt>(out.size());
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        Outcome outcome{in.size() - m_stream.avail_in, out.size() - m_stream.avail_out, nullptr};
        if (status == Z_STREAM_END)
            m_between = true;
        else if (status != Z_OK && status != Z_BUF_ERROR)
            outcome.complaint = "the gzip data is damaged";
        return outcome;
    }

    bool mayEndHere() const override { return m_between; }

  private:
    // Behind a member another one may follow, or zeros (tapes and block devices pad with them), and nothing else.
    Outcome beginMember(Bytes in) {
        const auto start = std::find_if(in.begin(), in.end(), [](std::uint8_t byte) { return byte != 0; });
        const auto zeros = static_cast<std::size_t>(start - in.begin());
        if (start == in.end()) return {zeros, 0, nullptr};
        if (*start != 0x1f) return {zeros, 0, "something that is not gzip follows the gzip data"};
        inflateReset(&m_stream);
        m_between = false;
        return {zeros, 0, nullptr};
    }

    z_stream m_stream{};
    bool m_ready = false;
    bool m_between = false;
};

class Zstd final : public Decompressor {
  public:
    Zstd() { ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, 27); }

    Outcome run(Bytes in, std::span<std::uint8_t> out) override {
        if (in.empty() && m_between) return {};
        // Not more than it asks for, which is a block: when one is damaged, those before it must have come out, and an
        // error does not tell how much did.
        const std::size_t wanted = m_between ? m_firstWanted : m_wanted;
        ZSTD_inBuffer from{in.data(), std::min(in.size(), wanted), 0};
        ZSTD_outBuffer to{out.data(), out.size(), 0};
        m_wanted = ZSTD_decompressStream(m_context.get(), &to, &from);
        if (ZSTD_isError(m_wanted)) return {0, 0, complaintAbout(m_wanted)};
        m_between = m_wanted == 0;
        return {from.pos, to.pos, nullptr};
    }

    bool mayEndHere() const override { return m_between; }

  private:
    static const char* complaintAbout(std::size_t code) {
        if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
            return "it needs more than 128 MiB of memory to decompress: do that with zstd -d --long=31 first";
        return "the zstd data is damaged";
    }

    struct Free {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };
    std::unique_ptr<ZSTD_DCtx, Free> m_context{ZSTD_createDCtx()};
    std::size_t m_firstWanted = ZSTD_initDStream(m_context.get());
    std::size_t m_wanted = m_firstWanted;
    bool m_between = true;
};

} // namespace

std::unique_ptr<Decompressor> Decompressor::forStart(Bytes start) {
    if (start.size() >= 2 && start[0] == 0x1f && start[1] == 0x8b) return std::make_unique<Gzip>();
    if (start.size() < 4) return nullptr;
    const bool frame = start[0] == 0x28 && start[1] == 0xb5 && start[2] == 0x2f && start[3] == 0xfd;
    const bool skippable = (start[0] & 0xf0) == 0x50 && start[1] == 0x2a && start[2] == 0x4d && start[3] == 0x18;
    if (frame || skippable) return std::make_unique<Zstd>();
    return nullptr;
}

} // namespace brokerscope
