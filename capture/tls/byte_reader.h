// SPDX-License-Identifier: Apache-2.0
// Reads the big-endian numbers and length-prefixed vectors that TLS messages are made of.
//
// Bytes:  not owned; what is handed out are views of the same bytes.
// Errors: sticky. A read past the end gives zeros or an empty view and ok() stays false from then on.
#pragma once

#include "capture/types/bytes.h"

#include <cstddef>
#include <cstdint>

namespace brokerscope {

class ByteReader {
  public:
    explicit ByteReader(Bytes bytes) : m_rest(bytes) {}

    bool ok() const { return m_ok; }
    bool atEnd() const { return m_rest.empty(); }
    std::size_t left() const { return m_rest.size(); }

    Bytes take(std::size_t count) {
        if (count > m_rest.size()) {
            m_ok = false;
            m_rest = {};
            return {};
        }
        const Bytes taken = m_rest.first(count);
        m_rest = m_rest.subspan(count);
        return taken;
    }

    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
    std::uint32_t u24() { return number(3); }

    // A vector behind its length in one, two or three bytes.
    Bytes vector8() { return take(u8()); }
    Bytes vector16() { return take(u16()); }
    Bytes vector24() { return take(u24()); }

  private:
    std::uint32_t number(std::size_t width) {
        std::uint32_t value = 0;
        for (const std::uint8_t byte : take(width))
            value = value << 8 | byte;
        return value;
    }

    Bytes m_rest;
    bool m_ok = true;
};

} // namespace brokerscope
