// SPDX-License-Identifier: Apache-2.0
// Bytes as people paste them: hex with spaces, colons, commas, line breaks and 0x, or base64 in either alphabet.
#pragma once

#include "capture/types/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace brokerscope {

Result<std::vector<std::uint8_t>> bytesFromHex(std::string_view text);
Result<std::vector<std::uint8_t>> bytesFromBase64(std::string_view text); // padding may be left out

} // namespace brokerscope
