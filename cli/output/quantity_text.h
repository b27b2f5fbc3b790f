// SPDX-License-Identifier: Apache-2.0
// Counts with their noun, for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace brokerscope {

std::string countOf(std::uint64_t count, std::string_view noun); // "1 packet", "18,314 packets"

} // namespace brokerscope
