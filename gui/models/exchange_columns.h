// SPDX-License-Identifier: Apache-2.0
// The columns of the exchange table: one row here for each. The order is that of a fresh window; stored settings name
// columns by `key`, so it must never change.
#pragma once

#include <QString>

#include <cstdint>
#include <span>

namespace brokerscope {

enum class ExchangeColumn : std::uint8_t {
    State,
    Number,
    Time,
    Client,
    Broker,
    Api,
    Subject,
    Request,
    Response,
    Latency,
    Error,
    Connection,
    Correlation,
    ClientAddress,
    Software,
    Partitions,
    Throttle,
    Wait,
    Transfer,
    Packets,
    RequestEnd,
    Status,
    Mark,
};

struct ExchangeColumnRow {
    ExchangeColumn column;
    const char* key;     // in stored settings
    const char* title;   // tr()
    const char* meaning; // tr(), the header's tooltip
    int width;           // at 100 %
    bool right;          // numbers stand right
    bool shown;          // in a fresh window
};

std::span<const ExchangeColumnRow> exchangeColumns(); // in the order of the enumeration
constexpr int exchangeColumnCount = static_cast<int>(ExchangeColumn::Mark) + 1;
QString title(ExchangeColumn column);
QString meaning(ExchangeColumn column);

} // namespace brokerscope
