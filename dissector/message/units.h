// SPDX-License-Identifier: Apache-2.0
// Numbers as people say them. The exact number stands in front wherever these are shown.
#pragma once

#include <cstdint>
#include <string>

namespace brokerscope {

std::string sizeWords(std::uint64_t bytes);               // "120 bytes", "1 byte", "50 MiB", "1.5 KiB"
std::string durationWords(std::int64_t milliseconds);     // "500 ms", "1.5 s", "5 min", "7 d"
std::string grouped(std::uint64_t number);                // "1,204"
std::string dateText(std::int64_t millisecondsSince1970); // "2026-11-29 15:15:01.123 UTC"; empty: beyond any calendar

} // namespace brokerscope
