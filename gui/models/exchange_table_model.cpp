// SPDX-License-Identifier: Apache-2.0
#include "gui/models/exchange_table_model.h"

#include <algorithm>

namespace brokerscope {

namespace {

double inMilliseconds(Duration time) {
    return static_cast<double>(time.count()) / 1e6;
}

ExchangeColumn columnOf(int section) {
    return static_cast<ExchangeColumn>(section);
}

} // namespace

ExchangeTableModel::ExchangeTableModel(QObject* parent) : QAbstractTableModel(parent) {}
ExchangeTableModel::~ExchangeTableModel() = default;

void ExchangeTableModel::setIndex(std::shared_ptr<const ExchangeIndex> index, const Protocol& protocol,
                                  Timestamp start) {
    beginResetModel();
    m_index = std::move(index);
    m_texts.reset();
    if (m_index) m_texts.emplace(*m_index, protocol);
    m_order.reset();
    m_count = 0;
    m_marks.clear();
    m_time.zero = start;
    endResetModel();
}

void ExchangeTableModel::growTo(std::uint32_t count) {
    if (m_order || count <= m_count) return;
    beginInsertRows({}, static_cast<int>(m_count), static_cast<int>(count) - 1);
    m_count = count;
    endInsertRows();
}

void ExchangeTableModel::setOrder(Order order) {
    beginResetModel();
    m_order = std::move(order);
    m_count = static_cast<std::uint32_t>(m_order->size());
    endResetModel();
}

void ExchangeTableModel::clearOrder(std::uint32_t count) {
    beginResetModel();
    m_order.reset();
    m_count = count;
    endResetModel();
}

void ExchangeTableModel::append(const Order& rows) {
    if (!m_order || rows.empty()) return;
    beginInsertRows({}, static_cast<int>(m_count), static_cast<int>(m_count + rows.size()) - 1);
    m_order->insert(m_order->end(), rows.begin(), rows.end());
    m_count = static_cast<std::uint32_t>(m_order->size());
    endInsertRows();
}

void ExchangeTableModel::refresh(int firstRow, int lastRow) {
    lastRow = std::min(lastRow, static_cast<int>(m_count) - 1);
    firstRow = std::max(firstRow, 0);
    if (firstRow <= lastRow)
        Q_EMIT dataChanged(createIndex(firstRow, 0), createIndex(lastRow, exchangeColumnCount - 1));
}

std::optional<std::uint32_t> ExchangeTableModel::indexRowAt(int row) const {
    if (row < 0 || static_cast<std::uint32_t>(row) >= m_count) return std::nullopt;
    return m_order ? (*m_order)[static_cast<std::size_t>(row)] : static_cast<std::uint32_t>(row);
}

ExchangeId ExchangeTableModel::exchangeAt(int row) const {
    const auto at = indexRowAt(row);
    return at ? ExchangeId{*at + std::uint64_t{1}} : ExchangeId{};
}

int ExchangeTableModel::rowOf(ExchangeId exchange) const {
    if (!exchange) return -1;
    const std::uint64_t row = exchange.value - 1;
    if (!m_order) return row < m_count ? static_cast<int>(row) : -1;
    // A filtered table without a sort is ascending: most look-ups end here.
    const auto guess = std::lower_bound(m_order->begin(), m_order->end(), row);
    if (guess != m_order->end() && *guess == row) return static_cast<int>(guess - m_order->begin());
    const auto found = std::find(m_order->begin(), m_order->end(), row);
    return found == m_order->end() ? -1 : static_cast<int>(found - m_order->begin());
}

void ExchangeTableModel::allChanged(ExchangeColumn first, ExchangeColumn last) {
    if (m_count == 0) return;
    Q_EMIT dataChanged(createIndex(0, static_cast<int>(first)),
                       createIndex(static_cast<int>(m_count) - 1, static_cast<int>(last)));
}

void ExchangeTableModel::setTimeStyle(TimeStyle style) {
    m_time.style = style;
    allChanged(ExchangeColumn::Time, ExchangeColumn::RequestEnd);
}

void ExchangeTableModel::setTimeZero(Timestamp zero) {
    m_time.zero = zero;
    allChanged(ExchangeColumn::Time, ExchangeColumn::RequestEnd);
}

void ExchangeTableModel::setSlowAbove(Duration above) {
    m_slowAbove = above;
    allChanged(ExchangeColumn::State, ExchangeColumn::Mark);
}

void ExchangeTableModel::setMarked(ExchangeId exchange, bool marked) {
    if (marked)
        m_marks.insert(exchange.value);
    else
        m_marks.erase(exchange.value);
    const int row = rowOf(exchange);
    refresh(row, row);
}

void ExchangeTableModel::setAllShownMarked(bool marked) {
    for (int row = 0; row < static_cast<int>(m_count); ++row) {
        if (marked)
            m_marks.insert(exchangeAt(row).value);
        else
            m_marks.erase(exchangeAt(row).value);
    }
    allChanged(ExchangeColumn::State, ExchangeColumn::Mark);
}

int ExchangeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_count);
}

int ExchangeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : exchangeColumnCount;
}

QString ExchangeTableModel::text(int row, ExchangeColumn column) const {
    const auto at = indexRowAt(row);
    if (!at) return {};
    const ExchangeRow view = m_index->row(*at);
    if (column == ExchangeColumn::State) {
        const QChar letter = letterOf(stateOf(view, m_slowAbove));
        return letter.isNull() ? QString() : QString(letter);
    }
    if (column == ExchangeColumn::Mark) return marked(view.id()) ? QStringLiteral("M") : QString();
    TimeSettings time = m_time;
    if (time.style == TimeStyle::Delta && row > 0) {
        const ExchangeRow above = m_index->row(*indexRowAt(row - 1));
        if (above.known()) time.rowAbove = above.time();
    }
    return m_texts->cell(column, view, time);
}

bool ExchangeTableModel::isDim(ExchangeColumn column, const ExchangeRow& row) const {
    if (!row.known()) return true;
    if (column == ExchangeColumn::Client) return row.hasClientId() && m_index->text(row.clientId()).empty();
    if (column != ExchangeColumn::Error) return false;
    return !row.hasErrors() && !row.damaged() && row.status() != ExchangeStatus::Unanswered;
}

QVariant ExchangeTableModel::stateData(const ExchangeRow& row, int role) const {
    switch (role) {
    case StateRole:
        return static_cast<int>(stateOf(row, m_slowAbove));
    case ExchangeRole:
        return QVariant::fromValue<quint64>(row.id().value);
    case MarkedRole:
        return marked(row.id());
    case LatencyRole:
        return row.known() && row.latency() ? QVariant(inMilliseconds(*row.latency())) : QVariant();
    case ByDesignRole:
        return row.known() ? QVariant(inMilliseconds(row.waitByDesign())) : QVariant();
    default:
        return {};
    }
}

QVariant ExchangeTableModel::data(const QModelIndex& index, int role) const {
    const auto at = indexRowAt(index.row());
    if (!index.isValid() || !at) return {};
    const ExchangeColumn column = columnOf(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), column);
    case Qt::TextAlignmentRole:
        if (column == ExchangeColumn::State) return static_cast<int>(Qt::AlignCenter);
        return static_cast<int>(
            Qt::AlignVCenter |
            (exchangeColumns()[static_cast<std::size_t>(index.column())].right ? Qt::AlignRight : Qt::AlignLeft));
    default:
        break;
    }
    const ExchangeRow view = m_index->row(*at);
    switch (role) {
    case Qt::ToolTipRole: {
        QString tip = m_texts->toolTip(column, view, m_slowAbove);
        if (column == ExchangeColumn::State && marked(view.id())) tip += u'\n' + tr("Marked");
        return tip.isEmpty() ? QVariant() : QVariant(tip);
    }
    case Qt::AccessibleTextRole:
        return column == ExchangeColumn::State ? m_texts->spoken(view, m_slowAbove) : text(index.row(), column);
    case DimRole:
        return isDim(column, view);
    default:
        return stateData(view, role);
    }
}

QVariant ExchangeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= exchangeColumnCount) return {};
    const ExchangeColumn column = columnOf(section);
    switch (role) {
    case Qt::DisplayRole:
        return title(column);
    case Qt::ToolTipRole:
        return meaning(column);
    case Qt::AccessibleTextRole:
        return title(column).isEmpty() ? tr("State") : title(column);
    case Qt::TextAlignmentRole:
        return static_cast<int>(
            Qt::AlignVCenter |
            (exchangeColumns()[static_cast<std::size_t>(section)].right ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

} // namespace brokerscope
