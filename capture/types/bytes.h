// SPDX-License-Identifier: Apache-2.0
// The one name for "some bytes that somebody else owns". Never owns, never null-terminated.
#pragma once

#include <cstdint>
#include <span>

namespace brokerscope {

using Bytes = std::span<const std::uint8_t>;

} // namespace brokerscope
