// SPDX-License-Identifier: Apache-2.0
// One message of magic 0 or 1: an entry of an old message set, or of the set inside a compressed wrapper.
// Bytes, errors: see batch.h. Key and value are places in the chain; whether their bytes are there is not asked here.
#pragma once

#include "dissector/wire/cursor.h"
#include "dissector/wire/problem.h"

#include <cstdint>
#include <optional>

namespace brokerscope {

struct LegacyMessage {
    struct Part {
        std::uint32_t begin = 0, length = 0;
    };
    std::uint32_t begin = 0, end = 0;
    std::int64_t offset = 0; // as it stands: in a wrapper of magic 1 it counts from the wrapper's first message
    std::uint32_t crc = 0;
    std::int8_t magic = 0;
    std::uint8_t attributes = 0;
    std::int64_t timestamp = -1;    // magic 0 has none
    std::optional<Part> key, value; // nullopt: null
    std::uint32_t behind = 0;       // where the value ends; by the rules that is `end`

    bool isCompressed() const { return attributes & 7; }
};

// Reads the entry [begin, end). False, with the reason in `problem`, when it does not fit its bytes or when bytes that
// tell its layout are missing.
bool readLegacyMessage(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, LegacyMessage& message,
                       Problem& problem);

// The way through a message set, by the first 12 bytes of its entries.
struct EntryHead {
    std::uint32_t begin = 0, end = 0;
    std::int64_t offset = 0;
};
enum class NextEntry : std::uint8_t {
    Found,
    End,      // of the set; it may lie inside an entry, which then does not count
    TooSmall, // for any message: where the next one begins is not known
};
NextEntry nextEntry(Cursor& set, EntryHead& entry); // Found moves the cursor behind the entry

} // namespace brokerscope
