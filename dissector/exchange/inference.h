// SPDX-License-Identifier: Apache-2.0
// What a response is whose request was not captured, worked out from its bytes: the layouts that consume it exactly
// with sane values, those first that the connection has used before. A guess, and never shown as more.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/schema/protocol.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace brokerscope {

// The apis and versions that the requests of a connection used.
struct ApiUse {
    std::int16_t apiKey = -1;
    std::int16_t version = 0;
    std::uint32_t count = 0;
};
void noteUse(std::vector<ApiUse>& uses, std::int16_t apiKey, std::int16_t version); // at most 256 kinds are kept

struct Inference {
    std::int16_t apiKey = -1;
    std::int16_t version = 0;
    double confidence = 0; // 0 to 1
};

// nullopt when nothing fits, or too many things do. `uses` may be empty.
std::optional<Inference> inferResponse(const Protocol& protocol, const ByteChain& frame,
                                       const std::vector<ApiUse>& uses);

} // namespace brokerscope
