// SPDX-License-Identifier: Apache-2.0
// All bytes of a stream, for input that people paste. Memory: what was read, at most mostPasted bytes.
#pragma once

#include "capture/types/result.h"

#include <cstddef>
#include <string>

namespace brokerscope {

constexpr std::size_t mostPasted = std::size_t{512} << 20;

Result<std::string> readAll(int descriptor);

} // namespace brokerscope
