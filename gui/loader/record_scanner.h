// SPDX-License-Identifier: Apache-2.0
// Finds the record batches of a capture, of a topic or of one exchange, and opens single ones. Which messages carry
// records is read from the schema. Headers are read, records are not, but for the oldest formats, which do not say how
// many there are.
// Threads: job threads; everything is handed back as values.
#pragma once

#include "dissector/analysis/record_json_line.h"
#include "gui/loader/capture_data.h"
#include "gui/loader/job_runner.h"
#include "gui/models/record_table_model.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

struct RecordScope {
    std::optional<std::uint32_t> exchange; // only this row of the index
    std::string topic;                     // only this topic; empty: all
};

struct FoundBatches {
    std::vector<RecordBatchRef> batches; // since the last time
    std::vector<RecordTopic> topics;     // all so far
};

// Calls `found` now and then, and at the end. Looks at rows [0, rows).
void scanRecords(const Capture& capture, const RecordScope& scope, std::uint32_t rows, JobContext& context,
                 const std::function<void(FoundBatches)>& found);

// The topic tells what is in records of internal ones.
std::shared_ptr<const OpenedBatch> openBatch(const Capture& capture, const RecordBatchRef& batch,
                                             const RecordTopic& topic);
// Each record of a batch with all that export says of it; good for the call only.
void forEachRecord(const Capture& capture, const RecordBatchRef& batch, const RecordTopic& topic,
                   const std::function<void(const RecordFacts&)>& record);

} // namespace brokerscope
