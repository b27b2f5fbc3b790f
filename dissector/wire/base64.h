// SPDX-License-Identifier: Apache-2.0
// Bytes as base64 text with padding, as Kafka's JSON has them.
#pragma once

#include "capture/types/bytes.h"

#include <string>

namespace brokerscope {

constexpr std::size_t base64Length(std::size_t bytes) {
    return (bytes + 2) / 3 * 4;
}
void writeBase64(Bytes bytes, char* to); // base64Length characters
void appendBase64(Bytes bytes, std::string& text);

} // namespace brokerscope
