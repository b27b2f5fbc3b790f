// SPDX-License-Identifier: Apache-2.0
// A record with all that a line about it may show, and that line as JSON: the contract of `records --format ndjson`.
// Bytes: views of the message and the opened batch, good as long as those. Threads: one per JsonLine.
#pragma once

#include "dissector/analysis/record_sets.h"
#include "dissector/exchange/exchange.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/value_guess.h"
#include "dissector/records/record_set.h"
#include "dissector/wire/json_line.h"

#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

struct RecordFacts {
    const Protocol* protocol = &Protocol::builtin();
    const Exchange* exchange = nullptr;
    Direction direction = Direction::Request;
    const RecordSetPlace* place = nullptr;
    std::string topic; // its name, or its id where no name was seen
    const Batch* batch = nullptr;
    const Record* record = nullptr;
    // What the key and value open to; null: nobody knows.
    const RecordPayload *key = nullptr, *value = nullptr;
    bool showSecrets = false;
    std::optional<ValueFormat> format; // wanted for keys and values; nullopt: text where it is, for people a guess
};

// Whether the bytes of a payload must not be shown as they are.
bool isMasked(const RecordFacts& facts, const RecordPayload* payload);
// The text is good until the next call with the same `json`.
std::string_view writeRecordLine(const RecordFacts& facts, JsonLine& json);

} // namespace brokerscope
