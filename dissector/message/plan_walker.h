// SPDX-License-Identifier: Apache-2.0
// Runs a plan over bytes: the one interpreter behind the field tree, the skim and the plausibility check. What happens
// with the fields is the visitor's business; what is on the wire, where it ends and what is wrong is decided here.
//
//     walk -> fields -> field -> array -> value -> fixed | text | structure -> fields ... -> tagBuffer
//
// Every step returns whether the place behind it is known. False stops the walk: the bytes contradict the layout, or a
// length is missing. Missing bytes of known length do not stop it.
// Limits: a count or length is held against the bytes left (of the message as announced, not only as captured) before
//         anything is done with it. Recursion is bounded by the schema's depth (60).
// Memory: none of its own. Threads: one per walker.
#pragma once

#include "dissector/message/field_tree.h"
#include "dissector/wire/cursor.h"
#include "dissector/wire/problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

// Where a value stands: its first byte (with tag and size), and whether it is a field or the entry of an array.
struct Place {
    std::uint32_t begin = 0;
    NodeKind kind = NodeKind::Field;
    std::uint32_t index = 0;
};

// A visitor has
//   static constexpr bool skims: hears only of values that are `wanted`, and of no tag buffers
//   static constexpr bool explains: problems come with their text; else problem() gets an empty one
//   void fixed(const PlanField&, Place, const std::uint8_t* bytes, std::uint32_t end);
//   void text(const PlanField&, Place, std::uint32_t content, std::uint32_t length);    string, bytes, records
//   void null(const PlanField&, Place, std::uint32_t end);
//   void damaged(const PlanField&, Place, std::uint32_t content, std::uint32_t end, std::uint32_t announced);
//       a value that is not all there; announced: its length as far as it can be believed, else 0
//   void open(const PlanField&, Place, std::uint32_t content, std::uint32_t count);     struct, array, element
//   void openTags(std::uint32_t begin, std::uint32_t content);
//   void emptyTags(std::uint32_t begin, std::uint32_t end);
//   void close(std::uint32_t end, bool whole);
//   void unknownTag(std::uint32_t tag, std::uint32_t begin, std::uint32_t content, std::uint32_t end, bool whole);
//   void rest(std::uint32_t begin, std::uint32_t end);                                  behind a field in its tag
//   bool countsOnly(const PlanField&) const;       the entries of this array (each of a fixed size) are not needed
//   void counted(const PlanField&, std::uint32_t); skims only: the count of an array that countsPartitions
//   bool full() const;
//   void problem(ProblemKind, const PlanField*, Place, std::uint32_t offset, std::string text);
template<class Visitor>
class PlanWalker {
  public:
    // The cursor stands at the first byte and ends where the captured bytes end; the message ends at `limit`. Of
    // missing bytes before `toldUntil` somebody has spoken already.
    PlanWalker(const Plan& plan, Cursor& in, std::uint32_t limit, Visitor& visitor, std::uint32_t toldUntil = 0)
        : m_plan(plan), m_in(in), m_limit(limit), m_visitor(visitor), m_toldUntil(toldUntil) {}

    bool walk() { return fields(m_plan.root()); }
    std::uint32_t toldUntil() const { return m_toldUntil; }

  private:
    bool fields(const PlanField& parent);
    bool field(const PlanField& field, Place place) {
        return field.isArray ? array(field, place) : value(field, place);
    }
    bool value(const PlanField& field, Place place) {
        if (field.type == FieldType::Struct) return structure(field, place);
        return field.fixedSize ? fixed(field, place) : text(field, place);
    }
    bool array(const PlanField& field, Place place);
    bool elements(const PlanField& field, std::uint32_t count);
    std::uint32_t skipUniform(const PlanField& field, std::uint32_t count);
    bool structure(const PlanField& field, Place place);
    bool fixed(const PlanField& field, Place place);
    bool text(const PlanField& field, Place place);
    bool tagBuffer(const PlanField& parent);
    bool tags(const PlanField& parent, std::uint32_t count);
    bool oneTag(const PlanField& parent, std::uint64_t& seen);
    bool knownTag(const PlanField& field, Place place, std::uint32_t size);

    // The rarely taken ways.
    bool fixedAcross(const PlanField& field, Place place);
    bool textAcross(const PlanField& field, Place place, std::uint32_t length);
    bool missingLength(const PlanField* field, Place place);
    bool tooLarge(const PlanField* field, Place place, std::string_view what, std::uint64_t number);
    void nullWhereNone(const PlanField& field, Place place);
    void missing(const PlanField* field, Place place, std::uint32_t begin, std::uint32_t end);
    bool passOver(std::uint32_t bytes);
    bool stopAtLimit(const PlanField* field, Place place);
    template<class... Args>
    void complain(ProblemKind kind, const PlanField* field, Place place, std::uint32_t offset,
                  fmt::format_string<Args...> text, Args&&... args) {
        if constexpr (Visitor::explains)
            m_visitor.problem(kind, field, place, offset, fmt::format(text, std::forward<Args>(args)...));
        else
            m_visitor.problem(kind, field, place, offset, {});
    }
    enum class Counts : bool { Bytes, Entries };
    bool readLength(const PlanField& field, Place place, Counts counts, std::int64_t& length);

    std::uint32_t left() const { return m_limit - m_in.position(); }
    // Skims do not hear of what they do not want.
    static bool tells(const PlanField& field) { return !Visitor::skims || field.wanted; }

    const Plan& m_plan;
    Cursor& m_in;
    std::uint32_t m_limit;
    Visitor& m_visitor;
    std::uint32_t m_toldUntil; // missing bytes before this place have been reported
};

template<class Visitor>
bool PlanWalker<Visitor>::fields(const PlanField& parent) {
    const PlanField* all = m_plan.fields.data();
    for (std::uint32_t i = parent.childBegin; i < parent.taggedBegin;) {
        const PlanField& next = all[i];
        if constexpr (Visitor::skims) {
            if (next.skipFields && m_in.take(next.skipBytes)) {
                i += next.skipFields;
                continue;
            }
        }
        if (!field(next, {m_in.position(), NodeKind::Field, 0})) return false;
        ++i;
    }
    return !m_plan.flexible || tagBuffer(parent);
}

template<class Visitor>
bool PlanWalker<Visitor>::fixed(const PlanField& field, Place place) {
    const std::uint8_t* bytes = m_in.take(field.fixedSize);
    if (!bytes) return fixedAcross(field, place);
    if (tells(field)) m_visitor.fixed(field, place, bytes, m_in.position());
    return true;
}

template<class Visitor>
bool PlanWalker<Visitor>::fixedAcross(const PlanField& field, Place place) {
    const std::uint32_t content = m_in.position(), size = field.fixedSize;
    if (size > left()) {
        m_visitor.damaged(field, place, content, content, 0);
        return tooLarge(&field, place, name(field.type), size);
    }
    std::uint8_t copy[16];
    Cursor reading = m_in;
    if (reading.read(copy, size)) {
        m_in = reading;
        if (tells(field)) m_visitor.fixed(field, place, copy, m_in.position());
        return true;
    }
    const std::uint32_t there = std::min(content + size, m_in.end());
    missing(&field, place, content, content + size);
    m_visitor.damaged(field, place, content, there, size);
    m_in.skip(there - content);
    return there == content + size;
}

// The length or count in front of a value; -1 is null.
template<class Visitor>
bool PlanWalker<Visitor>::readLength(const PlanField& field, Place place, Counts counts, std::int64_t& length) {
    if (field.compact) {
        length = std::int64_t{m_in.readUvarint()} - 1;
    } else if (field.type == FieldType::String && counts == Counts::Bytes) {
        length = m_in.readI16();
    } else if (field.type == FieldType::JavaText && counts == Counts::Bytes) {
        length = m_in.readU16();
    } else {
        length = m_in.readI32();
        if (field.type == FieldType::Utf16 && counts == Counts::Bytes) length = length == 0 ? -1 : 2 * length;
    }
    if (!m_in.ok()) return missingLength(&field, place);
    if (length >= -1) return true;
    complain(ProblemKind::Malformed, &field, place, place.begin, "{} {}",
             counts == Counts::Entries ? "count" : "length", length);
    m_visitor.damaged(field, place, m_in.position(), m_in.position(), 0);
    return false;
}

template<class Visitor>
bool PlanWalker<Visitor>::text(const PlanField& field, Place place) {
    std::int64_t announced = 0;
    if (!readLength(field, place, Counts::Bytes, announced)) return false;
    if (announced < 0) {
        if (place.kind == NodeKind::Element || !field.nullable) nullWhereNone(field, place);
        if (tells(field)) m_visitor.null(field, place, m_in.position());
        return true;
    }
    const std::uint32_t content = m_in.position();
    if (announced > left() || (field.type == FieldType::String && announced > 32767)) {
        m_visitor.damaged(field, place, content, content, 0);
        return tooLarge(&field, place, "length", static_cast<std::uint64_t>(announced));
    }
    const auto length = static_cast<std::uint32_t>(announced);
    if (length > 0 && !m_in.take(length)) return textAcross(field, place, length);
    if (tells(field)) m_visitor.text(field, place, content, length);
    return true;
}

template<class Visitor>
bool PlanWalker<Visitor>::textAcross(const PlanField& field, Place place, std::uint32_t length) {
    const std::uint32_t content = m_in.position(), there = std::min(content + length, m_in.end());
    const bool whole = there == content + length && m_in.chain().holeIn(content, length) == Hole::None;
    m_in.skip(there - content);
    if (whole) {
        if (tells(field)) m_visitor.text(field, place, content, length);
        return true;
    }
    missing(&field, place, content, content + length);
    m_visitor.damaged(field, place, content, there, length);
    return there == content + length;
}

template<class Visitor>
bool PlanWalker<Visitor>::array(const PlanField& field, Place place) {
    std::int64_t announced = 0;
    if (!readLength(field, place, Counts::Entries, announced)) return false;
    if (announced < 0) {
        if (!field.nullable) nullWhereNone(field, place);
        if (tells(field)) m_visitor.null(field, place, m_in.position());
        return true;
    }
    if (static_cast<std::uint64_t>(announced) * field.minSize > left()) {
        m_visitor.damaged(field, place, m_in.position(), m_in.position(), 0);
        return tooLarge(&field, place, "count", static_cast<std::uint64_t>(announced));
    }
    const auto count = static_cast<std::uint32_t>(announced);
    if constexpr (Visitor::skims)
        if (field.countsPartitions) m_visitor.counted(field, count);
    if (field.fixedSize && m_visitor.countsOnly(field) && passOver(count * field.fixedSize)) return true;
    m_visitor.open(field, place, m_in.position(), count);
    const bool whole = elements(field, count);
    m_visitor.close(m_in.position(), whole);
    return whole;
}

template<class Visitor>
bool PlanWalker<Visitor>::elements(const PlanField& field, std::uint32_t count) {
    std::uint32_t i = 0;
    if constexpr (Visitor::skims) {
        if (!field.wanted && field.runBytes && m_plan.flexible) i = skipUniform(field, count);
    }
    for (; i < count; ++i) {
        const Place place{m_in.position(), NodeKind::Element, i};
        if (m_visitor.full()) return stopAtLimit(&field, place);
        if (!value(field, place)) return false;
    }
    return true;
}

// Entries that are nothing but unwanted fields of a fixed size and an empty tag buffer, as most are. Returns how many
// were passed; the next one is different, or does not lie in one slice.
template<class Visitor>
std::uint32_t PlanWalker<Visitor>::skipUniform(const PlanField& field, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint8_t* entry = m_in.peek(field.runBytes + 1);
        if (!entry || entry[field.runBytes] != 0) return i;
        m_in.take(field.runBytes + 1);
    }
    return count;
}

template<class Visitor>
bool PlanWalker<Visitor>::structure(const PlanField& field, Place place) {
    if (field.nullable && place.kind == NodeKind::Field) {
        // One byte, negative for null; inside a tag a uvarint, 0 for null.
        const bool isNull = field.tagged() ? m_in.readUvarint() == 0 : m_in.readI8() < 0;
        if (!m_in.ok()) return missingLength(&field, place);
        if (isNull) {
            if (tells(field)) m_visitor.null(field, place, m_in.position());
            return true;
        }
    }
    m_visitor.open(field, place, m_in.position(), 0);
    const bool whole = fields(field);
    m_visitor.close(m_in.position(), whole);
    return whole;
}

template<class Visitor>
bool PlanWalker<Visitor>::tagBuffer(const PlanField& parent) {
    const std::uint32_t begin = m_in.position();
    const std::uint32_t count = m_in.readUvarint();
    const Place place{begin, NodeKind::TagBuffer, 0};
    if (!m_in.ok()) return missingLength(nullptr, place);
    if (count == 0) {
        if constexpr (!Visitor::skims) m_visitor.emptyTags(begin, m_in.position());
        return true;
    }
    if constexpr (!Visitor::skims) m_visitor.openTags(begin, m_in.position());
    const bool whole = count > left() / 2 ? tooLarge(nullptr, place, "count", count) : tags(parent, count);
    if constexpr (!Visitor::skims) m_visitor.close(m_in.position(), whole);
    return whole;
}

template<class Visitor>
bool PlanWalker<Visitor>::tags(const PlanField& parent, std::uint32_t count) {
    std::uint64_t seen = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (m_visitor.full()) return stopAtLimit(nullptr, {m_in.position(), NodeKind::UnknownTag, 0});
        if (!oneTag(parent, seen)) return false;
    }
    return true;
}

template<class Visitor>
bool PlanWalker<Visitor>::oneTag(const PlanField& parent, std::uint64_t& seen) {
    Place place{m_in.position(), NodeKind::UnknownTag, 0};
    const std::uint32_t tag = m_in.readUvarint();
    const std::uint32_t size = m_in.readUvarint();
    place.index = tag;
    if (!m_in.ok()) {
        m_visitor.unknownTag(tag, place.begin, m_in.position(), m_in.position(), false);
        return missingLength(nullptr, place);
    }
    const std::uint32_t content = m_in.position();
    if (size > left()) {
        m_visitor.unknownTag(tag, place.begin, content, content, false);
        return tooLarge(nullptr, place, "size", size);
    }
    for (std::uint32_t i = parent.taggedBegin; i < parent.childEnd; ++i) {
        const PlanField& known = m_plan.fields[i];
        const std::uint64_t bit = std::uint64_t{1} << ((i - parent.taggedBegin) & 63u);
        if (known.tag != static_cast<std::int64_t>(tag) || (seen & bit)) continue; // the first of its kind counts
        seen |= bit;
        return knownTag(known, {place.begin, NodeKind::Field, 0}, size);
    }
    const std::uint32_t there = std::min(content + size, m_in.end());
    const bool whole = there == content + size && m_in.chain().holeIn(content, size) == Hole::None;
    if (!whole) missing(nullptr, place, content, content + size);
    m_in.skip(there - content);
    m_visitor.unknownTag(tag, place.begin, content, there, whole);
    return there == content + size;
}

// The size of a tag is a limit of its own: what goes wrong inside does not reach beyond.
template<class Visitor>
bool PlanWalker<Visitor>::knownTag(const PlanField& known, Place place, std::uint32_t size) {
    const std::uint32_t outerLimit = m_limit, outerEnd = m_in.end(), end = m_in.position() + size;
    m_limit = end;
    m_in.setEnd(end);
    const bool whole = field(known, place);
    m_limit = outerLimit;
    m_in.setEnd(outerEnd);
    if (!whole) return false;
    const std::uint32_t position = m_in.position();
    if (position == end) return true;
    complain(ProblemKind::Malformed, &known, place, position, "{} bytes of the tag are left behind the field",
             end - position);
    const std::uint32_t there = std::min(end, m_in.end());
    m_visitor.rest(position, there);
    m_in.skip(there - position);
    return there == end;
}

template<class Visitor>
bool PlanWalker<Visitor>::missingLength(const PlanField* field, Place place) {
    const std::uint32_t position = m_in.position();
    if (m_in.failure() == Cursor::Failure::BadVarint) {
        complain(ProblemKind::Malformed, field, place, position, "a variable-length number of more than 5 bytes");
    } else if (m_in.failure() == Cursor::Failure::End && m_in.end() >= m_limit) {
        complain(ProblemKind::Malformed, field, place, position, "the message ends here");
    } else if (m_in.failure() == Cursor::Failure::End) {
        missing(field, place, m_in.end(), m_limit);
    } else {
        missing(field, place, position, m_limit); // the hole that was met is the next one
    }
    if (field) m_visitor.damaged(*field, place, position, position, 0);
    return false;
}

template<class Visitor>
bool PlanWalker<Visitor>::tooLarge(const PlanField* field, Place place, std::string_view what, std::uint64_t number) {
    complain(ProblemKind::Malformed, field, place, place.begin, "{} {} needs more than the {} bytes left", what, number,
             left());
    return false;
}

// Kafka refuses this; what follows can be read all the same.
template<class Visitor>
void PlanWalker<Visitor>::nullWhereNone(const PlanField& field, Place place) {
    complain(ProblemKind::Malformed, &field, place, place.begin, "null, which this field may not be");
}

// Says why bytes of [begin, end) are not there; the first that is missing decides. Of all the fields inside one hole
// only the first speaks.
template<class Visitor>
void PlanWalker<Visitor>::missing(const PlanField* field, Place place, std::uint32_t begin, std::uint32_t end) {
    const auto& pieces = m_in.chain().pieces();
    std::uint32_t offset = std::min(end, m_in.end());
    Hole hole = Hole::None;
    bool streamEnded = false;
    std::uint32_t behind = m_limit;
    for (std::size_t i = begin < offset ? m_in.chain().pieceAt(begin) : pieces.size(); i < pieces.size(); ++i) {
        if (pieces[i].offset >= offset) break;
        if (pieces[i].slice.data) continue;
        offset = std::max(begin, pieces[i].offset);
        hole = pieces[i].slice.hole;
        streamEnded = !pieces[i].slice.packet; // see FrameReader::end()
        behind = pieces[i].offset + pieces[i].slice.length;
        break;
    }
    if (offset < m_toldUntil) return;
    m_toldUntil = behind;
    if (hole == Hole::Lost)
        complain(ProblemKind::Gap, field, place, offset, "{} bytes were lost on the way", behind - offset);
    else if (hole == Hole::Cut && streamEnded)
        complain(ProblemKind::Truncated, field, place, offset, "the stream ended {} bytes before the message's end",
                 behind - offset);
    else if (hole == Hole::Cut)
        complain(ProblemKind::Truncated, field, place, offset, "{} bytes were cut by the snap length", behind - offset);
    else
        complain(ProblemKind::Truncated, field, place, offset,
                 "the capture ends inside the message, {} bytes of it are missing", m_limit - offset);
}

template<class Visitor>
bool PlanWalker<Visitor>::stopAtLimit(const PlanField* field, Place place) {
    complain(ProblemKind::Limit, field, place, place.begin, "more fields than are kept of one message");
    return false;
}

// Moves over bytes that nobody looks at, if all of them are there.
template<class Visitor>
bool PlanWalker<Visitor>::passOver(std::uint32_t bytes) {
    if (m_in.take(bytes)) return true;
    const std::uint32_t begin = m_in.position();
    if (bytes > m_in.end() - begin || m_in.chain().holeIn(begin, bytes) != Hole::None) return false;
    m_in.skip(bytes);
    return true;
}

} // namespace brokerscope
