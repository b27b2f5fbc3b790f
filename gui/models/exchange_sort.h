// SPDX-License-Identifier: Apache-2.0
// Puts rows of the index into the order of a column. Each row becomes one number; texts are made and compared once for
// each distinct value, and its rank is the number. Names sort naturally ("t-2" before "t-10"); empty cells come last
// both ways; equal rows keep the order of the capture.
//
// Threads: any one; the index may grow meanwhile. The stop token is looked at every 16,384 rows.
// Memory:  16 bytes a row while sorting, and the distinct texts of the column.
#pragma once

#include "dissector/index/exchange_index.h"
#include "dissector/schema/protocol.h"
#include "gui/models/exchange_columns.h"

#include <optional>
#include <stop_token>
#include <unordered_set>
#include <vector>

namespace brokerscope {

struct SortWish {
    ExchangeColumn column = ExchangeColumn::Number;
    bool descending = false;
    Duration slowAbove = std::chrono::milliseconds{100};
    std::unordered_set<std::uint64_t> marks;

    bool byCapture() const { return column == ExchangeColumn::Number && !descending; }
};

// Nullopt when it was stopped.
std::optional<std::vector<std::uint32_t>> sorted(const ExchangeIndex& index, const Protocol& protocol,
                                                 std::vector<std::uint32_t> rows, const SortWish& wish,
                                                 std::stop_token stop);

} // namespace brokerscope
