// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_json.h"

namespace brokerscope {

namespace {

class BatchWriter {
  public:
    BatchWriter(RecordSetReader& set, JsonWriter& out, RecordExpander* expander)
        : m_set(set), m_out(out), m_expander(expander) {}

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
        m_out.plainKey("key");
        if (!m_expander || !m_expander->writeKey(m_set.batch(), record, m_out)) base64(record.key);
        m_out.plainKey("value");
        if (!m_expander || !m_expander->writeValue(m_set.batch(), record, m_out)) base64(record.value);
        m_out.plainKey("headers");
        m_out.StartArray();
        for (const RecordHeader& header : record.headers) {
            m_out.StartObject();
            m_out.plainKey("key");
            m_out.writeText(header.key);
            m_out.plainKey("value");
            base64(header.value);
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

    void base64(const std::optional<Bytes>& value) {
        if (value)
            m_out.base64(*value);
        else
            m_out.Null();
    }

    RecordSetReader& m_set;
    JsonWriter& m_out;
    RecordExpander* m_expander;
};

} // namespace

void writeBatches(RecordSetReader& set, JsonWriter& out, RecordExpander* expander) {
    BatchWriter writer(set, out, expander);
    out.StartArray();
    while (set.nextBatch())
        writer.writeBatch();
    out.EndArray();
}

void writeRecordSet(RecordSetReader& set, JsonWriter& out, RecordExpander* expander) {
    out.StartObject();
    out.plainKey("batches");
    writeBatches(set, out, expander);
    out.plainKey("trailing");
    out.Uint(set.trailing());
    if (!set.setError().empty()) BatchWriter(set, out, nullptr).text("error", set.setError());
    out.EndObject();
}

} // namespace brokerscope
