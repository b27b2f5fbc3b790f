// SPDX-License-Identifier: Apache-2.0
#include "gui/models/field_texts.h"

#include "dissector/message/secrets.h"
#include "dissector/records/record_fields.h"
#include "gui/models/filter_completion.h"
#include "gui/models/texts.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace brokerscope {

namespace {

constexpr int mostCharacters = 256;
constexpr std::size_t mostBytes = 24;
constexpr std::uint32_t mostRead = 64 * 1024; // of a text or bytes field, to be shown

QString tr(const char* text) {
    return QCoreApplication::translate("fields", text);
}

QString fromName(std::string_view text) {
    return texts::fromUtf8(text);
}

std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool isMilliseconds(Semantic semantic) {
    return semantic == Semantic::Milliseconds || semantic == Semantic::ThrottleTime || semantic == Semantic::MaxWait;
}

// "5 min", "1.5 s"; empty below a second: the number says it already.
QString inLargerUnit(std::int64_t milliseconds) {
    const double seconds = static_cast<double>(milliseconds) / 1000;
    const auto text = [](double value, const QString& unit) {
        return QStringLiteral("%1 %2").arg(QString::number(value, 'g', 4), unit);
    };
    if (seconds < 1) return {};
    if (seconds < 120) return text(seconds, tr("s"));
    if (seconds < 2 * 3600) return text(seconds / 60, tr("min"));
    if (seconds < 2 * 86400) return text(seconds / 3600, tr("h"));
    return text(seconds / 86400, tr("days"));
}

QString typeName(FieldType type) {
    switch (type) {
    case FieldType::Bool:
        return QStringLiteral("bool");
    case FieldType::Int8:
        return QStringLiteral("int8");
    case FieldType::Int16:
        return QStringLiteral("int16");
    case FieldType::Uint16:
        return QStringLiteral("uint16");
    case FieldType::Int32:
        return QStringLiteral("int32");
    case FieldType::Uint32:
        return QStringLiteral("uint32");
    case FieldType::Int64:
        return QStringLiteral("int64");
    case FieldType::Uvarint:
        return QStringLiteral("uvarint");
    case FieldType::Varint:
        return QStringLiteral("varint");
    case FieldType::Varlong:
        return QStringLiteral("varlong");
    case FieldType::Float64:
        return QStringLiteral("float64");
    case FieldType::Uuid:
        return QStringLiteral("uuid");
    case FieldType::String:
        return QStringLiteral("string");
    case FieldType::JavaText:
    case FieldType::Utf16:
        return QStringLiteral("text");
    case FieldType::Bytes:
        return QStringLiteral("bytes");
    case FieldType::Records:
        return QStringLiteral("records");
    case FieldType::Struct:
        return QStringLiteral("struct");
    }
    return {};
}

QString codecName(Codec codec) {
    return fromName(name(codec));
}

bool standsForAnEntry(const SchemaField& field) {
    switch (field.semantic) {
    case Semantic::Topic:
    case Semantic::TopicId:
    case Semantic::Partition:
    case Semantic::Group:
    case Semantic::Member:
    case Semantic::TransactionalId:
    case Semantic::ProducerId:
    case Semantic::NodeId:
    case Semantic::ApiKey:
        return true;
    default:
        return field.type == FieldType::String;
    }
}

} // namespace

const SchemaField* FieldTexts::schema(NodeIndex node) const {
    return at(node).field ? at(node).field->schema : nullptr;
}

std::optional<FieldValue> FieldTexts::read(NodeIndex node) const {
    const FieldNode& its = at(node);
    if (its.contentLength() > mostRead && its.field &&
        (its.field->type == FieldType::Bytes || its.field->type == FieldType::String)) {
        FieldNode cut = its; // the first bytes of something long
        cut.length = cut.prefix + mostRead;
        return readValue(m_part.bytes, cut, m_scratch);
    }
    return readValue(m_part.bytes, its, m_scratch);
}

// ---- names

QString FieldTexts::key(NodeIndex element) const {
    for (NodeIndex child = m_part.tree.firstChild(element); child != noNode; child = m_part.tree.nextSibling(child)) {
        const SchemaField* field = schema(child);
        if (!field || !at(child).isValue() || at(child).damaged) continue;
        if (field->semantic == Semantic::Error || field->semantic == Semantic::ErrorMessage) continue;
        if (!standsForAnEntry(*field)) return {};
        const std::optional<FieldValue> value = read(child);
        if (!value || value->kind == FieldValue::Kind::Null) continue;
        if (value->kind == FieldValue::Kind::Text) return texts::escaped(asText(value->bytes), 60);
        if (field->semantic == Semantic::Partition) return tr("partition %1").arg(value->integer);
        if (field->semantic == Semantic::NodeId) return tr("node %1").arg(value->integer);
        if (field->semantic == Semantic::ProducerId) return tr("producer %1").arg(value->integer);
        if (value->kind == FieldValue::Kind::Uuid) {
            const FieldText id = uuid(value->bytes, field);
            const qsizetype arrow = id.text.indexOf(QStringLiteral(" → "));
            return arrow < 0 ? id.text.section(u' ', 0, 0) : id.text.mid(arrow + 3);
        }
        return number(field, value->integer).text;
    }
    return {};
}

QString FieldTexts::name(NodeIndex node) const {
    const FieldNode& its = at(node);
    switch (its.kind) {
    case NodeKind::Message:
        return tr("Message");
    case NodeKind::FrameLength:
        return tr("Size");
    case NodeKind::Header:
        return tr("Header");
    case NodeKind::Body:
        return tr("Body");
    case NodeKind::TagBuffer:
        return tr("Tagged fields");
    case NodeKind::UnknownTag:
        return tr("Tag %1 (not known in v%2)").arg(its.index).arg(m_part.layoutVersion);
    case NodeKind::Raw:
        return tr("Bytes");
    case NodeKind::Trailing:
        return tr("Left over");
    case NodeKind::Batch:
        if (its.field == recordFields().message) return tr("Message %1").arg(its.index);
        return tr("Batch %1").arg(its.index);
    case NodeKind::Record:
        return tr("Record %1").arg(its.index);
    case NodeKind::RecordHeader:
        return tr("Header %1").arg(its.index);
    case NodeKind::Element: {
        const QString entry = its.field && its.field->type == FieldType::Struct ? key(node) : QString();
        return entry.isEmpty() ? QStringLiteral("[%1]").arg(its.index)
                               : QStringLiteral("[%1]  %2").arg(its.index).arg(entry);
    }
    case NodeKind::Lead:
    case NodeKind::Field:
        break;
    }
    const SchemaField* field = schema(node);
    if (!field) return tr("Field");
    if (its.field->tagged() && its.field->tag >= 0)
        return tr("Tag %1  %2").arg(its.field->tag).arg(fromName(field->name));
    return fromName(field->name);
}

QString FieldTexts::lengthName(NodeIndex node) const {
    const FieldNode& its = at(node);
    if (its.kind == NodeKind::TagBuffer || its.isArray()) return tr("count");
    if (its.kind == NodeKind::UnknownTag || (its.field && its.field->tagged())) return tr("tag and size");
    return tr("length");
}

FieldText FieldTexts::length(NodeIndex node) const {
    const FieldNode& its = at(node);
    const std::optional<Bytes> prefix = m_part.bytes.view(its.offset, its.prefix, m_scratch);
    if (!prefix) return {tr("not captured"), FieldLook::Damage};
    const QString hex = QStringLiteral("0x") + texts::hex(*prefix).remove(u' ');
    if (its.isNull) return {tr("null (%1)").arg(hex), FieldLook::Dim};
    if (its.field && its.field->tagged()) return {hex, FieldLook::Dim};
    const std::uint32_t said =
        its.isArray() || (its.field && its.field->type == FieldType::String) ? its.index : its.contentLength();
    if (its.field && its.field->compact) return {tr("%1 (varint %2 = %1 + 1)").arg(said).arg(hex), FieldLook::Dim};
    return {QStringLiteral("%1 (%2)").arg(said).arg(hex), FieldLook::Dim};
}

QString FieldTexts::type(NodeIndex node) const {
    const FieldNode& its = at(node);
    if (!its.field) return {};
    QString text = typeName(its.field->type);
    if (its.field->type == FieldType::Struct && its.field->schema) text = fromName(its.field->schema->name);
    if (its.kind == NodeKind::Field && its.field->isArray) text.prepend(QStringLiteral("[]"));
    if (its.field->nullable) text += u'?';
    return text;
}

// ---- values

FieldText FieldTexts::enumerated(const SchemaField& field, std::int64_t value) const {
    const std::string_view word = m_around.protocol->enumName(field.enumName, value);
    if (!word.empty()) return {QStringLiteral("%1 %2").arg(value).arg(fromName(word))};
    // Many enumerations only name the special values of a number.
    const std::vector<EnumValue>* values = m_around.protocol->enumeration(field.enumName);
    const bool onlySpecial = values && values->size() <= 3 && field.type != FieldType::Int8;
    if (onlySpecial) return {QString::number(value)};
    return {tr("%1 (no such %2)").arg(value).arg(fromName(field.enumName))};
}

FieldText FieldTexts::number(const SchemaField* field, std::int64_t value) const {
    if (!field) return {QString::number(value)};
    switch (field->semantic) {
    case Semantic::Error: {
        if (value == 0) return {QStringLiteral("0 NONE"), FieldLook::Dim};
        const ErrorCode* known = m_around.protocol->error(static_cast<std::int16_t>(value));
        if (!known) return {tr("%1 (unknown error code)").arg(value), FieldLook::Error};
        return {QStringLiteral("%1 %2%3").arg(value).arg(fromName(known->name),
                                                         known->retriable ? QStringLiteral(" ↻") : QString()),
                FieldLook::Error};
    }
    case Semantic::ApiKey: {
        const Api* api = m_around.protocol->api(static_cast<std::int16_t>(value));
        return {api ? QStringLiteral("%1 %2").arg(value).arg(fromName(api->name)) : QString::number(value)};
    }
    case Semantic::Time: {
        if (value == -1) return {tr("-1 none"), FieldLook::Dim};
        constexpr std::int64_t most = 9'000'000'000'000; // the year 2255; beyond is no time of a record
        if (value < 0 || value > most) return {QString::number(value)};
        const Timestamp time{std::chrono::milliseconds(value)};
        return {QStringLiteral("%1  %2 UTC").arg(value).arg(texts::date(time, 3, false))};
    }
    case Semantic::Size: {
        QString text = QString::number(value);
        if (value >= 1024) text += QStringLiteral(" (%1)").arg(texts::bytesShort(static_cast<std::uint64_t>(value)));
        return {text};
    }
    case Semantic::BitField: {
        QStringList words;
        if (const std::vector<EnumValue>* bits = m_around.protocol->enumeration(field->enumName); bits && value > 0)
            for (const EnumValue& bit : *bits)
                if (bit.value >= 0 && bit.value < 63 && (value >> bit.value & 1)) words << fromName(bit.name);
        return {words.isEmpty() ? QString::number(value)
                                : QStringLiteral("%1 (%2)").arg(value).arg(words.join(QStringLiteral(", ")))};
    }
    default:
        break;
    }
    if (isMilliseconds(field->semantic)) {
        const QString larger = value > 0 ? inLargerUnit(value) : QString();
        return {larger.isEmpty() ? tr("%1 ms").arg(value) : tr("%1 ms (%2)").arg(value).arg(larger)};
    }
    if (!field->enumName.empty()) return enumerated(*field, value);
    return {QString::number(value)};
}

FieldText FieldTexts::uuid(Bytes bytes, const SchemaField* field) const {
    std::array<std::uint8_t, 16> id{};
    std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), id.size()), id.begin());
    const QString text = fromName(uuidText(id));
    if (id == std::array<std::uint8_t, 16>{}) return {tr("%1 none").arg(text), FieldLook::Dim};
    if (!field || field->semantic != Semantic::TopicId || !m_around.topicName) return {text};
    const std::string topic = m_around.topicName(id);
    if (topic.empty()) return {tr("%1 (topic not named in this capture)").arg(text)};
    return {QStringLiteral("%1 → %2").arg(text, texts::escaped(topic))};
}

FieldText FieldTexts::bytesText(Bytes bytes) const {
    if (bytes.empty()) return {tr("empty"), FieldLook::Dim};
    const QString size = texts::bytes(bytes.size());
    const Bytes shown = bytes.first(std::min<std::size_t>(bytes.size(), mostCharacters));
    if (texts::printable(shown))
        return {QStringLiteral("%1  %2").arg(size, texts::quoted(asText(bytes), mostCharacters))};
    return {QStringLiteral("%1  %2").arg(size, texts::hex(bytes, mostBytes))};
}

QString FieldTexts::problemAt(NodeIndex node) const {
    const FieldNode& its = at(node);
    for (const Problem& problem : m_part.problems)
        if (problem.offset >= its.offset && problem.offset <= its.offset + its.length && !problem.text.empty())
            return QStringLiteral("%1: %2").arg(fromName(row(problem.kind).name), fromName(problem.text));
    return {};
}

FieldText FieldTexts::damaged(NodeIndex node) const {
    const FieldNode& its = at(node);
    std::vector<std::uint8_t> here;
    m_part.bytes.copyAvailable(its.contentOffset(), std::min(its.contentLength(), mostRead), here);
    if (its.field && its.field->type == FieldType::String && !here.empty()) {
        const std::uint32_t said = std::max(its.index, its.contentLength());
        return {tr("%1 (%2 of %3 bytes captured)").arg(texts::quoted(asText(here), 60)).arg(here.size()).arg(said),
                FieldLook::Damage};
    }
    if (m_part.bytes.holeIn(its.offset, std::max(its.length, 1U)) != Hole::None)
        return {tr("not captured"), FieldLook::Damage};
    const QString problem = problemAt(node);
    if (!problem.isEmpty()) return {problem, FieldLook::Damage};
    return {m_part.tree.hasChildren(node) ? tr("not whole") : tr("could not be read"), FieldLook::Damage};
}

FieldText FieldTexts::openedText(const OpenedPayload& payload) const {
    const QString size = texts::bytes(at(payload.node).contentLength());
    if (!payload.version) return {QStringLiteral("%1, %2").arg(fromName(payload.type), size)};
    return {QStringLiteral("%1 v%2, %3").arg(fromName(payload.type)).arg(*payload.version).arg(size)};
}

FieldText FieldTexts::value(NodeIndex node) const {
    const FieldNode& its = at(node);
    if (const OpenedPayload* payload = m_part.openedAt(node)) return openedText(*payload);
    switch (its.kind) {
    case NodeKind::Message:
    case NodeKind::Header:
    case NodeKind::Body:
        return its.damaged ? damaged(node) : FieldText{};
    case NodeKind::FrameLength:
        if (const auto bytes = m_part.bytes.view(its.offset, 4, m_scratch)) {
            std::uint32_t size = 0;
            for (std::uint8_t byte : *bytes)
                size = size << 8 | byte;
            return {tr("%1 (of what follows)").arg(size), FieldLook::Dim};
        }
        return {tr("not captured"), FieldLook::Damage};
    case NodeKind::TagBuffer: {
        std::uint32_t count = 0;
        for (NodeIndex child = m_part.tree.firstChild(node); child != noNode; child = m_part.tree.nextSibling(child))
            ++count;
        return {QString::number(count), FieldLook::Dim};
    }
    case NodeKind::Batch:
        return batch(node);
    case NodeKind::Record:
        return record(node);
    case NodeKind::RecordHeader: {
        const NodeIndex first = m_part.tree.firstChild(node);
        if (first == noNode) return {};
        return {QStringLiteral("%1 → %2").arg(shortValue(first, 40), shortValue(m_part.tree.nextSibling(first), 60))};
    }
    case NodeKind::UnknownTag:
    case NodeKind::Raw:
    case NodeKind::Trailing: {
        if (isSecret(*m_around.protocol, m_part.tree, m_part.bytes, node) && !m_around.revealSecrets)
            return {tr("(masked, %1)").arg(texts::bytes(its.contentLength())), FieldLook::Masked};
        const auto bytes = read(node);
        if (!bytes) return damaged(node);
        FieldText text = bytesText(bytes->bytes);
        if (its.kind == NodeKind::Trailing || its.damaged) text.look = FieldLook::Damage;
        return text;
    }
    case NodeKind::Element:
    case NodeKind::Lead:
    case NodeKind::Field:
        return valueOfField(node);
    }
    return {};
}

FieldText FieldTexts::valueOfField(NodeIndex node) const {
    const FieldNode& its = at(node);
    const SchemaField* field = schema(node);
    if (its.isNull) return {tr("null"), FieldLook::Dim};
    if (its.isArray()) {
        if (its.damaged) return damaged(node);
        return {its.index == 1 ? tr("1 entry") : tr("%1 entries").arg(its.index),
                its.index == 0 ? FieldLook::Dim : FieldLook::Plain};
    }
    if (!its.isValue()) return its.damaged ? damaged(node) : FieldText{};
    if (isSecret(*m_around.protocol, m_part.tree, m_part.bytes, node) && !m_around.revealSecrets)
        return {tr("(masked, %1)").arg(texts::bytes(its.contentLength())), FieldLook::Masked};
    if (its.field->type == FieldType::Records || opens(node)) return records(node);
    const std::optional<FieldValue> value = read(node);
    if (!value) return damaged(node);
    FieldText text;
    switch (value->kind) {
    case FieldValue::Kind::Null:
        return {tr("null"), FieldLook::Dim};
    case FieldValue::Kind::Bool:
        text = {value->integer ? QStringLiteral("true") : QStringLiteral("false")};
        break;
    case FieldValue::Kind::Integer:
        text = number(field, value->integer);
        break;
    case FieldValue::Kind::Float:
        text = {QString::number(value->real, 'g', 17)};
        break;
    case FieldValue::Kind::Text:
        text = {texts::quoted(asText(value->bytes), mostCharacters),
                value->bytes.empty() ? FieldLook::Dim : FieldLook::Plain};
        if (its.contentLength() > mostCharacters)
            text.text += tr(" (%1 bytes)").arg(texts::grouped(its.contentLength()));
        break;
    case FieldValue::Kind::Bytes:
        text = isTelemetry(node) ? FieldText{tr("OpenTelemetry metrics, %1").arg(texts::bytes(its.contentLength()))}
                                 : bytesText(value->bytes);
        break;
    case FieldValue::Kind::Uuid:
        text = uuid(value->bytes, field);
        break;
    }
    if (its.damaged) text.look = FieldLook::Damage;
    return text;
}

// ---- records

bool FieldTexts::opens(NodeIndex node) const {
    const FieldNode& its = at(node);
    if (its.kind != NodeKind::Field || !its.field || its.isNull || its.contentLength() == 0) return false;
    return its.field->type == FieldType::Records || its.field == recordFields().compressed;
}

FieldText FieldTexts::records(NodeIndex node) const {
    const FieldNode& its = at(node);
    if (its.field == recordFields().compressed)
        return {tr("%1, compressed; opens to its own bytes").arg(texts::bytes(its.contentLength()))};
    if (its.contentLength() == 0) return {tr("no records"), FieldLook::Dim};
    // Headers only: nothing is decompressed to say this.
    RecordSetReader reader;
    reader.open(m_part.bytes, its.contentOffset(), its.contentOffset() + its.contentLength());
    std::uint64_t batches = 0, count = 0;
    QStringList codecs;
    bool counted = true;
    while (reader.nextBatch() && batches < 10'000) {
        ++batches;
        const Batch& one = reader.batch();
        if (one.recordCount >= 0) count += static_cast<std::uint64_t>(one.recordCount);
        counted = counted && (one.recordCount >= 0 || !one.isWrapper());
        if (one.recordCount < 0) ++count;
        if (const QString codec = codecName(one.codec); !codecs.contains(codec)) codecs << codec;
    }
    if (batches == 0) return {tr("%1, no whole batch").arg(texts::bytes(its.contentLength())), FieldLook::Plain};
    QStringList words{texts::grouped(batches) + (batches == 1 ? tr(" batch") : tr(" batches"))};
    if (counted) words << texts::grouped(count) + (count == 1 ? tr(" record") : tr(" records"));
    words << codecs.join(u'/') << texts::bytes(its.contentLength());
    return {words.join(QStringLiteral(", ")), its.damaged ? FieldLook::Damage : FieldLook::Plain};
}

FieldText FieldTexts::batch(NodeIndex node) const {
    const FieldNode& its = at(node);
    const RecordDocument* set = m_part.set ? m_part.set.get() : nullptr;
    if (set)
        for (const RecordDocument::BatchAt& entry : set->batches) {
            if (entry.node != node) continue;
            const Batch& one = entry.batch;
            QStringList words;
            const std::int64_t first = one.baseOffset.value_or(one.lastOffset);
            words << (first == one.lastOffset ? tr("offset %1").arg(first)
                                              : tr("offsets %1-%2").arg(first).arg(one.lastOffset));
            words << codecName(one.codec);
            if (one.isControl) words << tr("control");
            if (one.isTransactional) words << tr("transactional, producer %1").arg(one.producerId);
            const std::optional<bool> valid = one.crcValid();
            words << (!valid ? tr("CRC not checked: bytes are missing") : *valid ? tr("CRC right") : tr("CRC WRONG"));
            return {words.join(QStringLiteral(", ")), valid && !*valid ? FieldLook::Damage : FieldLook::Plain};
        }
    if (its.field == recordFields().incompleteBatch)
        return {tr("cut where the set ends, %1").arg(texts::bytes(its.length)), FieldLook::Dim};
    return its.damaged ? damaged(node) : FieldText{texts::bytes(its.length)};
}

QString FieldTexts::shortValue(NodeIndex node, int atMost) const {
    if (node == noNode || at(node).isNull) return tr("null");
    if (const OpenedPayload* payload = m_part.openedAt(node))
        return payload->version ? QStringLiteral("%1 v%2").arg(fromName(payload->type)).arg(*payload->version)
                                : fromName(payload->type);
    const std::optional<FieldValue> value = read(node);
    if (!value) return tr("?");
    if (value->kind == FieldValue::Kind::Integer) return number(schema(node), value->integer).text;
    const Bytes bytes = value->bytes;
    const Bytes shown = bytes.first(std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(atMost) * 4));
    if (texts::printable(shown)) return texts::quoted(asText(bytes), atMost);
    return QStringLiteral("%1  %2").arg(texts::bytes(bytes.size()), texts::hex(bytes, 8));
}

FieldText FieldTexts::record(NodeIndex node) const {
    const FieldTree& tree = m_part.tree;
    QStringList words;
    NodeIndex key = noNode, value = noNode;
    bool control = false;
    std::optional<std::int64_t> delta;
    for (NodeIndex child = tree.firstChild(node); child != noNode; child = tree.nextSibling(child)) {
        const PlanField* field = at(child).field;
        const std::optional<FieldValue> content =
            field == recordFields().offsetDelta ? readValue(m_part.bytes, at(child), m_scratch) : std::nullopt;
        if (content) delta = content->integer;
        if (field == recordFields().key || field == recordFields().messageKey) key = child;
        if (field == recordFields().value || field == recordFields().messageValue) value = child;
        control = control || field == recordFields().controlKey;
    }
    if (control)
        return {value != noNode && m_part.openedAt(value) ? tr("control record, %1").arg(shortValue(value, 80))
                                                          : tr("control record")};
    // Deltas count from the batch above, or from the batch that these records were decompressed from.
    std::optional<std::int64_t> base;
    if (m_part.batchSet) {
        base = m_part.batchSet->batches[m_part.batch].batch.baseOffset;
    } else if (m_part.set) {
        NodeIndex above = tree.nodes[node].parent;
        while (above != noNode && at(above).kind != NodeKind::Batch)
            above = at(above).parent;
        for (const RecordDocument::BatchAt& entry : m_part.set->batches)
            if (entry.node == above) base = entry.batch.baseOffset;
    }
    if (delta && base) words << tr("offset %1").arg(plusWrapping(*base, *delta));
    if (key != noNode || value != noNode)
        words << QStringLiteral("%1 → %2").arg(shortValue(key, 40), shortValue(value, 80));
    if (words.isEmpty() && at(node).damaged) return damaged(node);
    return {words.join(QStringLiteral("  ")), at(node).damaged ? FieldLook::Damage : FieldLook::Plain};
}

bool FieldTexts::isError(NodeIndex node) const {
    const SchemaField* field = schema(node);
    if (!field || field->semantic != Semantic::Error || !at(node).isValue()) return false;
    const std::optional<FieldValue> value = readValue(m_part.bytes, at(node), m_scratch);
    return value && value->integer != 0;
}

} // namespace brokerscope
