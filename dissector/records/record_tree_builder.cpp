// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_tree_builder.h"

#include "dissector/records/legacy_message.h"

#include <array>

namespace brokerscope {

namespace {
constexpr std::size_t mostNodes = 4'000'000;
constexpr std::uint32_t lengthSize = 4; // in front of key and value of magic 0 and 1
} // namespace

// --- nodes

NodeIndex RecordTreeBuilder::open(NodeKind kind, const PlanField* field, std::uint32_t begin, std::uint32_t index) {
    FieldNode node;
    node.offset = begin;
    node.parent = m_open;
    node.kind = kind;
    node.field = field;
    node.index = index;
    m_open = static_cast<NodeIndex>(m_tree.nodes.size());
    m_tree.nodes.push_back(node);
    return m_open;
}

void RecordTreeBuilder::close(std::uint32_t end) {
    FieldNode& node = m_tree.nodes[m_open];
    node.length = end - node.offset;
    node.end = static_cast<NodeIndex>(m_tree.nodes.size());
    if (node.end == m_open + 1) node.damaged |= m_bytes.holeIn(node.offset, node.length) != Hole::None;
    m_open = node.parent;
}

NodeIndex RecordTreeBuilder::addLeaf(const PlanField* field, std::uint32_t begin, std::uint32_t end,
                                     std::uint32_t prefix) {
    const NodeIndex leaf = open(NodeKind::Field, field, begin);
    m_tree.nodes[leaf].prefix = static_cast<std::uint8_t>(prefix);
    close(end);
    return leaf;
}

void RecordTreeBuilder::addRaw(std::uint32_t begin, std::uint32_t end, NodeKind kind) {
    if (begin == end) return;
    m_tree.nodes[m_open].damaged |= kind == NodeKind::Raw;
    open(kind, nullptr, begin);
    close(end);
}

bool RecordTreeBuilder::hasRoom() {
    m_full = m_full || m_tree.nodes.size() >= mostNodes;
    return !m_full;
}

std::uint32_t RecordTreeBuilder::addHeader(std::span<const PlanField* const> fields, std::uint32_t begin,
                                           std::uint32_t end) {
    for (const PlanField* field : fields) {
        if (field->fixedSize > end - begin) break;
        addLeaf(field, begin, begin + field->fixedSize);
        begin += field->fixedSize;
    }
    return begin;
}

// --- entries of a set

NodeIndex RecordTreeBuilder::addBatch(const Batch& batch, std::uint32_t index) {
    if (!hasRoom()) {
        addRaw(batch.begin, batch.end);
        return noNode;
    }
    if (batch.magic < 2)
        return addMessage(NodeKind::Batch, batch.magic, batch.isWrapper(), batch.begin, batch.end, index);
    const RecordFields& fields = recordFields();
    NodeIndex compressed = noNode;
    open(NodeKind::Batch, fields.batch, batch.begin, index);
    const std::uint32_t begin = addHeader(fields.batchHeader, batch.begin, batch.end);
    const auto count = static_cast<std::uint32_t>(std::max(batch.recordCount, 0));
    if (batch.codec == Codec::None || count == 0)
        addRecords(begin, batch.end, count, batch.isControl);
    else
        compressed = addLeaf(fields.compressed, begin, batch.end);
    close(batch.end);
    return compressed;
}

void RecordTreeBuilder::addIncomplete(std::uint32_t begin, std::uint32_t end, std::uint32_t index) {
    const RecordFields& fields = recordFields();
    Cursor cursor(m_bytes, begin, end);
    cursor.skip(magicPlace);
    const std::int8_t magic = cursor.readI8();
    std::span<const PlanField* const> header = fields.entryHeader;
    if (cursor.ok() && magic == 2) header = fields.batchHeader;
    if (cursor.ok() && magic == 1) header = fields.messageHeader1;
    if (cursor.ok() && magic == 0) header = fields.messageHeader0;
    open(NodeKind::Batch, fields.incompleteBatch, begin, index);
    addRaw(addHeader(header, begin, end), end, NodeKind::Trailing);
    m_tree.nodes[m_open].damaged = true;
    close(end);
}

// --- magic 0 and 1

void RecordTreeBuilder::addMessages(std::uint32_t begin, std::uint32_t end) {
    const NodeIndex messages = open(NodeKind::Field, recordFields().records, begin);
    Cursor cursor(m_bytes, begin, end);
    EntryHead entry;
    std::uint32_t count = 0;
    for (; hasRoom() && nextEntry(cursor, entry) == NextEntry::Found; ++count) {
        Cursor magic(m_bytes, entry.begin + magicPlace, entry.end);
        addMessage(NodeKind::Record, magic.readI8(), false, entry.begin, entry.end, count);
    }
    addRaw(cursor.position(), end);
    m_tree.nodes[messages].index = count;
    close(end);
}

NodeIndex RecordTreeBuilder::addMessage(NodeKind kind, std::int8_t magic, bool wrapper, std::uint32_t begin,
                                        std::uint32_t end, std::uint32_t index) {
    const RecordFields& fields = recordFields();
    open(kind, fields.message, begin, index);
    NodeIndex compressed = noNode;
    std::uint32_t behind = begin;
    bool whole = false;
    if (magic == 0 || magic == 1) {
        const auto& header = magic == 0 ? fields.messageHeader0 : fields.messageHeader1;
        Cursor cursor(m_bytes, addHeader(header, begin, end), end);
        whole = addMessagePart(cursor, fields.messageKey);
        if (whole) {
            const auto value = static_cast<NodeIndex>(m_tree.nodes.size());
            whole = addMessagePart(cursor, wrapper ? fields.compressed : fields.messageValue);
            if (whole && wrapper && !m_tree.nodes[value].isNull) compressed = value;
        }
        behind = cursor.position();
    }
    addRaw(behind, end, whole ? NodeKind::Trailing : NodeKind::Raw);
    close(end);
    return compressed;
}

bool RecordTreeBuilder::addMessagePart(Cursor& cursor, const PlanField* field) {
    Cursor behind = cursor;
    const std::int32_t length = behind.readI32();
    const auto size = static_cast<std::uint32_t>(std::max(length, 0));
    if (!behind.ok() || size > behind.remaining()) return false;
    behind.skip(size);
    const NodeIndex part = addLeaf(field, cursor.position(), behind.position(), lengthSize);
    m_tree.nodes[part].isNull = length < 0;
    m_tree.nodes[part].index = size;
    cursor = behind;
    return true;
}

// --- magic 2

void RecordTreeBuilder::addRecords(std::uint32_t begin, std::uint32_t end, std::uint32_t count, bool control) {
    const NodeIndex records = open(NodeKind::Field, recordFields().records, begin);
    Cursor cursor(m_bytes, begin, end);
    std::uint32_t index = 0;
    while (index < count && hasRoom() && addRecord(cursor, index, control))
        ++index;
    addRaw(cursor.position(), end, index == count ? NodeKind::Trailing : NodeKind::Raw);
    m_tree.nodes[records].index = index;
    close(end);
}

bool RecordTreeBuilder::addRecord(Cursor& cursor, std::uint32_t index, bool control) {
    Cursor inside = cursor;
    const std::int32_t length = inside.readVarint();
    if (!inside.ok() || length < 0 || static_cast<std::uint32_t>(length) > inside.remaining()) return false;
    const std::uint32_t begin = cursor.position(), bodyBegin = inside.position();
    const std::uint32_t end = bodyBegin + static_cast<std::uint32_t>(length);
    const NodeIndex record = open(NodeKind::Record, recordFields().record, begin, index);
    m_tree.nodes[record].prefix = static_cast<std::uint8_t>(bodyBegin - begin);
    inside.setEnd(end);
    const bool whole = addRecordFields(inside, control);
    addRaw(inside.position(), end, whole ? NodeKind::Trailing : NodeKind::Raw);
    close(end);
    cursor.skip(end - begin);
    return true;
}

bool RecordTreeBuilder::addRecordFields(Cursor& cursor, bool control) {
    const RecordFields& fields = recordFields();
    if (!addNumber(cursor, fields.recordAttributes) || !addNumber(cursor, fields.timestampDelta) ||
        !addNumber(cursor, fields.offsetDelta))
        return false;
    const auto key = static_cast<NodeIndex>(m_tree.nodes.size());
    if (!addSized(cursor, fields.key)) return false;
    if (control) openControl(key, fields.controlKey, fields.controlKeyContent);
    const auto value = static_cast<NodeIndex>(m_tree.nodes.size());
    if (!addSized(cursor, fields.value)) return false;
    if (control && isEndMarker(key)) openControl(value, fields.endMarker, fields.endMarkerContent);
    return addHeaders(cursor);
}

bool RecordTreeBuilder::addNumber(Cursor& cursor, const PlanField* field) {
    Cursor behind = cursor;
    switch (field->type) {
    case FieldType::Varint:
        behind.readVarint();
        break;
    case FieldType::Varlong:
        behind.readVarlong();
        break;
    default:
        behind.skip(field->fixedSize);
        break;
    }
    if (!behind.ok()) return false;
    addLeaf(field, cursor.position(), behind.position());
    cursor = behind;
    return true;
}

// Bytes or text behind their length as a varint; negative is null.
bool RecordTreeBuilder::addSized(Cursor& cursor, const PlanField* field) {
    Cursor behind = cursor;
    const std::int32_t length = behind.readVarint();
    const auto size = static_cast<std::uint32_t>(std::max(length, 0));
    if (!behind.ok() || size > behind.remaining() || (length < 0 && !field->nullable)) return false;
    const std::uint32_t prefix = behind.position() - cursor.position();
    behind.skip(size);
    const NodeIndex leaf = addLeaf(field, cursor.position(), behind.position(), prefix);
    m_tree.nodes[leaf].isNull = length < 0;
    m_tree.nodes[leaf].index = size;
    cursor = behind;
    return true;
}

bool RecordTreeBuilder::addHeaders(Cursor& cursor) {
    const RecordFields& fields = recordFields();
    Cursor inside = cursor;
    const std::int32_t count = inside.readVarint();
    if (!inside.ok() || count < 0 || static_cast<std::uint32_t>(count) > inside.remaining()) return false;
    const NodeIndex headers = open(NodeKind::Field, fields.headers, cursor.position());
    m_tree.nodes[headers].prefix = static_cast<std::uint8_t>(inside.position() - cursor.position());
    m_tree.nodes[headers].index = static_cast<std::uint32_t>(count);
    bool whole = true;
    for (std::int32_t i = 0; i < count && whole; ++i) {
        whole = hasRoom();
        if (!whole) break;
        open(NodeKind::RecordHeader, fields.header, inside.position(), static_cast<std::uint32_t>(i));
        whole = addSized(inside, fields.headerKey) && addSized(inside, fields.headerValue);
        close(inside.position());
    }
    m_tree.nodes[headers].damaged = !whole;
    close(inside.position());
    cursor = inside;
    return whole;
}

// --- control records

void RecordTreeBuilder::openControl(NodeIndex index, const PlanField* field,
                                    std::span<const PlanField* const> content) {
    std::uint32_t needed = 0;
    for (const PlanField* part : content)
        needed += part->fixedSize;
    const FieldNode node = m_tree.nodes[index];
    if (node.isNull || node.contentLength() < needed) return;
    m_tree.nodes.pop_back();
    open(node.kind, field, node.offset);
    m_tree.nodes[index].prefix = node.prefix;
    const std::uint32_t end = node.offset + node.length;
    addRaw(addHeader(content, node.contentOffset(), end), end, NodeKind::Trailing);
    close(end);
}

bool RecordTreeBuilder::isEndMarker(NodeIndex key) const {
    const FieldNode& node = m_tree.nodes[key];
    if (node.field != recordFields().controlKey) return false;
    Cursor cursor(m_bytes, node.contentOffset(), node.offset + node.length);
    cursor.skip(2); // the version
    const std::int16_t type = cursor.readI16();
    return cursor.ok() && (type == 0 || type == 1); // ABORT, COMMIT
}

} // namespace brokerscope
