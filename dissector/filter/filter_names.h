// SPDX-License-Identifier: Apache-2.0
// The names of the display filter: one row each, read by the compiler, by `brokerscope help filter` and by the
// completion of the window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class FilterField : std::uint8_t {
    Api,
    ApiKey,
    Version,
    Topic,
    TopicId,
    Partition,
    Group,
    Member,
    TransactionalId,
    ProducerId,
    Error,
    ErrorCode,
    Retriable,
    Status,
    Slow,
    Damaged,
    Latency,
    Wait,
    RequestSize,
    ResponseSize,
    Throttle,
    Records,
    RecordsKey,
    RecordsValue,
    Conn,
    Client,
    Broker,
    Addr,
    Port,
    Time,
    Packet,
    Offset,
    Acks,
    ClientId,
    CorrelationId,
    Software,
    RequestTransfer,
    ResponseTransfer,
    Think,
    Blocked,
    WaitReason,
    InFlight,
    SentAgain,
    RoundTrip,
    TimeAbsolute, // "time" compared with a date
    RequestPath,
    ResponsePath, // request.<path>, response.<path>
};

enum class FilterType : std::uint8_t { Number, Text, Api, ErrorName, Duration, Size, Endpoint, Time, Flag, Any };

// What has to be looked at to know a value; cheaper terms of an expression are tested first.
enum class FilterCost : std::uint8_t { Exchange, Skim, Body, Records };

struct FilterNameRow {
    FilterField field;
    std::string_view name;
    FilterType type;
    FilterCost cost;
    std::string_view example;
    std::string_view help;
};

const std::vector<FilterNameRow>& filterNames();
const FilterNameRow* filterName(std::string_view name); // null: no such name. request.x and response.x give their rows

// Up to `most` of `candidates` that look like `word`, the nearest first.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates,
                                 std::size_t most = 3);

} // namespace brokerscope
