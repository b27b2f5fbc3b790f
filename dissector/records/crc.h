// SPDX-License-Identifier: Apache-2.0
// The checksums of record batches, over bytes as they lie in the capture: nothing is copied.
// nullopt: a byte of the range is not there, so nobody can say.
#pragma once

#include "dissector/wire/byte_chain.h"

#include <cstdint>
#include <optional>

namespace brokerscope {

std::optional<std::uint32_t> crc32(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end);  // magic 0 and 1
std::optional<std::uint32_t> crc32c(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end); // magic 2

} // namespace brokerscope
