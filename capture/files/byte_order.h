// SPDX-License-Identifier: Apache-2.0
// Numbers at unaligned addresses of capture files, which are written in the byte order of the machine that wrote them.
#pragma once

#include <cstdint>
#include <cstring>

namespace brokerscope {

inline std::uint16_t load16(const std::uint8_t* p, bool swapped) {
    std::uint16_t v;
    std::memcpy(&v, p, sizeof v);
    return swapped ? __builtin_bswap16(v) : v;
}

inline std::uint32_t load32(const std::uint8_t* p, bool swapped) {
    std::uint32_t v;
    std::memcpy(&v, p, sizeof v);
    return swapped ? __builtin_bswap32(v) : v;
}

inline std::uint64_t load64(const std::uint8_t* p, bool swapped) {
    std::uint64_t v;
    std::memcpy(&v, p, sizeof v);
    return swapped ? __builtin_bswap64(v) : v;
}

} // namespace brokerscope
