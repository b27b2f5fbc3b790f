// SPDX-License-Identifier: Apache-2.0
// A record with all that a line about it may show, and the columns of `records`.
#pragma once

#include "cli/commands/list_columns.h"
#include "dissector/analysis/record_sets.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/value_guess.h"
#include "dissector/records/record_set.h"

#include <string>
#include <vector>

namespace brokerscope {

struct RecordFacts {
    const Protocol* protocol = nullptr;
    const Exchange* exchange = nullptr;
    Direction direction = Direction::Request;
    const RecordSetPlace* place = nullptr;
    std::string topic; // its name, or its id where no name was seen
    const Batch* batch = nullptr;
    const Record* record = nullptr;
    // What the key and value open to; null: nobody knows.
    const RecordPayload *key = nullptr, *value = nullptr;
    bool showSecrets = false;
    std::optional<ValueFormat> format; // wanted for keys and values; nullopt: text where it is, for people a guess
};

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
// For programs: the text where it is printable UTF-8, else "base64:" and the bytes.
std::string bytesForPrograms(const std::optional<Bytes>& bytes);
std::string_view asText(Bytes bytes);
bool isPlainText(Bytes bytes); // UTF-8 without control characters but tab and line breaks
// In one line: "offsets 10-19, zstd, 10 records, 312 bytes, CreateTime, producer 4000 epoch 0 sequence 0"
std::string batchDescription(const Batch& batch);
// "12:00:01.123  key "k1"  value {"id":17}  headers trace=ab"
// Of a key or value that opens only what it is: its fields are shown elsewhere.
std::string recordDescription(const Batch& batch, const Record& record, const RecordPayload* key,
                              const RecordPayload* value, ValueFormat format);
std::string payloadName(const RecordPayload& payload); // "OffsetCommitValue v3"
// Whether the bytes of a payload must not be shown as they are.
bool isMasked(const RecordFacts& facts, const RecordPayload* payload);
// "COMMIT", "ABORT", ... of a record in a control batch; empty when it is none.
std::string controlType(const Batch& batch, const Record& record);

} // namespace brokerscope
