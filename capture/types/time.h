// SPDX-License-Identifier: Apache-2.0
// Points in time and lengths of time. One resolution everywhere: nanoseconds since 1970 (UTC), 64 bits, good until
// 2262. How many digits a capture really has is told by Packet::timeDigits; it matters only when a time is printed.
#pragma once

#include <chrono>

namespace brokerscope {

using Duration = std::chrono::nanoseconds;
using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

} // namespace brokerscope
