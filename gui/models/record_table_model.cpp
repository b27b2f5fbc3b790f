// SPDX-License-Identifier: Apache-2.0
#include "gui/models/record_table_model.h"

#include <algorithm>
#include <cctype>

namespace brokerscope {

namespace {

constexpr int hexAtMost = 32;

int alignmentOf(RecordColumn column) {
    const bool right = column == RecordColumn::Partition || column == RecordColumn::Offset ||
                       column == RecordColumn::Headers || column == RecordColumn::Size ||
                       column == RecordColumn::Exchange;
    return static_cast<int>(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft));
}

std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

QString contentText(const std::optional<Bytes>& bytes, int atMost) {
    if (!bytes) return RecordTableModel::tr("null");
    if (bytes->empty()) return QStringLiteral("\"\"");
    const Bytes shown = bytes->first(std::min<std::size_t>(bytes->size(), static_cast<std::size_t>(atMost)));
    const std::size_t whole = shown.size() < bytes->size() ? 3 : 0; // a character may be cut
    if (texts::printable(shown.first(shown.size() - std::min(whole, shown.size()))))
        return texts::escaped(asText(*bytes), atMost);
    return texts::hex(*bytes, hexAtMost);
}

bool contains(Bytes bytes, const QString& text) {
    const std::string word = text.toStdString();
    const auto lower = [](unsigned char c) { return std::tolower(c); };
    return std::search(bytes.begin(), bytes.end(), word.begin(), word.end(), [lower](std::uint8_t a, char b) {
               return lower(a) == lower(static_cast<unsigned char>(b));
           }) != bytes.end();
}

bool contentContains(const std::optional<Bytes>& bytes, const std::optional<OpenedRecord::Opened>& opened,
                     const QString& text) {
    if (opened)
        return opened->json.contains(text, Qt::CaseInsensitive) || opened->type.contains(text, Qt::CaseInsensitive);
    return bytes && contains(*bytes, text);
}

} // namespace

std::uint32_t OpenedRecord::size() const {
    std::size_t size = (key ? key->size() : 0) + (value ? value->size() : 0);
    for (const auto& [name, content] : headers)
        size += name.size() + (content ? content->size() : 0);
    return static_cast<std::uint32_t>(size);
}

Bytes OpenedBatch::keep(Bytes content) {
    if (content.empty()) return {};
    auto* at = static_cast<std::uint8_t*>(memory.allocate(content.size(), 1));
    std::copy(content.begin(), content.end(), at);
    bytes += content.size();
    return {at, content.size()};
}

QString OpenedRecord::Opened::text(int atMost) const {
    const QString whole = QStringLiteral("%1 %2").arg(type, json);
    return whole.size() > atMost ? whole.left(atMost) + QStringLiteral("…") : whole;
}

bool keyContains(const OpenedRecord& record, const QString& text) {
    return contentContains(record.key, record.openedKey, text);
}

bool valueContains(const OpenedRecord& record, const QString& text) {
    return contentContains(record.value, record.openedValue, text);
}

RecordTableModel::RecordTableModel(QObject* parent) : QAbstractTableModel(parent) {
    m_ask.setSingleShot(true);
    m_ask.setInterval(0);
    connect(&m_ask, &QTimer::timeout, this, [this] {
        const std::vector<std::size_t> wanted(m_wanted.begin(), m_wanted.end());
        m_wanted.clear();
        Q_EMIT batchesWished(wanted);
    });
}

void RecordTableModel::clear() {
    beginResetModel();
    m_batches.clear();
    m_topics.clear();
    m_rows = 0;
    m_full = false;
    m_open.clear();
    m_openOf.clear();
    m_openBytes = 0;
    m_wanted.clear();
    endResetModel();
}

bool RecordTableModel::append(std::vector<RecordBatchRef> batches, std::vector<RecordTopic> topics) {
    m_topics = std::move(topics);
    std::size_t rows = m_rows, taken = 0;
    for (; taken < batches.size(); ++taken) {
        if (rows + batches[taken].count > mostRows) {
            m_full = true;
            break;
        }
        batches[taken].firstRow = static_cast<std::uint32_t>(rows);
        rows += batches[taken].count;
    }
    if (rows > m_rows) {
        beginInsertRows({}, static_cast<int>(m_rows), static_cast<int>(rows) - 1);
        m_batches.insert(m_batches.end(), batches.begin(), batches.begin() + static_cast<std::ptrdiff_t>(taken));
        m_rows = static_cast<std::uint32_t>(rows);
        endInsertRows();
    }
    return !m_full;
}

std::optional<RecordTableModel::Place> RecordTableModel::placeOf(int row) const {
    if (row < 0 || static_cast<std::uint32_t>(row) >= m_rows) return std::nullopt;
    const auto at = static_cast<std::uint32_t>(row);
    const auto after =
        std::upper_bound(m_batches.begin(), m_batches.end(), at,
                         [](std::uint32_t r, const RecordBatchRef& batch) { return r < batch.firstRow; });
    // Batches without records share their first row with the next one.
    const auto batch = std::prev(after);
    return Place{static_cast<std::size_t>(batch - m_batches.begin()), at - batch->firstRow};
}

int RecordTableModel::rowOf(Place place) const {
    return place.batch < m_batches.size() ? static_cast<int>(m_batches[place.batch].firstRow + place.ordinal) : -1;
}

std::shared_ptr<const OpenedBatch> RecordTableModel::content(std::size_t batch, bool ask) const {
    const auto open = m_openOf.find(batch);
    if (open == m_openOf.end()) {
        if (ask) {
            m_wanted.insert(batch);
            if (!m_ask.isActive()) m_ask.start();
        }
        return nullptr;
    }
    m_open.splice(m_open.begin(), m_open, open->second);
    return open->second->content;
}

void RecordTableModel::setContent(std::size_t batch, std::shared_ptr<const OpenedBatch> content) {
    if (batch >= m_batches.size() || m_openOf.contains(batch)) return;
    m_openBytes += content->size();
    m_open.push_front({batch, std::move(content)});
    m_openOf[batch] = m_open.begin();
    while (m_openBytes > mostOpenBytes && m_open.size() > 1) {
        const Open& last = m_open.back();
        m_openBytes -= last.content->size();
        m_openOf.erase(last.batch);
        m_open.pop_back();
    }
    const RecordBatchRef& its = m_batches[batch];
    if (its.count > 0)
        Q_EMIT dataChanged(createIndex(static_cast<int>(its.firstRow), 0),
                           createIndex(static_cast<int>(its.firstRow + its.count) - 1, recordColumns - 1));
}

void RecordTableModel::setSearch(const QString& text, bool inKeys, bool inValues) {
    m_search = text;
    m_searchKeys = inKeys;
    m_searchValues = inValues;
    if (m_rows > 0) Q_EMIT dataChanged(createIndex(0, 0), createIndex(static_cast<int>(m_rows) - 1, recordColumns - 1));
}

const OpenedRecord* RecordTableModel::record(int row) const {
    const auto place = placeOf(row);
    if (!place) return nullptr;
    const auto open = content(place->batch, true);
    return open && place->ordinal < open->records.size() ? &open->records[place->ordinal] : nullptr;
}

// ---- texts

QString RecordTableModel::keyText(const RecordBatchRef& batch, const OpenedRecord& record, int atMost) {
    if (record.openedKey) return record.openedKey->text(atMost);
    if (!batch.control || !record.key || record.key->size() < 4) return contentText(record.key, atMost);
    const int type = (*record.key)[2] << 8 | (*record.key)[3];
    const std::string_view name = Protocol::builtin().enumName("ControlRecordType", type);
    return name.empty() ? tr("control type %1").arg(type) : texts::fromUtf8(name);
}

QString RecordTableModel::valueText(const RecordBatchRef& batch, const OpenedRecord& record, int atMost) {
    if (batch.control && batch.producerId >= 0)
        return tr("producer %1, epoch %2").arg(batch.producerId).arg(batch.producerEpoch);
    if (!record.value) return tr("null (tombstone)");
    if (record.openedValue) return record.openedValue->text(atMost);
    return contentText(record.value, atMost);
}

QString RecordTableModel::text(int row, RecordColumn column) const {
    const auto place = placeOf(row);
    if (!place) return {};
    const RecordBatchRef& batch = m_batches[place->batch];
    switch (column) {
    case RecordColumn::Topic:
        return batch.topic < m_topics.size() ? m_topics[batch.topic].name : QString();
    case RecordColumn::Partition:
        return QString::number(batch.partition);
    case RecordColumn::Codec:
        return texts::fromUtf8(name(batch.codec));
    case RecordColumn::Batch:
        return batch.baseOffset == batch.lastOffset
                   ? QString::number(batch.baseOffset)
                   : QStringLiteral("%1-%2").arg(batch.baseOffset).arg(batch.lastOffset);
    case RecordColumn::Exchange:
        return QString::number(batch.exchange + 1);
    default:
        break;
    }
    const auto open = content(place->batch, true);
    if (!open) return QStringLiteral("…");
    if (place->ordinal >= open->records.size()) return column == RecordColumn::Value ? tr("not readable") : QString();
    const OpenedRecord& its = open->records[place->ordinal];
    switch (column) {
    case RecordColumn::Offset:
        return its.offset ? QString::number(*its.offset) : QString();
    case RecordColumn::Time:
        return its.timestamp < 0 ? QString()
                                 : texts::date(Timestamp{std::chrono::milliseconds(its.timestamp)}, 3, false);
    case RecordColumn::Key:
        return keyText(batch, its, textAtMost);
    case RecordColumn::Value:
        return valueText(batch, its, textAtMost);
    case RecordColumn::Headers:
        return QString::number(its.headers.size());
    case RecordColumn::Size:
        return texts::grouped(its.size());
    default:
        return {};
    }
}

int RecordTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows);
}

int RecordTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : recordColumns;
}

QVariant RecordTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto column = static_cast<RecordColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(index.row(), column);
    case Qt::ToolTipRole:
        if (column != RecordColumn::Key && column != RecordColumn::Value) return {};
        return text(index.row(), column);
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case DimRole: {
        const OpenedRecord* its = record(index.row());
        if (!its) return true;
        return (column == RecordColumn::Key && !its->key) || (column == RecordColumn::Value && !its->value);
    }
    case HitRole: {
        if (m_search.isEmpty()) return false;
        const OpenedRecord* its = record(index.row());
        if (!its) return false;
        return (column == RecordColumn::Key && m_searchKeys && keyContains(*its, m_search)) ||
               (column == RecordColumn::Value && m_searchValues && valueContains(*its, m_search));
    }
    default:
        return {};
    }
}

QVariant RecordTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return alignmentOf(static_cast<RecordColumn>(section));
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)) return {};
    switch (static_cast<RecordColumn>(section)) {
    case RecordColumn::Topic:
        return tr("Topic");
    case RecordColumn::Partition:
        return tr("Part.");
    case RecordColumn::Offset:
        return tr("Offset");
    case RecordColumn::Time:
        return tr("Time (UTC)");
    case RecordColumn::Key:
        return tr("Key");
    case RecordColumn::Value:
        return tr("Value");
    case RecordColumn::Headers:
        return tr("Headers");
    case RecordColumn::Size:
        return tr("Size");
    case RecordColumn::Codec:
        return tr("Codec");
    case RecordColumn::Batch:
        return tr("Batch");
    case RecordColumn::Exchange:
        return tr("Exch.");
    }
    return {};
}

} // namespace brokerscope
