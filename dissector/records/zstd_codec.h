// SPDX-License-Identifier: Apache-2.0
// zstd as a stream: any number of frames, with or without their content size. Bounds, bytes and threads: see codecs.h.
#pragma once

#include "dissector/records/codec_failure.h"

#include <memory>
#include <optional>

struct ZSTD_DCtx_s;

namespace brokerscope {

class ZstdCodec {
  public:
    std::optional<CodecFailure> decompress(Bytes input, OutputBuffer& output);

  private:
    struct Free {
        void operator()(ZSTD_DCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_DCtx_s, Free> m_context;
};

} // namespace brokerscope
