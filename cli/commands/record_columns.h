// SPDX-License-Identifier: Apache-2.0
// The columns of `records`.
#pragma once

#include "cli/commands/list_columns.h"
#include "dissector/analysis/record_json_line.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/value_guess.h"
#include "dissector/records/record_set.h"
#include "dissector/records/record_text.h"

#include <string>
#include <vector>

namespace brokerscope {

struct RecordColumn {
    std::string_view name; // as in recordColumnNames
    TableColumn look;
    Cell (*value)(const RecordFacts& facts, Reader reader); // null: the time
};

std::vector<const RecordColumn*> recordColumns(const std::vector<std::string>& names, Reader reader);
std::span<const RecordColumn> allRecordColumns();

// Bytes as a person reads them: in the format that is wanted, else what they most probably are, with the name of the
// format where it is not seen. null and "" are told apart by the role.
Cell bytesCell(const std::optional<Bytes>& bytes, ValueFormat format = ValueFormat::Auto);
// In one line: "offsets 10-19, zstd, 10 records, 312 bytes, CreateTime, producer 4000 epoch 0 sequence 0"
std::string batchDescription(const Batch& batch);
// "12:00:01.123  key "k1"  value {"id":17}  headers trace=ab"
// Of a key or value that opens only what it is: its fields are shown elsewhere.
std::string recordDescription(const Batch& batch, const Record& record, const RecordPayload* key,
                              const RecordPayload* value, ValueFormat format);
std::string payloadName(const RecordPayload& payload); // "OffsetCommitValue v3"

} // namespace brokerscope
