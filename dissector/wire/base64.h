// SPDX-License-Identifier: Apache-2.0
// Bytes as base64 text with padding, as Kafka's JSON has them.
#pragma once

#include "capture/types/bytes.h"

#include <string>

namespace brokerscope {

void appendBase64(Bytes bytes, std::string& text);

} // namespace brokerscope
