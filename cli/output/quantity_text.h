// SPDX-License-Identifier: Apache-2.0
// Counts and sizes for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace brokerscope {

std::string countText(std::uint64_t count);                       // "18,314"
std::string countOf(std::uint64_t count, std::string_view noun);  // "1 packet", "18,314 packets"
std::string sizeText(std::uint64_t bytes);                        // "812 bytes", "26.4 kB", "1.05 GB"
std::string percentText(std::uint64_t part, std::uint64_t whole); // "3.1 %", "<0.1 %"

} // namespace brokerscope
