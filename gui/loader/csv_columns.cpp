// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/csv_columns.h"

#include "dissector/message/secrets.h"
#include "dissector/records/record_text.h"
#include "dissector/wire/time_text.h"
#include "dissector/wire/utf8.h"

#include <array>

namespace brokerscope {

namespace {

using Facts = const ExchangeFacts&;
using Row = const ExchangeRow&;
using Index = const ExchangeIndex&;

std::string iso(Timestamp time, int digits) {
    std::string text;
    IsoTime().append(text, time, digits);
    return text;
}

std::string sinceEpoch(Timestamp time, int digits) {
    std::string text;
    appendSeconds(text, time.time_since_epoch(), digits);
    return text;
}

std::string milliseconds(const std::optional<Duration>& duration) {
    std::string text;
    if (duration) appendMilliseconds(text, *duration);
    return text;
}

std::string milliseconds(Facts facts, Duration Latency::*part) {
    return milliseconds(facts.times ? std::optional((*facts.times).*part) : std::nullopt);
}

std::string topicNames(Row row, Index index) {
    std::string text;
    for (const Subject::Topic topic : row.subject().topics) {
        if (!text.empty()) text += ' ';
        const std::string_view name = index.topicName(topic);
        const auto id = index.topicId(topic);
        text += name.empty() && id ? uuidText(*id) : std::string(name);
    }
    return text;
}

std::string software(Row row, Index index) {
    const auto [name, version] = index.software(row.connection());
    if (name == 0) return {};
    std::string text(index.text(name));
    text += ' ';
    return text += index.text(version);
}

std::string firstError(Facts facts) {
    if (facts.response.errors.empty()) return {};
    const std::int16_t code = facts.response.errors.front().code;
    const ErrorCode* known = Protocol::builtin().error(code);
    return known ? std::string(known->name) : std::to_string(code);
}

std::string problems(Facts facts) {
    std::string text;
    for (const std::string_view kind : problemKinds(facts)) {
        if (!text.empty()) text += ' ';
        text += kind;
    }
    return text;
}

std::string throttle(Facts facts) {
    const auto& throttleMs = facts.response.throttleMs;
    return throttleMs && *throttleMs > 0 ? std::to_string(*throttleMs) : std::string();
}

std::string packets(Facts facts) {
    std::string text;
    std::vector<std::uint64_t> numbers;
    for (const std::optional<Frame>* frame : {&facts.exchange->request, &facts.exchange->response}) {
        if (!*frame) continue;
        packetsOf(**frame, numbers);
        for (const std::uint64_t number : numbers) {
            if (!text.empty()) text += ' ';
            text += std::to_string(number);
        }
    }
    return text;
}

std::string headerNumber(Facts facts, std::int16_t RequestHeader::*number) {
    return facts.exchange->header ? std::to_string((*facts.exchange->header).*number) : std::string();
}

std::string sizeOf(const std::optional<Frame>& frame) {
    return frame ? std::to_string(frame->bytes.size()) : std::string();
}

struct ExchangeCsvColumn {
    const char* name;
    std::string (*value)(Facts, Row, Index);
};

// The columns and texts of `brokerscope list --format csv`.
constexpr ExchangeCsvColumn exchangeTable[] = {
    {"exchange", [](Facts, Row row, Index) { return std::to_string(row.id().value); }},
    {"time", [](Facts facts, Row, Index) { return sinceEpoch(facts.exchange->start(), facts.timeDigits()); }},
    {"connection", [](Facts, Row row, Index) { return std::to_string(row.connection()); }},
    {"client", [](Facts facts, Row, Index) { return toString(facts.exchange->client); }},
    {"clientId", [](Facts, Row row, Index index) { return std::string(index.text(row.clientId())); }},
    {"software", [](Facts, Row row, Index index) { return software(row, index); }},
    {"broker", [](Facts facts, Row, Index) { return toString(facts.exchange->broker); }},
    {"api", [](Facts facts, Row, Index) { return facts.api ? std::string(facts.api->name) : std::string(); }},
    {"apiKey", [](Facts facts, Row, Index) { return headerNumber(facts, &RequestHeader::apiKey); }},
    {"version", [](Facts facts, Row, Index) { return headerNumber(facts, &RequestHeader::apiVersion); }},
    {"topic", [](Facts, Row row, Index index) { return topicNames(row, index); }},
    {"correlationId", [](Facts, Row row, Index) { return std::to_string(row.correlationId()); }},
    {"status", [](Facts facts, Row, Index) { return std::string(name(facts.exchange->status)); }},
    {"requestTime",
     [](Facts facts, Row, Index) {
         return facts.exchange->request ? iso(facts.exchange->request->begin, facts.timeDigits()) : std::string();
     }},
    {"responseTime",
     [](Facts facts, Row, Index) {
         return facts.exchange->response ? iso(facts.exchange->response->end, facts.timeDigits()) : std::string();
     }},
    {"totalTimeMs", [](Facts facts, Row, Index) { return milliseconds(facts, &Latency::total); }},
    {"requestTransferMs", [](Facts facts, Row, Index) { return milliseconds(facts, &Latency::requestTransfer); }},
    {"waitMs", [](Facts facts, Row, Index) { return milliseconds(facts, &Latency::wait); }},
    {"responseTransferMs", [](Facts facts, Row, Index) { return milliseconds(facts, &Latency::responseTransfer); }},
    {"waitReason", [](Facts facts, Row, Index) { return std::string(name(facts.waited.reason)); }},
    {"blockedMs", [](Facts facts, Row,
                     Index) { return milliseconds(facts.times ? std::optional(facts.blockedWait()) : std::nullopt); }},
    {"thinkMs", [](Facts facts, Row, Index) { return milliseconds(facts.exchange->timing.think); }},
    {"inFlight", [](Facts facts, Row, Index) { return std::to_string(facts.exchange->timing.inFlight); }},
    {"sentAgain", [](Facts facts, Row, Index) { return std::to_string(facts.exchange->timing.sentAgain); }},
    {"roundTripMs", [](Facts facts, Row, Index) { return milliseconds(facts.exchange->timing.roundTrip); }},
    {"throttleTimeMs", [](Facts facts, Row, Index) { return throttle(facts); }},
    {"requestBytes", [](Facts facts, Row, Index) { return sizeOf(facts.exchange->request); }},
    {"responseBytes", [](Facts facts, Row, Index) { return sizeOf(facts.exchange->response); }},
    {"error", [](Facts facts, Row, Index) { return firstError(facts); }},
    {"errors", [](Facts facts, Row, Index) { return std::to_string(facts.response.errors.size()); }},
    {"problems", [](Facts facts, Row, Index) { return problems(facts); }},
    {"packets", [](Facts facts, Row, Index) { return packets(facts); }},
};

std::string partOf(const std::optional<Bytes>& bytes, const RecordPayload* payload, const RecordFacts& facts) {
    return isMasked(facts, payload) ? std::string(maskedText) : bytesForPrograms(bytes);
}

std::string headersOf(const Record& record) {
    std::string text;
    for (const RecordHeader& header : record.headers) {
        if (!text.empty()) text += ' ';
        appendUtf8(header.key, text);
        text += '=';
        text += bytesForPrograms(header.value);
    }
    return text;
}

std::string batchOf(const Batch& batch) {
    std::string text = batch.baseOffset ? std::to_string(*batch.baseOffset) : std::string();
    text += '-';
    return text += std::to_string(batch.lastOffset);
}

struct RecordCsvColumn {
    const char* name;
    std::string (*value)(const RecordFacts&);
};

// Those of `brokerscope records --format csv`.
constexpr RecordCsvColumn recordTable[] = {
    {"exchange", [](const RecordFacts& facts) { return std::to_string(facts.exchange->id.value); }},
    {"direction",
     [](const RecordFacts& facts) { return std::string(facts.direction == Direction::Request ? "client" : "broker"); }},
    {"topic", [](const RecordFacts& facts) { return facts.topic; }},
    {"partition",
     [](const RecordFacts& facts) {
         return facts.place->partition ? std::to_string(*facts.place->partition) : std::string();
     }},
    {"offset",
     [](const RecordFacts& facts) {
         return facts.record->offset ? std::to_string(*facts.record->offset) : std::string();
     }},
    {"time",
     [](const RecordFacts& facts) {
         const std::int64_t time = facts.record->timestamp;
         return time < 0 ? std::string() : sinceEpoch(Timestamp{std::chrono::milliseconds(time)}, 3);
     }},
    {"key", [](const RecordFacts& facts) { return partOf(facts.record->key, facts.key, facts); }},
    {"value",
     [](const RecordFacts& facts) {
         const std::string control = controlType(*facts.batch, *facts.record);
         return control.empty() ? partOf(facts.record->value, facts.value, facts) : control;
     }},
    {"headers", [](const RecordFacts& facts) { return headersOf(*facts.record); }},
    {"size", [](const RecordFacts& facts) { return std::to_string(contentBytes(*facts.record)); }},
    {"codec", [](const RecordFacts& facts) { return std::string(name(facts.batch->codec)); }},
    {"batch", [](const RecordFacts& facts) { return batchOf(*facts.batch); }},
    {"magic", [](const RecordFacts& facts) { return std::to_string(facts.batch->magic); }},
    {"producer",
     [](const RecordFacts& facts) {
         return facts.batch->producerId < 0 ? std::string() : std::to_string(facts.batch->producerId);
     }},
    {"control", [](const RecordFacts& facts) { return controlType(*facts.batch, *facts.record); }},
};

template<class Table>
std::vector<std::string> headOf(const Table& table) {
    std::vector<std::string> names;
    for (const auto& column : table)
        names.emplace_back(column.name);
    return names;
}

} // namespace

std::string csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
        if (&cell != &cells.front()) line += ',';
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char c : cell)
            line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + "\r\n";
}

std::vector<std::string> exchangeCsvHead() {
    return headOf(exchangeTable);
}

std::vector<std::string> exchangeCsvCells(const ExchangeFacts& facts, const ExchangeRow& row,
                                          const ExchangeIndex& index) {
    std::vector<std::string> cells;
    for (const ExchangeCsvColumn& column : exchangeTable)
        cells.push_back(column.value(facts, row, index));
    return cells;
}

std::vector<std::string> recordCsvHead() {
    return headOf(recordTable);
}

std::vector<std::string> recordCsvCells(const RecordFacts& facts) {
    std::vector<std::string> cells;
    for (const RecordCsvColumn& column : recordTable)
        cells.push_back(column.value(facts));
    return cells;
}

} // namespace brokerscope
