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
    "blockedMs",
    "thinkMs",
    "inFlight",
    "sentAgain",
    "roundTripMs",
    "throttleTimeMs",
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

// What `stats --by` takes, in the order of StatsKey.
inline constexpr auto statsKeyNames = std::to_array<std::string_view>({
    "api",
    "version",
    "topic",
    "partition",
    "clientId",
    "software",
    "address",
    "broker",
    "connection",
    "group",
    "error",
});

inline constexpr auto statsViewNames = std::to_array<std::string_view>({"latency", "parts", "traffic", "records"});

inline constexpr auto statsColumnNames = std::to_array<std::string_view>({
    "exchanges",        "rate",        "errors",          "unanswered",
    "waitedByDesign",   "inFlight",    "maxInFlight",     "minMs",
    "meanMs",           "p50Ms",       "p90Ms",           "p99Ms",
    "p999Ms",           "maxMs",       "thinkMs",         "requestTransferMs",
    "blockedMs",        "byDesignMs",  "brokerMs",        "responseTransferMs",
    "sentAgain",        "roundTripMs", "requestBytes",    "responseBytes",
    "byteRate",         "throttled",   "throttleMs",      "batches",
    "records",          "recordRate",  "recordsPerBatch", "batchBytes",
    "compressionRatio",
});

} // namespace brokerscope
