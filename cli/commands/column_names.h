// SPDX-License-Identifier: Apache-2.0
// The names that --columns takes, which are also the heads of csv. Constant data; a test holds them against the tables
// of columns of the commands.
#pragma once

#include <array>
#include <string_view>

namespace brokerscope {

inline constexpr auto listColumnNames = std::to_array<std::string_view>({
    "exchange",
    "time",
    "connection",
    "client",
    "clientId",
    "software",
    "broker",
    "api",
    "apiKey",
    "version",
    "topic",
    "correlationId",
    "status",
    "requestTime",
    "responseTime",
    "totalTimeMs",
    "requestTransferMs",
    "waitMs",
    "responseTransferMs",
    "waitReason",
    "requestBytes",
    "responseBytes",
    "error",
    "errors",
    "problems",
    "packets",
});

inline constexpr auto recordColumnNames = std::to_array<std::string_view>({
    "exchange",
    "direction",
    "topic",
    "partition",
    "offset",
    "time",
    "key",
    "value",
    "headers",
    "size",
    "codec",
    "batch",
    "magic",
    "producer",
    "control",
});

} // namespace brokerscope
