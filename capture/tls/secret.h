// SPDX-License-Identifier: Apache-2.0
// A TLS secret as key logs hold it: up to 48 bytes (a TLS 1.2 master secret, or a TLS 1.3 traffic secret of the size of
// its hash), kept in place without allocation.
#pragma once

#include "capture/types/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace brokerscope {

class Secret {
  public:
    static constexpr std::size_t maxSize = 48;

    Secret() = default;
    explicit Secret(std::size_t size) : m_size(static_cast<std::uint8_t>(size <= maxSize ? size : maxSize)) {}

    std::size_t size() const { return m_size; }
    Bytes bytes() const { return Bytes(m_bytes).first(m_size); }
    std::span<std::uint8_t> writable() { return std::span(m_bytes).first(m_size); }

    bool operator==(const Secret&) const = default;

  private:
    std::array<std::uint8_t, maxSize> m_bytes{};
    std::uint8_t m_size = 0;
};

using ClientRandom = std::array<std::uint8_t, 32>;

} // namespace brokerscope
