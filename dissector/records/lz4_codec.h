// SPDX-License-Identifier: Apache-2.0
// LZ4 frames with all their flags: any block size, independent or linked blocks, checksums, content size. As in
// Kafka's reader, what stands behind the frame's end mark is not looked at. Bounds, bytes and threads: see codecs.h.
#pragma once

#include "dissector/records/codec_failure.h"

#include <memory>
#include <optional>

struct LZ4F_dctx_s;

namespace brokerscope {

class Lz4Codec {
  public:
    std::optional<CodecFailure> decompress(Bytes input, bool checkHeader, OutputBuffer& output);

  private:
    std::optional<CodecFailure> run(Bytes input, OutputBuffer& output);
    bool acceptsHeader(Bytes header);
    std::size_t feedHeader(Bytes input);

    struct Free {
        void operator()(LZ4F_dctx_s* context) const;
    };
    std::unique_ptr<LZ4F_dctx_s, Free> m_context;
};

} // namespace brokerscope
