// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_json.h"

namespace brokerscope {

namespace {

class BatchWriter {
  public:
    BatchWriter(RecordSetReader& set, JsonWriter& out) : m_set(set), m_out(out) {}

    void writeBatch() {
        m_set.openBatch(); // for the base offset of wrappers
        m_out.StartObject();
        writeHeader(m_set.batch());
        m_out.plainKey("records");
        m_out.StartArray();
        while (m_set.nextRecord())
            writeRecord(m_set.record());
        m_out.EndArray();
        if (!m_set.batchError().empty()) text("error", m_set.batchError());
        m_out.EndObject();
    }

    void text(std::string_view key, std::string_view value) {
        m_out.plainKey(key);
        m_out.text(value);
    }

  private:
    void writeHeader(const Batch& batch) {
        number("magic", batch.magic);
        number("baseOffset", batch.baseOffset);
        number("lastOffset", batch.lastOffset);
        number("sizeInBytes", batch.sizeInBytes());
        number("crc", batch.crc);
        m_out.plainKey("crcValid");
        if (const auto valid = batch.crcValid())
            m_out.Bool(*valid);
        else
            m_out.Null();
        text("codec", name(batch.codec));
        text("timestampType", name(batch.timestampType));
        number("maxTimestamp", batch.maxTimestamp);
        number("producerId", batch.producerId);
        number("producerEpoch", batch.producerEpoch);
        number("baseSequence", batch.baseSequence);
        number("partitionLeaderEpoch", batch.partitionLeaderEpoch);
        flag("isTransactional", batch.isTransactional);
        flag("isControl", batch.isControl);
        number("deleteHorizonMs", batch.deleteHorizonMs);
    }

    void writeRecord(const Record& record) {
        m_out.StartObject();
        number("offset", record.offset);
        number("timestamp", record.timestamp);
        number("sequence", record.sequence);
        bytes("key", record.key);
        bytes("value", record.value);
        m_out.plainKey("headers");
        m_out.StartArray();
        for (const RecordHeader& header : record.headers) {
            m_out.StartObject();
            m_out.plainKey("key");
            m_out.writeText(header.key);
            bytes("value", header.value);
            m_out.EndObject();
        }
        m_out.EndArray();
        m_out.EndObject();
    }

    void number(std::string_view key, std::int64_t value) {
        m_out.plainKey(key);
        m_out.Int64(value);
    }

    template<class Number>
    void number(std::string_view key, std::optional<Number> value) {
        if (value) return number(key, std::int64_t{*value});
        m_out.plainKey(key);
        m_out.Null();
    }

    void flag(std::string_view key, bool value) {
        m_out.plainKey(key);
        m_out.Bool(value);
    }

    void bytes(std::string_view key, const std::optional<Bytes>& value) {
        m_out.plainKey(key);
        if (value)
            m_out.base64(*value);
        else
            m_out.Null();
    }

    RecordSetReader& m_set;
    JsonWriter& m_out;
};

} // namespace

void writeBatches(RecordSetReader& set, JsonWriter& out) {
    BatchWriter writer(set, out);
    out.StartArray();
    while (set.nextBatch())
        writer.writeBatch();
    out.EndArray();
}

void writeRecordSet(RecordSetReader& set, JsonWriter& out) {
    out.StartObject();
    out.plainKey("batches");
    writeBatches(set, out);
    out.plainKey("trailing");
    out.Uint(set.trailing());
    if (!set.setError().empty()) BatchWriter(set, out).text("error", set.setError());
    out.EndObject();
}

} // namespace brokerscope
