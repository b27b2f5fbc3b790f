// SPDX-License-Identifier: Apache-2.0
// Metrics that clients push to brokers (PushTelemetry, KIP-714): OpenTelemetry's MetricsData, compressed as records
// are.
//
//     org.apache.kafka.producer.connection.count  sum 3  {node_id=1}
//
// Memory: what the codec's limits allow, and at most maxPoints values. Errors: `problem`; what was read stays.
#pragma once

#include "dissector/message/decoder.h"
#include "dissector/records/codecs.h"
#include "dissector/wire/json_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brokerscope {

using TelemetryAttributes = std::vector<std::pair<std::string, std::string>>;

struct TelemetryPoint {
    TelemetryAttributes attributes;
    std::string value;             // "12", "0.5", "count 3 sum 4.5"
    std::int64_t timeUnixNano = 0; // 0: not told
};

struct TelemetryMetric {
    std::string name, unit;
    std::string kind; // "gauge", "sum", "histogram", ...; empty: a kind that is not known here
    std::vector<TelemetryPoint> points;
};

struct Telemetry {
    static constexpr std::size_t maxPoints = 100'000; // of all metrics together

    TelemetryAttributes resource; // of the client
    std::vector<TelemetryMetric> metrics;
    std::uint64_t bytes = 0; // after decompression
    std::string problem;     // why not all could be read; empty: all was
};

Telemetry readTelemetry(Bytes compressed, Codec codec);
// Of a field with Semantic::Telemetry, with the codec that stands beside it; nullopt: not all of it is there.
std::optional<Telemetry> telemetryAt(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node);

// {"type":"MetricsData","value":{"resource":{..},"metrics":[{"name":..,"kind":..,"unit":..,"points":[..]}]}}
void writeTelemetry(const Telemetry& telemetry, JsonWriter& out);
// "name  sum 3  {node_id=1}" for each point.
std::vector<std::string> telemetryLines(const Telemetry& telemetry);

} // namespace brokerscope
