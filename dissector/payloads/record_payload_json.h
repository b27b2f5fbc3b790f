// SPDX-License-Identifier: Apache-2.0
// Keys and values of internal topics as JSON, and in their place "(masked)" where secrets are in them.
// Memory: one opened record. Threads: one.
#pragma once

#include "dissector/payloads/payload_opener.h"
#include "dissector/records/record_json.h"

#include <string>

namespace brokerscope {

// {"type":"OffsetCommitValue","version":1,"value":{..}}
void writePayload(const Protocol& protocol, const RecordPayload& payload, bool showSecrets, JsonWriter& out);
// {..}: the value alone.
std::string payloadText(const Protocol& protocol, const RecordPayload& payload, bool showSecrets);

struct PayloadJsonOptions {
    bool expand = false; // else only what must be masked is replaced
    bool showSecrets = false;
};

class PayloadExpander final : public RecordExpander {
  public:
    PayloadExpander(const Protocol& protocol, const PayloadJsonOptions& options)
        : m_protocol(protocol), m_options(options), m_payloads(protocol) {}

    void setTopic(std::string_view topic) { m_topic = topic; } // of the records to come
    bool writeKey(const Batch& batch, const Record& record, JsonWriter& out) override;
    bool writeValue(const Batch& batch, const Record& record, JsonWriter& out) override;

  private:
    bool write(JsonWriter& out) const;

    const Protocol& m_protocol;
    PayloadJsonOptions m_options;
    RecordPayloads m_payloads;
    std::string m_topic;
    RecordPayload m_payload;
};

} // namespace brokerscope
