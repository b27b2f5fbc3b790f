// SPDX-License-Identifier: Apache-2.0
// What the parts of record sets are called, how they are encoded and what they mean: the descriptors that nodes of a
// record tree point to. They are the same kind of thing as the fields of messages, but no schema file has them, because
// a set has no version and no count: each entry says its own magic.
// Immutable; live as long as the program.
#pragma once

#include "dissector/schema/plan.h"

#include <cstdint>
#include <span>

namespace brokerscope {

struct RecordFields {
    // Nodes with children.
    const PlanField *batch, *message, *incompleteBatch; // NodeKind::Batch: magic 2; magic 0 and 1; cut at the set's end
    const PlanField* records;                           // the records of a batch, the messages of a wrapper
    const PlanField *record, *headers, *header;
    const PlanField *controlKey, *endMarker; // of a control record; the value of ABORT and COMMIT
    // Leaves. Those of fixed size come in wire order.
    std::span<const PlanField* const> batchHeader;    // magic 2, from the base offset to the record count
    std::span<const PlanField* const> messageHeader0; // magic 0, from the offset to the attributes
    std::span<const PlanField* const> messageHeader1; // magic 1, to the timestamp
    std::span<const PlanField* const> entryHeader;    // of any magic: offset and size
    std::span<const PlanField*const> controlKeyContent, endMarkerContent;
    const PlanField *key, *value, *headerKey, *headerValue;
    const PlanField *messageKey, *messageValue; // of magic 0 and 1, with lengths of four bytes
    const PlanField* compressed;                // records or a message set, not opened
    const PlanField *recordAttributes, *timestampDelta, *offsetDelta;
    const PlanField *batchAttributes, *messageAttributes; // among the headers above
};

const RecordFields& recordFields();

} // namespace brokerscope
