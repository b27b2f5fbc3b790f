// SPDX-License-Identifier: Apache-2.0
// Finds the next exchange that has something in its columns, its field values or its bytes, from a row on, in the order
// the table shows, around the end and back. Decodes only where it has to; runs on a job thread.
// Bounds: the stop token is looked at every 64 exchanges.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/loader/job_runner.h"
#include "gui/models/detail.h"
#include "gui/models/exchange_table_model.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace brokerscope {

enum class FindWhere : std::uint8_t { Columns, Fields, BytesText, BytesHex };

struct FindWish {
    QString text;
    FindWhere where = FindWhere::Columns;
    bool regular = false, caseSensitive = false;

    QString whyInvalid() const; // empty: it can be looked for
};

struct FindHit {
    int row = -1; // of the table; -1: there is none
    FieldRef field;
    std::uint32_t begin = 0, end = 0; // of the bytes, when these were looked at
    bool wrapped = false;
};

struct FindScope {
    Capture capture;
    std::optional<ExchangeTableModel::Order> order; // of the table; none: row = exchange
    std::uint32_t rows = 0;
    int from = 0; // the row that is not looked at before all others
    int direction = 1;
    std::vector<ExchangeColumn> columns;
    TimeSettings time;
};

std::optional<FindHit> findExchange(const FindScope& scope, const FindWish& wish, JobContext& context);

} // namespace brokerscope
