// SPDX-License-Identifier: Apache-2.0
// Record sets as JSON, in the form of `list --records` and `decode records`: each batch with what its header says and
// its records, keys and values as base64, null as null.
// Memory: what the reader holds (one batch) and what the writer's buffer collects.
#pragma once

#include "dissector/records/record_set.h"
#include "dissector/wire/json_writer.h"

namespace brokerscope {

// Puts something else in the place of a key or value. False: nothing was written, the base64 text is wanted.
class RecordExpander {
  public:
    virtual ~RecordExpander() = default;
    virtual bool writeKey(const Batch& batch, const Record& record, JsonWriter& out) = 0;
    virtual bool writeValue(const Batch& batch, const Record& record, JsonWriter& out) = 0;
};

// Reads an opened set to its end. Afterwards its problems() hold what was found on the way.
void writeBatches(RecordSetReader& set, JsonWriter& out, RecordExpander* expander = nullptr); // [BATCH..]
// {"batches":[BATCH..],"trailing":N} and "error" if any
void writeRecordSet(RecordSetReader& set, JsonWriter& out, RecordExpander* expander = nullptr);

} // namespace brokerscope
