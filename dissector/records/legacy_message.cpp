// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/legacy_message.h"

#include "dissector/records/batch.h"

#include <fmt/format.h>

namespace brokerscope {

namespace {

bool readPart(Cursor& cursor, std::string_view what, std::optional<LegacyMessage::Part>& part, Problem& problem) {
    const std::uint32_t place = cursor.position();
    const std::int32_t length = cursor.readI32();
    if (!cursor.ok()) return false;
    if (length < 0) return true; // null
    if (static_cast<std::uint32_t>(length) > cursor.remaining()) {
        problem = {ProblemKind::Malformed,
                   {},
                   place,
                   fmt::format("a {} of {} bytes in a message that has {} left", what, length, cursor.remaining())};
        return false;
    }
    part = {cursor.position(), static_cast<std::uint32_t>(length)};
    cursor.skip(static_cast<std::uint32_t>(length));
    return true;
}

} // namespace

bool readLegacyMessage(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, LegacyMessage& message,
                       Problem& problem) {
    message = {};
    problem = {};
    message.begin = begin;
    message.end = end;
    Cursor cursor(bytes, begin, end);
    message.offset = cursor.readI64();
    cursor.skip(4); // the size; `end` follows from it
    message.crc = cursor.readU32();
    message.magic = cursor.readI8();
    message.attributes = cursor.readU8();
    if (message.magic == 1) message.timestamp = cursor.readI64();
    if (cursor.ok() && (message.magic < 0 || message.magic > 1)) {
        problem = {ProblemKind::Malformed,
                   {},
                   begin + magicPlace,
                   fmt::format("a message of magic {} where only 0 and 1 can stand", message.magic)};
        return false;
    }
    if (readPart(cursor, "key", message.key, problem) && readPart(cursor, "value", message.value, problem)) {
        message.behind = cursor.position();
        return true;
    }
    if (cursor.failure() == Cursor::Failure::End)
        problem = {ProblemKind::Malformed, {}, cursor.position(), "the message is shorter than its layout"};
    else if (!cursor.ok())
        problem = missingBytes(bytes, cursor.position(), end, "a part of the message");
    return false;
}

NextEntry nextEntry(Cursor& set, EntryHead& entry) {
    Cursor cursor = set;
    entry.begin = cursor.position();
    entry.offset = cursor.readI64();
    const std::int32_t size = cursor.readI32();
    if (!cursor.ok()) return NextEntry::End;
    if (size < smallestEntrySize) return NextEntry::TooSmall;
    cursor.skip(static_cast<std::uint32_t>(size));
    if (!cursor.ok()) return NextEntry::End;
    entry.end = cursor.position();
    set = cursor;
    return NextEntry::Found;
}

} // namespace brokerscope
