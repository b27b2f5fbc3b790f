// SPDX-License-Identifier: Apache-2.0
// snappy in both forms that Kafka's clients write: one raw block, or the framing of snappy-java ("xerial"):
//
//     82 'S' 'N' 'A' 'P' 'P' 'Y' 00   version int32   compatible int32   { length int32   raw block }...
//
// The 16-byte header may come again between blocks. Bounds, bytes and threads: see codecs.h.
#pragma once

#include "dissector/records/codec_failure.h"

#include <optional>

namespace brokerscope {

class SnappyCodec {
  public:
    std::optional<CodecFailure> decompress(Bytes input, OutputBuffer& output);
};

} // namespace brokerscope
