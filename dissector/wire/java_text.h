// SPDX-License-Identifier: Apache-2.0
// Text as Java's DataOutputStream writes it, made UTF-8. Bad input gives U+FFFD in its place. Memory: the result.
#pragma once

#include "capture/types/bytes.h"

#include <cstdint>
#include <vector>

namespace brokerscope {

// Modified UTF-8: NUL as two bytes, characters beyond 16 bits as two surrogates of three bytes each.
std::vector<std::uint8_t> utf8OfJava(Bytes bytes);
// Characters of two bytes, big endian; an odd byte at the end is ignored.
std::vector<std::uint8_t> utf8OfUtf16(Bytes bytes);

} // namespace brokerscope
