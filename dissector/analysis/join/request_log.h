// SPDX-License-Identifier: Apache-2.0
// Reads the lines that a broker's logger kafka.request.logger writes at DEBUG or TRACE: since 2.8 one JSON object a
// request, before that text. What stands around them (the time of log4j, "Completed request:", members put in front of
// the object) does not matter.
//
//     [2026-11-29 14:55:01,123] DEBUG Completed request:{"isForwarded":false,"requestHeader":{..},..}
//     (kafka.request.logger) Completed request:RequestHeader(apiKey=FETCH, ..) -- {..},response:{..} from
//     connection 10.0.0.11:9092-10.0.0.2:4711-0;totalTime:3.2,.. Completed request:Name: FetchRequest; Version: 0;
//     CorrelationId: 3; .. from client /10.0.0.2:4711;totalTime:5,..
//
// Errors: a line that is no such line gives nullopt; nothing throws. Threads: any.
#pragma once

#include "capture/types/endpoint.h"
#include "capture/types/time.h"
#include "dissector/schema/protocol.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

// The broker's own account of the time of a request. All but `throttle` of newer brokers are parts of `total`.
struct BrokerTimes {
    Duration total{}, requestQueue{}, local{}, remote{}, throttle{}, responseQueue{}, send{};
};

struct LoggedRequest {
    std::optional<Endpoint> broker; // brokers of 0.8 do not tell
    Endpoint client;
    std::int32_t correlationId = 0;
    std::int16_t apiKey = -1, apiVersion = 0;
    bool forwarded = false; // came inside an Envelope: its ids are those of the inner request
    BrokerTimes times;
};

std::optional<LoggedRequest> readLoggedRequest(const Protocol& protocol, std::string_view line);

} // namespace brokerscope
