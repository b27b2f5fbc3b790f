// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_fields.h"

#include "dissector/schema/field_table.h"

#include <array>

namespace brokerscope {

namespace {

struct Built {
    FieldTable table;
    std::array<const PlanField*, 13> batchHeader{};
    std::array<const PlanField*, 6> messageHeader{};
    std::array<const PlanField*, 2> controlKey{}, endMarker{};
    RecordFields fields{};

    Built() {
        addBatch();
        addMessage();
        addRecord();
        addControl();
    }

    void addBatch() {
        using enum FieldType;
        fields.batch = table.add("Batch", Struct, "Records written together: one header, one checksum, one codec.");
        fields.incompleteBatch =
            table.add("IncompleteBatch", Struct, "Cut where MaxBytes ended; the reader drops it and fetches it again.");
        fields.batchAttributes = table.add(
            "Attributes", Int16, "Bits: 0-2 codec, 3 time by broker, 4 transactional, 5 control, 6 delete horizon.");
        batchHeader = {
            table.add("BaseOffset", Int64, "Of the first record. Producers write 0, the broker puts in the real one.",
                      Semantic::Offset),
            table.add("BatchLength", Int32, "Bytes of the batch behind this field.", Semantic::Size),
            table.add("PartitionLeaderEpoch", Int32, "The leader that appended it; set by the broker, so outside Crc.",
                      Semantic::Epoch),
            table.add("Magic", Int8, "Version of the format: 2 since Kafka 0.11. At byte 16 in every version."),
            table.add("Crc", Uint32, "CRC-32C of all that follows."),
            fields.batchAttributes,
            table.add("LastOffsetDelta", Int32, "Base offset plus this: the last offset, even if compaction took it."),
            table.add("BaseTimestamp", Int64, "What timestamp deltas count from; also the delete horizon, if there.",
                      Semantic::Time),
            table.add("MaxTimestamp", Int64, "The latest time of a record; if set by the broker, the time of all.",
                      Semantic::Time),
            table.add("ProducerId", Int64, "Of an idempotent or transactional producer; -1 none.",
                      Semantic::ProducerId),
            table.add("ProducerEpoch", Int16, "Fences off older producers of the same transactional id.",
                      Semantic::Epoch),
            table.add("BaseSequence", Int32, "Of the first record; by it the broker finds duplicates and losses."),
            table.add("RecordCount", Int32, "Records that follow; after compaction fewer than offsets, maybe none."),
        };
        fields.records = table.addArray("Records", "One behind the other.");
        fields.compressed = table.add("CompressedRecords", Bytes, "All records as one stream; opens to its own bytes.");
        fields.batchHeader = batchHeader;
        fields.entryHeader = fields.batchHeader.first(2);
    }

    void addMessage() {
        using enum FieldType;
        fields.message = table.add("Message", Struct, "Before Kafka 0.11 a message was a batch of its own.");
        fields.messageAttributes = table.add("Attributes", Int8, "Bits: 0-2 codec, 3 time by broker (magic 1).");
        messageHeader = {
            table.add("Offset", Int64, "Of a compressed message: that of the last one inside.", Semantic::Offset),
            table.add("MessageSize", Int32, "Bytes of the message behind this field.", Semantic::Size),
            table.add("Crc", Uint32, "CRC-32 of all that follows."),
            table.add("Magic", Int8, "Version of the format: 0 has no time, 1 has."),
            fields.messageAttributes,
            table.add("Timestamp", Int64, "Set by the producer or the broker; -1 none.", Semantic::Time),
        };
        fields.messageHeader1 = messageHeader;
        fields.messageHeader0 = fields.messageHeader1.first(5);
        fields.messageKey = table.addNullable("Key", Bytes, "Chooses the partition, and what compaction replaces.");
        fields.messageValue = table.addNullable("Value", Bytes, "The payload; null deletes the key at compaction.");
    }

    void addRecord() {
        using enum FieldType;
        fields.record = table.add("Record", Struct, "Begins with its length. Its numbers are zig-zag varints.");
        fields.recordAttributes = table.add("Attributes", Int8, "No bit is in use.");
        fields.timestampDelta = table.add("TimestampDelta", Varlong, "Added to the batch's base timestamp.");
        fields.offsetDelta = table.add("OffsetDelta", Varint, "Added to the batch's base offset.");
        fields.key = table.addNullable("Key", Bytes, "Chooses the partition, and what compaction replaces.");
        fields.value = table.addNullable("Value", Bytes, "The payload; null deletes the key at compaction.");
        fields.headers = table.addArray("Headers", "Names and values beside the payload; a name may come twice.");
        fields.header = table.add("Header", Struct, "");
        fields.headerKey = table.add("Key", String, "");
        fields.headerValue = table.addNullable("Value", Bytes, "");
    }

    void addControl() {
        using enum FieldType;
        fields.controlKey = table.add("Key", Struct, "Says which kind of control record this is; consumers skip them.");
        controlKey = {
            table.add("Version", Int16, ""),
            table.add("Type", Int16, "0 and 1 end a transaction, the others are KRaft's.", Semantic::Enum,
                      "ControlRecordType"),
        };
        fields.endMarker = table.add("Value", Struct, "Ends the producer's transaction in this partition.");
        endMarker = {
            controlKey[0],
            table.add("CoordinatorEpoch", Int32, "Of the transaction coordinator that decided.", Semantic::Epoch),
        };
        fields.controlKeyContent = controlKey;
        fields.endMarkerContent = endMarker;
    }
};

} // namespace

const RecordFields& recordFields() {
    static const Built built;
    return built.fields;
}

} // namespace brokerscope
