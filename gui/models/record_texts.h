// SPDX-License-Identifier: Apache-2.0
// One record in words: its value as JSON set out, as text or as hex, and what copying gives. What holds secrets shows
// them only when they are revealed; until then the JSON of opened records is masked and their bytes are not shown.
// Bounds: JSON of more than 1 MiB is not set out, hex ends after 64 KiB. Threads: any.
#pragma once

#include "gui/models/record_table_model.h"

namespace brokerscope {

enum class RecordForm : std::uint8_t { Json, Text, Hex };

class RecordTexts {
  public:
    RecordTexts(const Protocol& protocol, const RecordBatchRef& batch, const RecordTopic& topic,
                const OpenedRecord& record, bool revealed)
        : m_protocol(protocol), m_batch(batch), m_topic(topic), m_record(record), m_revealed(revealed) {}

    QString shown(RecordForm form) const; // with its headers
    QString key() const;                  // for copying: opened ones as JSON
    QString value() const;
    QString json() const; // of the value, set out; empty when it is none
    QString hex() const;  // of the value

  private:
    bool masked() const { return m_record.secret && !m_revealed; }
    QString openedJson(bool ofKey) const;
    QString body(RecordForm form) const;

    const Protocol& m_protocol;
    const RecordBatchRef& m_batch;
    const RecordTopic& m_topic;
    const OpenedRecord& m_record;
    bool m_revealed;
};

// JSON with line breaks, its keys in the order they came; empty when it is none.
QString prettyJson(Bytes bytes);

} // namespace brokerscope
