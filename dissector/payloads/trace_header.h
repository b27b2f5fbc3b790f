// SPDX-License-Identifier: Apache-2.0
// Headers of records that carry the ids of a distributed trace: W3C's traceparent, Zipkin's b3 and X-B3-*.
#pragma once

#include <string>
#include <string_view>

namespace brokerscope {

// "trace 0af7651916cd43dd8448eb211c80319c span b7ad6b7169203331 sampled"; empty: no such header, or not well formed.
std::string traceText(std::string_view key, std::string_view value);

} // namespace brokerscope
