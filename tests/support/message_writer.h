// SPDX-License-Identifier: Apache-2.0
// Writes Kafka messages for tests from what is said about them in JSON, field by field as the plans of the protocol
// say; what is not said gets its default. Record fields take the bytes in hex.
//
//     encodeMessage(3, 9, Direction::Response, 7, R"({"topics":[{"name":"orders"}]})")   with length and header
#pragma once

#include "dissector/schema/protocol.h"

#include <cstdint>
#include <string>
#include <vector>

namespace brokerscope {

std::vector<std::uint8_t> encodeMessage(std::int16_t apiKey, std::int16_t version, Direction direction,
                                        std::int32_t correlationId, const std::string& json,
                                        const std::string& clientId = "c1");

std::string hexOf(const std::vector<std::uint8_t>& bytes);

} // namespace brokerscope
