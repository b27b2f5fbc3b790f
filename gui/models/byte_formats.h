// SPDX-License-Identifier: Apache-2.0
// Bytes as texts for the clipboard. Missing bytes are written as "..".
#pragma once

#include "dissector/wire/byte_chain.h"

#include <QString>

#include <cstdint>

namespace brokerscope {

enum class ByteFormat : std::uint8_t { Hex, HexDump, Text, Base64, CArray };

// At most `mostCopied` bytes; what is beyond is left out.
constexpr std::uint32_t mostCopied = 4 * 1024 * 1024;
QString formatBytes(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, ByteFormat format);

} // namespace brokerscope
