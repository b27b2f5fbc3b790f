// SPDX-License-Identifier: Apache-2.0
// Index types: one type for each kind of number, so that a packet number can never be taken for an exchange number.
// All count from 1; 0 means "none". They compare and hash, they do not calculate.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace brokerscope {

template<class Tag>
struct Id {
    std::uint64_t value = 0;

    explicit operator bool() const { return value != 0; }
    auto operator<=>(const Id&) const = default;
};

using PacketNumber = Id<struct PacketTag>;         // the capture's own numbering, as in Wireshark
using ConnectionId = Id<struct ConnectionTag>;     // every TCP connection, Kafka or not
using KafkaConnectionId = Id<struct KafkaConnTag>; // the connections that carry Kafka, as users see them
using ExchangeId = Id<struct ExchangeTag>;         // in the order of the first byte seen

} // namespace brokerscope

template<class Tag>
struct std::hash<brokerscope::Id<Tag>> {
    std::size_t operator()(const brokerscope::Id<Tag>& id) const noexcept {
        return std::hash<std::uint64_t>{}(id.value);
    }
};
