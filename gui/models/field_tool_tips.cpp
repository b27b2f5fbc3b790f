// SPDX-License-Identifier: Apache-2.0
// The longer words of a field: its tooltip, its path, what a filter would call it.
#include "gui/models/field_texts.h"

#include "dissector/payloads/telemetry.h"
#include "gui/models/filter_completion.h"
#include "gui/models/texts.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::size_t bytesInToolTip = 16;
constexpr std::size_t valuesInToolTip = 12;
constexpr qsizetype metricsInToolTip = 25;
constexpr int wrapAt = 80;

QString tr(const char* text) {
    return QCoreApplication::translate("fields", text);
}

QString versions(const VersionRange& range) {
    if (range.last == VersionRange::open) return tr("since v%1").arg(range.first);
    if (range.first == range.last) return tr("v%1 only").arg(range.first);
    return tr("v%1 to v%2").arg(range.first).arg(range.last);
}

// Tooltips of plain text do not wrap by themselves.
QString wrapped(const QString& text) {
    QString result;
    int column = 0;
    for (const QString& word : text.split(u' ')) {
        if (column > 0 && column + word.size() > wrapAt) {
            result += u'\n';
            column = 0;
        } else if (column > 0) {
            result += u' ';
        }
        result += word;
        column += static_cast<int>(word.size()) + 1;
    }
    return result;
}

} // namespace

QString FieldTexts::ownPath(NodeIndex node) const {
    QStringList steps;
    for (NodeIndex up = node; up != noNode && up != 0; up = at(up).parent) {
        const FieldNode& its = at(up);
        if (its.kind == NodeKind::Body || its.kind == NodeKind::TagBuffer) continue;
        if (its.kind == NodeKind::Element) {
            steps.prepend(QStringLiteral("[%1]").arg(its.index));
        } else if (its.kind == NodeKind::Field) {
            const SchemaField* field = schema(up);
            steps.prepend(field ? texts::fromUtf8(field->name) : name(up));
        } else {
            steps.prepend(name(up));
        }
    }
    QString path;
    for (const QString& step : steps)
        path += (path.isEmpty() || step.startsWith(u'[') ? QString() : QStringLiteral(".")) + step;
    return path;
}

QString FieldTexts::path(NodeIndex node) const {
    return ownPath(node);
}

bool FieldTexts::isTelemetry(NodeIndex node) const {
    const SchemaField* field = schema(node);
    return field && field->semantic == Semantic::Telemetry && at(node).isValue();
}

// Decompressed when somebody asks: they are no part of the tree.
QStringList FieldTexts::metrics(NodeIndex node) const {
    const std::optional<Telemetry> telemetry = telemetryAt(m_part, m_part.bytes, node);
    if (!telemetry) return {};
    QStringList lines{tr("%1 metrics, %2 when decompressed")
                          .arg(texts::grouped(telemetry->metrics.size()), texts::bytes(telemetry->bytes))};
    for (const std::string& line : telemetryLines(*telemetry))
        lines << texts::fromUtf8(line);
    if (!telemetry->problem.empty()) lines << texts::fromUtf8(telemetry->problem);
    return lines;
}

QString FieldTexts::meaning(NodeIndex node) const {
    QStringList lines;
    const SchemaField* field = schema(node);
    if (field && !field->note.empty()) lines << wrapped(texts::fromUtf8(field->note));
    if (isTelemetry(node)) {
        const QStringList all = metrics(node);
        lines << all.mid(0, metricsInToolTip);
        if (all.size() > metricsInToolTip)
            lines << tr("… %1 more lines; Copy value copies them all").arg(all.size() - metricsInToolTip);
    }
    if (!field || !at(node).isValue()) return lines.join(u'\n');
    if (field->semantic == Semantic::Error) {
        const std::optional<FieldValue> code = readValue(m_part.bytes, at(node), m_scratch);
        const ErrorCode* known = code ? m_around.protocol->error(static_cast<std::int16_t>(code->integer)) : nullptr;
        if (known && known->code != 0) {
            lines << wrapped(texts::fromUtf8(known->meaning));
            lines << (known->retriable ? tr("A client may try again.") : tr("Trying again does not help."));
        }
        return lines.join(u'\n');
    }
    if (const std::vector<EnumValue>* values = m_around.protocol->enumeration(field->enumName)) {
        QStringList words;
        for (const EnumValue& value : *values)
            if (words.size() < static_cast<qsizetype>(valuesInToolTip))
                words << QStringLiteral("%1 %2").arg(value.value).arg(texts::fromUtf8(value.name));
        if (values->size() > valuesInToolTip) words << QStringLiteral("…");
        lines << wrapped(tr("Values: %1").arg(words.join(QStringLiteral(", "))));
    }
    return lines.join(u'\n');
}

QString FieldTexts::toolTip(NodeIndex node) const {
    const FieldNode& its = at(node);
    QStringList lines;
    const QString where = ownPath(node), what = type(node);
    if (!where.isEmpty()) lines << (what.isEmpty() ? where : QStringLiteral("%1: %2").arg(where, what));
    if (its.length > 0) {
        QString bytes = tr("%1 at %2 (0x%3)").arg(texts::bytes(its.length)).arg(its.offset).arg(its.offset, 0, 16);
        const bool secret = value(node).look == FieldLook::Masked;
        if (!secret && !m_part.tree.hasChildren(node)) {
            std::vector<std::uint8_t> here;
            m_part.bytes.copyAvailable(its.offset, std::min<std::uint32_t>(its.length, bytesInToolTip), here);
            if (!here.empty())
                bytes += QStringLiteral(": %1%2").arg(texts::hex(here),
                                                      here.size() < its.length ? QStringLiteral(" …") : QString());
        }
        lines << bytes;
        if (its.offset < m_part.bytes.size()) {
            const ByteChain::Piece& piece = m_part.bytes.pieces()[m_part.bytes.pieceAt(its.offset)];
            if (piece.slice.packet) lines << tr("packet %1").arg(piece.slice.packet.value);
        }
    }
    if (const SchemaField* field = schema(node); field && !field->versions.empty() && m_part.apiKey >= 0)
        lines << versions(field->versions);
    const QString words = meaning(node);
    if (!words.isEmpty()) lines << words;
    if (its.damaged) {
        const QString problem = problemAt(node);
        if (!problem.isEmpty()) lines << wrapped(problem);
    }
    const QString filter = filterName(node);
    if (!filter.isEmpty()) lines << tr("Filter name: %1").arg(filter);
    return lines.join(u'\n');
}

QString FieldTexts::filterName(NodeIndex node) const {
    if (m_part.body == noNode || !at(node).isValue()) return {};
    const SchemaField* field = schema(node);
    if (!field) return {};
    QStringList steps;
    NodeIndex up = node;
    for (; up != noNode && at(up).kind != NodeKind::Body && at(up).kind != NodeKind::Header; up = at(up).parent) {
        if (up != node && m_part.openedAt(up)) return {}; // filters do not look into payloads
        if (at(up).kind != NodeKind::Field || !schema(up)) continue;
        steps.prepend(texts::fromUtf8(schema(up)->jsonName));
    }
    if (up == noNode) return {};
    if (at(up).kind == NodeKind::Header) {
        if (field->jsonName == "requestApiKey") return QStringLiteral("api");
        if (field->jsonName == "requestApiVersion") return QStringLiteral("version");
        if (field->jsonName == "correlationId") return QStringLiteral("correlation.id");
        if (field->jsonName == "clientId") return QStringLiteral("client.id");
        return {};
    }
    if (field->type == FieldType::Records) return {};
    return (m_part.direction == Direction::Request ? QStringLiteral("request.") : QStringLiteral("response.")) +
           steps.join(u'.');
}

QString FieldTexts::filterExpression(NodeIndex node) const {
    const QString name = filterName(node);
    if (name.isEmpty()) return {};
    const std::optional<FieldValue> value = at(node).isNull ? std::nullopt : read(node);
    if (!value || value->kind == FieldValue::Kind::Null) return QStringLiteral("not %1").arg(name);
    const SchemaField* field = schema(node);
    switch (value->kind) {
    case FieldValue::Kind::Integer:
        if (name == QStringLiteral("api")) {
            const Api* api = m_around.protocol->api(static_cast<std::int16_t>(value->integer));
            if (api) return QStringLiteral("api == %1").arg(texts::fromUtf8(api->name));
            return QStringLiteral("api.key == %1").arg(value->integer);
        }
        if (field->semantic == Semantic::Error) {
            const ErrorCode* known = m_around.protocol->error(static_cast<std::int16_t>(value->integer));
            if (known && value->integer != 0) return QStringLiteral("%1 == %2").arg(name, texts::fromUtf8(known->name));
        }
        return QStringLiteral("%1 == %2").arg(name).arg(value->integer);
    case FieldValue::Kind::Bool:
        return QStringLiteral("%1 == %2").arg(name).arg(value->integer != 0 ? 1 : 0);
    case FieldValue::Kind::Float:
        return QStringLiteral("%1 == %2").arg(name).arg(value->real, 0, 'g', 17);
    case FieldValue::Kind::Uuid:
        return QStringLiteral("%1 == %2").arg(name, filterLiteral(texts::fromUtf8(uuidText(value->bytes))));
    case FieldValue::Kind::Text:
        return QStringLiteral("%1 == %2")
            .arg(name, filterLiteral(
                           texts::fromUtf8({reinterpret_cast<const char*>(value->bytes.data()), value->bytes.size()})));
    default:
        return {};
    }
}

QString FieldTexts::valueToCopy(NodeIndex node) const {
    const FieldText shown = value(node);
    const bool asShown = shown.look == FieldLook::Masked || at(node).isNull || !at(node).isValue() || opens(node);
    if (asShown || m_part.openedAt(node)) return shown.text; // an opened payload may hold secrets
    const std::optional<FieldValue> value = read(node);
    if (!value) return shown.text;
    switch (value->kind) {
    case FieldValue::Kind::Integer:
        return QString::number(value->integer);
    case FieldValue::Kind::Text:
        return texts::fromUtf8({reinterpret_cast<const char*>(value->bytes.data()), value->bytes.size()});
    case FieldValue::Kind::Bytes:
        return isTelemetry(node) ? metrics(node).join(u'\n') : texts::hex(value->bytes);
    case FieldValue::Kind::Uuid:
        return texts::fromUtf8(uuidText(value->bytes));
    default:
        return shown.text;
    }
}

} // namespace brokerscope
