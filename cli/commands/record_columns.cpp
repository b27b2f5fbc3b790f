// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/record_columns.h"

#include "cli/commands/column_names.h"
#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/secrets.h"
#include "dissector/message/units.h"
#include "dissector/payloads/record_payload_json.h"
#include "dissector/payloads/trace_header.h"
#include "dissector/wire/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

constexpr std::size_t mostShown = 400; // bytes of a key or value in a table

std::string hexText(Bytes bytes) {
    std::string text = "0x";
    for (const std::uint8_t byte : bytes)
        fmt::format_to(std::back_inserter(text), "{:02x}", byte);
    return text;
}

std::string headersText(const Record& record, Reader reader) {
    std::string text;
    for (const RecordHeader& header : record.headers) {
        if (!text.empty()) text += ' ';
        std::string key;
        appendUtf8(header.key, key);
        text += reader == Reader::Person ? printable(key) : key;
        text += '=';
        const std::string trace = reader == Reader::Person && header.value ? traceText(key, asText(*header.value)) : "";
        text += !trace.empty()             ? trace
                : reader == Reader::Person ? bytesCell(header.value).text
                                           : bytesForPrograms(header.value);
    }
    return text;
}

Cell bytesFor(const RecordFacts& facts, const std::optional<Bytes>& bytes, Reader reader) {
    if (reader == Reader::Person) return bytesCell(bytes, facts.format.value_or(ValueFormat::Auto));
    if (facts.format && bytes) return {guessValue(*bytes, {.format = *facts.format}).line};
    return {bytesForPrograms(bytes)};
}

// For people the fields of a payload; programs get its bytes, unless there are secrets in them.
Cell payloadOrBytes(const RecordFacts& facts, const RecordPayload* payload, const std::optional<Bytes>& bytes,
                    Reader reader) {
    if (payload && reader == Reader::Person) {
        std::string text = payloadText(*facts.protocol, *payload, facts.showSecrets);
        return {fmt::format("{} {}", payload->type.type, printable(text.substr(0, mostShown)))};
    }
    if (isMasked(facts, payload)) return {std::string(maskedText)};
    return bytesFor(facts, bytes, reader);
}

Cell valueCell(const RecordFacts& facts, Reader reader) {
    const std::string control = controlType(*facts.batch, *facts.record);
    if (!control.empty()) {
        const bool more = reader == Reader::Person && facts.value;
        return {more ? fmt::format("{} {}", control, payloadText(*facts.protocol, *facts.value, facts.showSecrets))
                     : control,
                Role::Warning};
    }
    return payloadOrBytes(facts, facts.value, facts.record->value, reader);
}

Cell keyCell(const RecordFacts& facts, Reader reader) {
    if (reader == Reader::Person && facts.batch->isControl) return {};
    return payloadOrBytes(facts, facts.key, facts.record->key, reader);
}

std::string batchText(const Batch& batch) {
    if (!batch.baseOffset) return fmt::format("-{}", batch.lastOffset);
    return fmt::format("{}-{}", *batch.baseOffset, batch.lastOffset);
}

template<class Number>
Cell optionalNumber(const std::optional<Number>& value) {
    return {value ? fmt::format("{}", *value) : std::string()};
}

const std::array<RecordColumn, recordColumnNames.size()>& table() {
    using F = const RecordFacts&;
    static const std::array<RecordColumn, recordColumnNames.size()> rows = {{
        {"exchange",
         {"No", true, 0, 1, 0, 5},
         [](F f, Reader) { return Cell{fmt::format("{}", f.exchange->id.value)}; }},
        {"direction",
         {"From", false, 0, 2},
         [](F f, Reader) { return Cell{f.direction == Direction::Request ? "client" : "broker"}; }},
        {"topic",
         {"Topic", false, 8},
         [](F f, Reader r) {
             return Cell{r == Reader::Person ? printable(f.topic) : f.topic, Role::Name};
         }},
        {"partition", {"Part", true}, [](F f, Reader) { return optionalNumber(f.place->partition); }},
        {"offset", {"Offset", true, 0, 0, 0, 7}, [](F f, Reader) { return optionalNumber(f.record->offset); }},
        {"time", {"Time", true}, nullptr},
        {"key", {"Key", false, 8}, keyCell},
        {"value", {"Value", false, 32}, valueCell},
        {"headers", {"Headers", false, 10, 3, 1}, [](F f, Reader r) { return Cell{headersText(*f.record, r)}; }},
        {"size",
         {"Size", true},
         [](F f, Reader r) {
             const std::uint64_t size = contentBytes(*f.record);
             return Cell{r == Reader::Person ? grouped(size) : fmt::format("{}", size)};
         }},
        {"codec", {"Codec"}, [](F f, Reader) { return Cell{std::string(name(f.batch->codec))}; }},
        {"batch", {"Batch"}, [](F f, Reader) { return Cell{batchText(*f.batch)}; }},
        {"magic", {"Magic", true}, [](F f, Reader) { return Cell{fmt::format("{}", f.batch->magic)}; }},
        {"producer",
         {"Producer", true},
         [](F f, Reader) { return f.batch->producerId < 0 ? Cell{} : Cell{fmt::format("{}", f.batch->producerId)}; }},
        {"control", {"Control"}, [](F f, Reader) { return Cell{controlType(*f.batch, *f.record)}; }},
    }};
    return rows;
}

} // namespace

std::span<const RecordColumn> allRecordColumns() {
    return table();
}

std::vector<const RecordColumn*> recordColumns(const std::vector<std::string>& names, Reader reader) {
    static const std::vector<std::string> usual = {"exchange", "direction", "topic", "partition", "offset",
                                                   "time",     "key",       "value", "headers"};
    std::vector<const RecordColumn*> result;
    if (names.empty() && reader == Reader::Program) {
        for (const RecordColumn& column : table())
            result.push_back(&column);
        return result;
    }
    for (const std::string& name : names.empty() ? usual : names)
        result.push_back(std::ranges::find(table(), name, &RecordColumn::name));
    return result;
}

Cell bytesCell(const std::optional<Bytes>& bytes, ValueFormat format) {
    if (!bytes) return {"null", Role::Dim};
    if (bytes->empty()) return {"(empty)", Role::Dim};
    if (format == ValueFormat::Auto && isPlainText(*bytes)) return {printable(asText(*bytes).substr(0, mostShown))};
    const GuessedValue guess = guessValue(*bytes, {.format = format, .maxLine = mostShown});
    if (guess.format == ValueFormat::Hex) {
        const Bytes shown = bytes->first(std::min(bytes->size(), mostShown / 2));
        return {hexText(shown) + (shown.size() < bytes->size() ? "…" : "")};
    }
    if (format != ValueFormat::Auto || guess.format == ValueFormat::Json || guess.format == ValueFormat::Text)
        return {printable(guess.line)};
    return {fmt::format("{} ({})", printable(guess.line), valueFormats()[static_cast<std::size_t>(guess.format)].name)};
}

std::string batchDescription(const Batch& batch) {
    std::string text = fmt::format("offsets {}", batchText(batch));
    const auto add = [&](std::string_view part) {
        text += ", ";
        text += part;
    };
    if (batch.recordCount >= 0) add(countOf(static_cast<std::uint64_t>(batch.recordCount), "record"));
    add(batch.codec == Codec::None ? "not compressed" : name(batch.codec));
    add(countOf(batch.sizeInBytes(), "byte"));
    add(fmt::format("magic {}", batch.magic));
    if (batch.producerId >= 0)
        add(fmt::format("producer {} epoch {} sequence {}", batch.producerId, batch.producerEpoch, batch.baseSequence));
    if (batch.isTransactional) add("transactional");
    if (batch.isControl) add("control");
    if (batch.timestampType != TimestampType::None) add(name(batch.timestampType));
    if (batch.crcValid() == false) add("CRC WRONG");
    return text;
}

std::string payloadName(const RecordPayload& payload) {
    if (!payload.type.version) return payload.type.type;
    return fmt::format("{} v{}", payload.type.type, *payload.type.version);
}

std::string recordDescription(const Batch& batch, const Record& record, const RecordPayload* key,
                              const RecordPayload* value, ValueFormat format) {
    std::string text;
    if (record.timestamp >= 0) {
        appendDate(text, Timestamp{std::chrono::milliseconds(record.timestamp)}, 3);
        text += "  ";
    }
    if (const std::string control = controlType(batch, record); !control.empty()) return text + control;
    const auto part = [&](std::string_view what, const std::optional<Bytes>& bytes, const RecordPayload* payload) {
        text += what;
        text += ' ';
        text += payload ? payloadName(*payload) : bytesCell(bytes, format).text;
    };
    part("key", record.key, key);
    part("  value", record.value, value);
    if (!record.headers.empty()) text.append("  headers ").append(headersText(record, Reader::Person));
    return text;
}

} // namespace brokerscope
