// SPDX-License-Identifier: Apache-2.0
// Writes what is shown to a file: exchanges and records, as JSON lines or as csv, in the command line's forms. A file
// is there as a whole or, when writing fails or is cancelled, not at all. Threads: a job's. Memory: one line at a time.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/loader/job_runner.h"
#include "gui/models/exchange_table_model.h"
#include "gui/models/record_table_model.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace brokerscope {

enum class ExportFormat : std::uint8_t { JsonLines, Csv };
ExportFormat exportFormatOf(const QString& path); // by its ending; JSON lines unless it is .csv

struct ExportOutcome {
    std::uint64_t lines = 0;
    QString error; // empty: all was written
};

ExportOutcome exportExchangesAs(ExportFormat format, const Capture& capture, const ExchangeTableModel::Order& rows,
                                const QString& path, JobContext& context);
ExportOutcome exportRecordsAs(ExportFormat format, const Capture& capture, const std::vector<RecordBatchRef>& batches,
                              const std::vector<RecordTopic>& topics, const QString& path, JobContext& context);

} // namespace brokerscope
