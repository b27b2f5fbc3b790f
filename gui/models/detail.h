// SPDX-License-Identifier: Apache-2.0
// One exchange, decoded, as the panes show it: facts about it, request and response, and the record sets that were
// opened. A *part* is a run of bytes with its tree; parts are numbered, and a *field* is a node of a part.
//
//     part 0        facts: words, no bytes        part 1, 2   request, response
//     part 3 and up a record set in the bytes of a message, or the decompressed records of a batch in bytes of their
//     own
//
// Bytes:   those of the capture, or owned by the part; a detail keeps alive what it points into.
// Threads: made on a detail thread, then never changed; shared by whoever shows it.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/message/decoder.h"
#include "dissector/records/record_tree.h"
#include "gui/models/field_rows.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brokerscope {

using PartNumber = std::uint32_t;
constexpr PartNumber factsPart = 0, requestPart = 1, responsePart = 2, firstOpenedPart = 3;

struct FieldRef {
    PartNumber part = factsPart;
    NodeIndex node = noNode;

    explicit operator bool() const { return node != noNode; }
    bool operator==(const FieldRef&) const = default;
};

// A message, or what opens from one (then only its tree and problems are of the decoded message).
struct MessagePart : DecodedMessage {
    ByteChain bytes;
    Direction direction = Direction::Request;       // of the message that all this stands in
    std::shared_ptr<const RecordDocument> set;      // of a record set: its batches
    std::string topic;                              // of a record set; empty: not told
    std::shared_ptr<const RecordDocument> batchSet; // of decompressed records: the set, and which batch of it
    std::size_t batch = 0;
    std::shared_ptr<const std::vector<std::uint8_t>> owned;
    FieldRef openedFrom;  // none for messages
    bool ownBytes = true; // false: its offsets count in the bytes of the part it was opened from
    QString title;        // of its bytes' tab
    FieldRows rows;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> secrets; // ranges of bytes that are masked until revealed
};
using Part = std::shared_ptr<const MessagePart>;

struct Fact {
    QString name, value, toolTip;
    bool damage = false;
    std::uint32_t parent = 0; // index of a fact; 0 is the exchange itself
};

struct Detail {
    ExchangeId id;
    Exchange exchange;
    std::vector<Fact> facts;             // the first is the root
    Part request, response;              // null: there is none
    QString requestTitle, responseTitle; // of the roots: "Fetch v18", or why it is missing
    QString requestSummary, responseSummary;
    bool responseMissing = false, damaged = false;
    std::shared_ptr<const void> keeper; // the capture
};

} // namespace brokerscope
