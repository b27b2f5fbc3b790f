// SPDX-License-Identifier: Apache-2.0
// gzip with zlib: any number of members, one behind the other. Bounds, bytes and threads: see codecs.h.
#pragma once

#include "dissector/records/codec_failure.h"

#include <memory>
#include <optional>

struct z_stream_s;

namespace brokerscope {

class GzipCodec {
  public:
    std::optional<CodecFailure> decompress(Bytes input, OutputBuffer& output);

  private:
    struct Free {
        void operator()(z_stream_s* stream) const;
    };
    std::unique_ptr<z_stream_s, Free> m_stream;
};

} // namespace brokerscope
