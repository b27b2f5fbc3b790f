// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/record_payload_json.h"

#include "dissector/message/message_json.h"
#include "dissector/message/secrets.h"

namespace brokerscope {
namespace {

void writeBody(const Protocol& protocol, const RecordPayload& payload, bool showSecrets, JsonWriter& out) {
    JsonOptions options;
    options.showSecrets = showSecrets;
    if (payload.message.body != noNode)
        return writeJson(protocol, payload.message, payload.bytes, payload.message.body, options, out);
    out.StartObject();
    out.EndObject();
}

} // namespace

void writePayload(const Protocol& protocol, const RecordPayload& payload, bool showSecrets, JsonWriter& out) {
    out.StartObject();
    out.plainKey("type");
    out.text(payload.type.type);
    if (payload.type.version) {
        out.plainKey("version");
        out.Int(*payload.type.version);
    }
    out.plainKey("value");
    writeBody(protocol, payload, showSecrets, out);
    out.EndObject();
}

std::string payloadText(const Protocol& protocol, const RecordPayload& payload, bool showSecrets) {
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    writeBody(protocol, payload, showSecrets, writer);
    return {buffer.GetString(), buffer.GetSize()};
}

bool PayloadExpander::writeKey(const Batch& batch, const Record& record, JsonWriter& out) {
    return record.key && m_payloads.openKey(m_topic, batch.isControl, *record.key, m_payload) && write(out);
}

bool PayloadExpander::writeValue(const Batch& batch, const Record& record, JsonWriter& out) {
    return record.value && m_payloads.openValue(m_topic, batch.isControl, record.key, *record.value, m_payload) &&
           write(out);
}

bool PayloadExpander::write(JsonWriter& out) const {
    if (m_options.expand) {
        writePayload(m_protocol, m_payload, m_options.showSecrets, out);
        return true;
    }
    if (m_options.showSecrets || !holdsSecrets(m_protocol, m_payload.message, m_payload.bytes)) return false;
    out.plainText(maskedText);
    return true;
}

} // namespace brokerscope
