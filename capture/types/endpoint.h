// SPDX-License-Identifier: Apache-2.0
// Addresses and ports as people write them: 10.77.0.11:9092, [fd77::13]:9097.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace brokerscope {

struct Address {
    std::array<std::uint8_t, 16> bytes{}; // IPv4 in the first four
    bool v6 = false;

    auto operator<=>(const Address&) const = default;
};

struct Endpoint {
    Address address;
    std::uint16_t port = 0;

    auto operator<=>(const Endpoint&) const = default;
};

std::string toString(const Address& address); // RFC 5952 for IPv6
std::string toString(const Endpoint& endpoint);

} // namespace brokerscope
