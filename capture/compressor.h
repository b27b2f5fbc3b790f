// SPDX-License-Identifier: Apache-2.0
// Compresses a stream piece by piece into gzip or zstd, as captures and exported text are.
//
// Memory:  some 256 KiB for gzip, some megabytes for zstd.
#pragma once

#include "capture/types/bytes.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace brokerscope {

class Compressor {
  public:
    enum class Then : std::uint8_t {
        Continue,
        Flush, // all that was put in can be decompressed from what came out
        End,   // the compressed data is whole
    };

    static std::unique_ptr<Compressor> gzip();
    static std::unique_ptr<Compressor> zstd();
    // What the ending of a file's name asks for: .gz, .zst; null: none.
    static std::unique_ptr<Compressor> byName(std::string_view path);
    virtual ~Compressor() = default;

    // Appends to `out` what comes out for `in`.
    virtual void add(Bytes in, Then then, std::vector<std::uint8_t>& out) = 0;
};

} // namespace brokerscope
