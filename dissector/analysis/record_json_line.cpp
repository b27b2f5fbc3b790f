// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/record_json_line.h"

#include "dissector/message/secrets.h"
#include "dissector/payloads/record_payload_json.h"
#include "dissector/records/record_text.h"

#include <fmt/format.h>

namespace brokerscope {

namespace {

// "valueAs":{"format":"long","text":"42"}
void writeGuess(std::string_view name, Bytes bytes, ValueFormat format, JsonLine& json) {
    const GuessedValue guess = guessValue(bytes, {.format = format, .maxLine = bytes.size() * 8 + 100});
    json.object(fmt::format("{}As", name), [&] {
        json.plain("format", valueFormats()[static_cast<std::size_t>(guess.format)].name);
        json.string("text", guess.line);
    });
}

// The bytes, unless there are secrets in them, and what they open to.
void writePart(std::string_view name, const std::optional<Bytes>& bytes, const RecordPayload* payload,
               const RecordFacts& facts, JsonLine& json) {
    if (isMasked(facts, payload))
        json.plain(name, maskedText);
    else
        json.base64(name, bytes);
    if (!payload) {
        if (facts.format && bytes) writeGuess(name, *bytes, *facts.format, json);
        return;
    }
    json.key(fmt::format("{}Payload", name));
    writePayload(*facts.protocol, *payload, facts.showSecrets, json.writer());
}

} // namespace

bool isMasked(const RecordFacts& facts, const RecordPayload* payload) {
    return payload && !facts.showSecrets && holdsSecrets(*facts.protocol, payload->message, payload->bytes);
}

std::string_view writeRecordLine(const RecordFacts& facts, JsonLine& json) {
    const Batch& batch = *facts.batch;
    const Record& record = *facts.record;
    // Only where the bytes are a text.
    const auto plain = [&](std::string_view name, const std::optional<Bytes>& value) {
        if (value && isPlainText(*value)) json.string(name, asText(*value));
    };
    json.clear();
    json.writer().StartObject();
    json.number("exchange", static_cast<std::int64_t>(facts.exchange->id.value));
    json.string("direction", facts.direction == Direction::Request ? "request" : "response");
    json.string("topic", facts.topic);
    if (facts.place->topicId) json.string("topicId", uuidText(*facts.place->topicId));
    if (facts.place->partition) json.number("partition", *facts.place->partition);
    if (record.offset) json.number("offset", *record.offset);
    json.number("timestamp", record.timestamp);
    writePart("key", record.key, facts.key, facts, json);
    writePart("value", record.value, facts.value, facts, json);
    if (!facts.key) plain("keyText", record.key);
    if (!facts.value) plain("valueText", record.value);
    json.array("headers", record.headers, [&](const RecordHeader& header) {
        json.string("key", asText(header.key));
        json.base64("value", header.value);
    });
    json.string("codec", name(batch.codec));
    json.number("magic", batch.magic);
    if (batch.baseOffset) json.number("batchBaseOffset", *batch.baseOffset);
    json.number("batchLastOffset", batch.lastOffset);
    if (batch.producerId >= 0) json.number("producerId", batch.producerId);
    if (const std::string control = controlType(batch, record); !control.empty()) json.string("control", control);
    json.writer().EndObject();
    return json.text();
}

} // namespace brokerscope
