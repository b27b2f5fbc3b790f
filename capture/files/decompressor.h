// SPDX-License-Identifier: Apache-2.0
// Decompresses a stream piece by piece: gzip (any number of members) or zstd (any number of frames).
//
// Memory:  zlib 40 KiB; zstd the window that the frame asks for, at most 128 MiB.
#pragma once

#include "capture/types/bytes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace brokerscope {

class Decompressor {
  public:
    struct Outcome {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        const char* complaint = nullptr; // what is wrong with the data, if anything is
    };

    // For data that starts so, or null when that is no compression that is known. Looks at up to four bytes.
    static std::unique_ptr<Decompressor> forStart(Bytes start);
    virtual ~Decompressor() = default;

    // Takes some of `in`, puts what comes out into `out`. When `out` was filled, more may come out of the same input:
    // call it again, with an empty `in` if need be.
    virtual Outcome run(Bytes in, std::span<std::uint8_t> out) = 0;
    // Would the data be whole if it ended here?
    virtual bool mayEndHere() const = 0;
};

} // namespace brokerscope
