// SPDX-License-Identifier: Apache-2.0
#include "gui/models/exchange_sort.h"

#include "gui/models/exchange_texts.h"
#include "gui/models/row_state.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace brokerscope {

namespace {

constexpr std::uint32_t stopEvery = 16384;
constexpr std::int64_t anyDamage = -1; // stands for all damaged rows in the error column

// What a column's cell is compared by: a number of 64 bits, or nothing for an empty cell. `text` tells which words
// stand behind the number when it is only the name of a text.
struct ColumnValue {
    std::function<std::optional<std::int64_t>(const ExchangeRow&)> number;
    std::function<QString(const ExchangeRow&)> text; // of any row with that number
};

std::optional<std::int64_t> when(bool there, std::int64_t value) {
    return there ? std::optional(value) : std::nullopt;
}

std::int64_t nanoseconds(Timestamp time) {
    return time.time_since_epoch().count();
}

ColumnValue textColumn(const ExchangeIndex& index, const Protocol& protocol, ExchangeColumn column) {
    ExchangeTexts texts(index, protocol);
    const auto words = [texts, column](const ExchangeRow& row) { return texts.cell(column, row, {}); };
    const auto connection = [&index](const ExchangeRow& row) -> const IndexedConnection& {
        return index.connection(row.connection());
    };
    switch (column) {
    case ExchangeColumn::Client:
        return {[connection](const ExchangeRow& row) {
                    return row.hasClientId() ? std::int64_t{row.clientId()} << 1
                                             : std::int64_t{connection(row).clientAddress} << 1 | 1;
                },
                words};
    case ExchangeColumn::Broker:
        return {[connection](const ExchangeRow& row) { return std::int64_t{connection(row).brokerText}; }, words};
    case ExchangeColumn::ClientAddress:
        return {[connection](const ExchangeRow& row) { return std::int64_t{connection(row).clientText}; }, words};
    case ExchangeColumn::Software:
        return {[&index](const ExchangeRow& row) {
                    const auto [name, version] = index.software(row.connection());
                    return when(name != 0, std::int64_t{name} << 32 | version);
                },
                words};
    case ExchangeColumn::Subject: // the address of an interned value is as good a name for it as any
        return {[texts](const ExchangeRow& row) {
                    const Subject& about = row.subject();
                    const bool there = !about.topics.empty() || about.group || about.transactionalId;
                    return when(there, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&about)) << 1 |
                                           (row.apiKey() == 3));
                },
                words};
    default:
        return {};
    }
}

ColumnValue numberColumn(const ExchangeIndex& index, ExchangeColumn column, const SortWish& wish) {
    switch (column) {
    case ExchangeColumn::State:
        return {[&wish](const ExchangeRow& row) {
                    const RowState state = stateOf(row, wish.slowAbove);
                    return when(state != RowState::Plain, static_cast<std::int64_t>(state));
                },
                {}};
    case ExchangeColumn::Mark:
        return {[&wish](const ExchangeRow& row) { return when(wish.marks.contains(row.id().value), 0); }, {}};
    case ExchangeColumn::Number:
        return {[](const ExchangeRow& row) { return static_cast<std::int64_t>(row.id().value); }, {}};
    case ExchangeColumn::Time:
        return {[](const ExchangeRow& row) { return nanoseconds(row.time()); }, {}};
    case ExchangeColumn::Request:
        return {[](const ExchangeRow& row) { return when(row.hasRequest(), row.requestBytes()); }, {}};
    case ExchangeColumn::Response:
        return {[](const ExchangeRow& row) { return when(row.hasResponse(), row.responseBytes()); }, {}};
    case ExchangeColumn::Latency:
        return {[](const ExchangeRow& row) {
                    return when(row.latency().has_value(), row.latency().value_or(Duration{}).count());
                },
                {}};
    case ExchangeColumn::Wait:
        return {[](const ExchangeRow& row) { return when(row.latency().has_value(), row.wait().count()); }, {}};
    case ExchangeColumn::Transfer:
        return {[](const ExchangeRow& row) {
                    return when(row.latency().has_value(), (row.latency().value_or(Duration{}) - row.wait()).count());
                },
                {}};
    case ExchangeColumn::Connection:
        return {[](const ExchangeRow& row) { return std::int64_t{row.connection()}; }, {}};
    case ExchangeColumn::Correlation:
        return {[](const ExchangeRow& row) { return std::int64_t{row.correlationId()}; }, {}};
    case ExchangeColumn::Partitions:
        return {[](const ExchangeRow& row) {
                    return when(row.subject().partitionCount != 0, row.subject().partitionCount);
                },
                {}};
    case ExchangeColumn::Throttle:
        return {[](const ExchangeRow& row) { return when(row.outcome().throttleMs != 0, row.outcome().throttleMs); },
                {}};
    case ExchangeColumn::Status:
        return {[](const ExchangeRow& row) { return static_cast<std::int64_t>(row.status()); }, {}};
    case ExchangeColumn::Packets:
    case ExchangeColumn::RequestEnd:
        return {[&index](const ExchangeRow& row) {
                    const Exchange whole = index.exchange(static_cast<std::uint32_t>(row.id().value - 1));
                    return when(whole.request.has_value(),
                                nanoseconds(whole.request ? whole.request->end : Timestamp{}));
                },
                {}};
    default:
        return {};
    }
}

ColumnValue valueOf(const ExchangeIndex& index, const Protocol& protocol, const SortWish& wish) {
    ColumnValue value = textColumn(index, protocol, wish.column);
    if (value.number) return value;
    value = numberColumn(index, wish.column, wish);
    if (value.number) return value;
    // What is left has few distinct values, told by a few numbers of the row.
    const ExchangeTexts texts(index, protocol);
    const ExchangeColumn column = wish.column;
    const auto words = [texts, column](const ExchangeRow& row) { return texts.cell(column, row, {}); };
    if (column == ExchangeColumn::Api)
        return {[](const ExchangeRow& row) {
                    return std::int64_t{row.apiKey()} * 65536 + row.apiVersion() +
                           (std::int64_t{static_cast<std::uint8_t>(row.status())} << 40);
                },
                words};
    return {[](const ExchangeRow& row) { // Error
                if (row.hasErrors())
                    return when(true, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&row.outcome())));
                if (row.damaged()) return when(true, anyDamage);
                return when(row.ended() && row.status() != ExchangeStatus::Paired,
                            static_cast<std::int64_t>(row.status()) << 4 | static_cast<std::int64_t>(row.reason()));
            },
            words};
}

// Distinct numbers in the order their cells shall have; the place is the rank, nothing stands for an empty cell.
std::unordered_map<std::int64_t, std::optional<std::int64_t>>
ranks(const ExchangeIndex& index, const std::unordered_map<std::int64_t, std::uint32_t>& rowOfNumber,
      const ColumnValue& value) {
    std::vector<std::pair<QString, std::int64_t>> named;
    named.reserve(rowOfNumber.size());
    for (const auto& [number, row] : rowOfNumber)
        named.emplace_back(value.text(index.row(row)), number);
    std::sort(named.begin(), named.end(),
              [](const auto& a, const auto& b) { return texts::naturalOrder(a.first, b.first) < 0; });
    std::unordered_map<std::int64_t, std::optional<std::int64_t>> result;
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < named.size(); ++i) {
        if (i > 0 && named[i].first != named[i - 1].first) ++rank;
        result.emplace(named[i].second, when(!named[i].first.isEmpty(), rank));
    }
    return result;
}

struct NumberedRow {
    std::int64_t number;
    std::uint32_t row;
};

// Turns the numbers of a text column into ranks; rows whose cell is empty move to `empty`.
void rankTexts(const ExchangeIndex& index, const ColumnValue& value, std::vector<NumberedRow>& rows,
               std::vector<std::uint32_t>& empty) {
    std::unordered_map<std::int64_t, std::uint32_t> rowOfNumber;
    for (const NumberedRow& row : rows)
        rowOfNumber.try_emplace(row.number, row.row);
    const auto rank = ranks(index, rowOfNumber, value);
    std::size_t kept = 0;
    for (const NumberedRow& row : rows) {
        if (const std::optional<std::int64_t> number = rank.at(row.number))
            rows[kept++] = {*number, row.row};
        else
            empty.push_back(row.row);
    }
    rows.resize(kept);
}

} // namespace

std::optional<std::vector<std::uint32_t>> sorted(const ExchangeIndex& index, const Protocol& protocol,
                                                 std::vector<std::uint32_t> rows, const SortWish& wish,
                                                 std::stop_token stop) {
    const ColumnValue value = valueOf(index, protocol, wish);
    std::vector<NumberedRow> numbered;
    std::vector<std::uint32_t> empty;
    numbered.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % stopEvery == 0 && stop.stop_requested()) return std::nullopt;
        const ExchangeRow row = index.row(rows[i]);
        const std::optional<std::int64_t> number = row.known() ? value.number(row) : std::nullopt;
        if (number)
            numbered.push_back({*number, rows[i]});
        else
            empty.push_back(rows[i]);
    }
    if (value.text) rankTexts(index, value, numbered, empty);
    if (stop.stop_requested()) return std::nullopt;
    std::sort(numbered.begin(), numbered.end(), [down = wish.descending](const NumberedRow& a, const NumberedRow& b) {
        if (a.number != b.number) return down ? a.number > b.number : a.number < b.number;
        return a.row < b.row;
    });
    if (stop.stop_requested()) return std::nullopt;
    std::sort(empty.begin(), empty.end());
    for (std::size_t i = 0; i < numbered.size(); ++i)
        rows[i] = numbered[i].row;
    std::copy(empty.begin(), empty.end(), rows.begin() + static_cast<std::ptrdiff_t>(numbered.size()));
    return rows;
}

} // namespace brokerscope
