// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/exchange_view.h"

#include "gui/widgets/header_style.h"
#include "gui/widgets/icons.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace brokerscope {

namespace {

constexpr int rowPadding = 6;
constexpr int barWidth = 80, rowOfBar = 22; // the bar, in a row of that height
constexpr int fontHeightOfWidths = 14;      // the columns' widths are meant for a font of this height
constexpr int sectionOfState = static_cast<int>(ExchangeColumn::State);

// 0.1 ms to 10 s, five decades, whatever the capture: bars can be compared between captures.
double barShare(double milliseconds) {
    return std::clamp((std::log10(std::max(milliseconds, 1e-9)) + 1) / 5, 0.0, 1.0);
}

} // namespace

// ---- the delegate

ExchangeDelegate::ExchangeDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

void ExchangeDelegate::paintState(QPainter& painter, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const {
    const int side = option.rect.height() - 6;
    const QRectF box(option.rect.center().x() - side / 2.0 + 1, option.rect.y() + 3, side, side);
    brokerscope::paintState(painter, box, static_cast<RowState>(index.data(ExchangeTableModel::StateRole).toInt()),
                            m_theme.colours());
    if (index.data(ExchangeTableModel::MarkedRole).toBool())
        painter.fillRect(QRect(option.rect.left(), option.rect.top(), 4, option.rect.height()), m_theme.colours().mark);
}

// The width that is left for the text at the right.
int ExchangeDelegate::paintLatency(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                                   bool selected) const {
    const QVariant value = index.data(ExchangeTableModel::LatencyRole);
    const int room = std::min(barWidth * option.rect.height() / rowOfBar, option.rect.width() - 60);
    if (!value.isValid() || room < 12) return option.rect.width();
    const double all = value.toDouble(), byDesign = index.data(ExchangeTableModel::ByDesignRole).toDouble();
    const double width = std::max(2.0, room * barShare(all));
    const QRectF bar(option.rect.left() + 6, option.rect.top() + option.rect.height() * 0.3, width,
                     option.rect.height() * 0.4);
    const QColor colour = selected ? m_theme.colours().selectedText : m_theme.colours().latencyBar;
    const bool hollow = byDesign > all / 2;
    painter.setPen(hollow ? QPen(colour, 1.2) : Qt::NoPen);
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
    painter.drawRect(hollow ? bar.adjusted(0.5, 0.5, -0.5, -0.5) : bar);
    return option.rect.width() - room - 8;
}

void ExchangeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Colours& colours = m_theme.colours();
    const bool selected = option.state & QStyle::State_Selected;
    const auto state = static_cast<RowState>(index.data(ExchangeTableModel::StateRole).toInt());
    const StateColours* own = m_colouring ? colours.of(state) : nullptr;
    painter->save();
    painter->fillRect(option.rect, selected ? colours.selection : own ? own->fill : colours.base);
    painter->setFont(option.font);
    const auto column = static_cast<ExchangeColumn>(index.column());
    if (column == ExchangeColumn::State) {
        paintState(*painter, option, index);
    } else {
        int room = option.rect.width();
        if (column == ExchangeColumn::Latency) room = paintLatency(*painter, option, index, selected);
        QRect box = option.rect.adjusted(5, 0, -6, 0);
        box.setLeft(std::max(box.left(), option.rect.right() - room));
        const bool dim = index.data(ExchangeTableModel::DimRole).toBool() || state == RowState::NoAnswerDue;
        const bool error = column == ExchangeColumn::Error && own;
        painter->setPen(selected ? colours.selectedText : error ? own->ink : dim ? colours.dim : colours.text);
        const auto align = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        painter->drawText(box, static_cast<int>(align) | Qt::TextSingleLine,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, box.width()));
    }
    if (option.state & QStyle::State_HasFocus && column != ExchangeColumn::State) {
        painter->setPen(QPen(selected ? colours.selectedText : colours.text, 1, Qt::DotLine));
        painter->drawLine(option.rect.topLeft(), option.rect.topRight());
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }
    painter->restore();
}

// ---- the view

ExchangeView::ExchangeView(ExchangeTableModel& model, const Theme& theme, QWidget* parent)
    : QTableView(parent), m_model(model), m_delegate(new ExchangeDelegate(theme, this)) {
    setModel(&model);
    setItemDelegate(m_delegate);
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Exchanges"));
    setFrameShape(QFrame::NoFrame);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setCornerButtonEnabled(false);
    setMinimumSize(120, 60);

    // A header that shares the view's selection counts all selected rows at each repaint: give both their own.
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setSelectionModel(new QItemSelectionModel(&model, header));
        header->setHighlightSections(false);
    }
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(10);
    verticalHeader()->hide();
    insetTitles(*horizontalHeader(), 3);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setFirstSectionMovable(false);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &ExchangeView::headerClicked);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &ExchangeView::headerMenu);
    connect(this, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex&) { Q_EMIT enterPressed(); });
    setZoom(1);
    resetColumns();
}

void ExchangeView::setColouring(bool on) {
    m_delegate->setColouring(on);
    viewport()->update();
}

void ExchangeView::setZoom(double factor) {
    const double change = factor / m_zoom;
    m_zoom = factor;
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + rowPadding);
    horizontalHeader()->setMinimumHeight(fontMetrics().height() + 8);
    if (change == 1) return;
    for (int section = 0; section < exchangeColumnCount; ++section)
        if (!isColumnHidden(section))
            setColumnWidth(section, static_cast<int>(std::lround(columnWidth(section) * change)));
}

int ExchangeView::usualWidth(const ExchangeColumnRow& column) const {
    return column.width * fontMetrics().height() / fontHeightOfWidths;
}

void ExchangeView::resetColumns() {
    QHeaderView* header = horizontalHeader();
    for (const ExchangeColumnRow& row : exchangeColumns()) {
        const int section = static_cast<int>(row.column);
        header->moveSection(header->visualIndex(section), section);
        setColumnHidden(section, !row.shown);
        setColumnWidth(section, usualWidth(row));
    }
    sortBy(-1, Qt::AscendingOrder);
}

void ExchangeView::sizeColumnsToContents() {
    for (int section = 0; section < exchangeColumnCount; ++section) {
        if (isColumnHidden(section) || section == sectionOfState) continue;
        resizeColumnToContents(section); // looks at the first 1,000 rows
        if (section == static_cast<int>(ExchangeColumn::Latency))
            setColumnWidth(section,
                           columnWidth(section) + barWidth * verticalHeader()->defaultSectionSize() / rowOfBar);
    }
}

QByteArray ExchangeView::columnsState() const {
    return horizontalHeader()->saveState();
}

bool ExchangeView::restoreColumns(const QByteArray& state) {
    QHeaderView* header = horizontalHeader();
    if (state.isEmpty() || !header->restoreState(state)) return false;
    const bool sorted = header->isSortIndicatorShown() && header->sortIndicatorSection() < exchangeColumnCount;
    sortBy(sorted ? header->sortIndicatorSection() : -1, header->sortIndicatorOrder());
    return true;
}

void ExchangeView::headerClicked(int section) {
    // Up, down, and back to the order of the capture.
    if (section != m_sortedSection)
        sortBy(section, Qt::AscendingOrder);
    else if (m_sortOrder == Qt::AscendingOrder)
        sortBy(section, Qt::DescendingOrder);
    else
        sortBy(-1, Qt::AscendingOrder);
}

void ExchangeView::sortBy(int section, Qt::SortOrder order) {
    m_sortedSection = section;
    m_sortOrder = order;
    horizontalHeader()->setSortIndicatorShown(m_sortedSection >= 0);
    horizontalHeader()->setSortIndicator(m_sortedSection, m_sortOrder);
    if (m_sortedSection < 0)
        Q_EMIT sortWished(ExchangeColumn::Number, false);
    else
        Q_EMIT sortWished(static_cast<ExchangeColumn>(m_sortedSection), m_sortOrder == Qt::DescendingOrder);
}

void ExchangeView::fillColumnMenu(QMenu& menu) {
    for (const ExchangeColumnRow& row : exchangeColumns()) {
        const int section = static_cast<int>(row.column);
        if (section == sectionOfState) continue;
        QAction* action = menu.addAction(title(row.column), this, [this, section, &row](bool on) {
            setColumnHidden(section, !on);
            if (on) setColumnWidth(section, usualWidth(row)); // it may have been hidden at another zoom
        });
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(section));
    }
}

void ExchangeView::headerMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillColumnMenu(*menu);
    menu->addSeparator();
    menu->addAction(tr("Size to contents"), this, &ExchangeView::sizeColumnsToContents);
    menu->addAction(tr("Reset columns"), this, &ExchangeView::resetColumns);
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

// ---- current row

ExchangeId ExchangeView::currentExchange() const {
    return m_model.exchangeAt(currentIndex().row());
}

void ExchangeView::setCurrentExchange(ExchangeId exchange) {
    const int row = m_model.rowOf(exchange);
    if (row < 0) return;
    const int column = std::max(0, currentIndex().column());
    selectionModel()->setCurrentIndex(m_model.index(row, column),
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(m_model.index(row, 0), QAbstractItemView::EnsureVisible);
}

int ExchangeView::currentRowOffset() const {
    return currentIndex().isValid() ? currentIndex().row() - verticalScrollBar()->value() : 0;
}

void ExchangeView::restoreCurrent(ExchangeId exchange, int offset) {
    const int row = m_model.rowOf(exchange);
    if (row < 0) return;
    m_restoring = true;
    selectionModel()->setCurrentIndex(m_model.index(row, 1),
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_restoring = false;
    verticalScrollBar()->setValue(row - offset);
    scrollTo(m_model.index(row, 0), QAbstractItemView::EnsureVisible);
}

void ExchangeView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (m_restoring || !current.isValid() || current.row() == previous.row()) return;
    Q_EMIT exchangeChosen(m_model.exchangeAt(current.row()));
}

void ExchangeView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT selectedCountChanged();
}

bool ExchangeView::atEnd() const {
    return verticalScrollBar()->value() == verticalScrollBar()->maximum();
}

quint64 ExchangeView::selectedCount() const {
    // Ranges, never lists of rows: a million may be selected.
    quint64 count = 0;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        if (range.left() == 0) count += static_cast<quint64>(range.height());
    return count;
}

std::vector<int> ExchangeView::selectedRows(std::size_t atMost) const {
    std::vector<int> rows;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        if (range.left() != 0) continue;
        for (int row = range.top(); row <= range.bottom() && rows.size() < atMost; ++row)
            rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::pair<int, int> ExchangeView::visibleRows() const {
    const int first = verticalScrollBar()->value();
    return {first, first + viewport()->height() / std::max(1, verticalHeader()->defaultSectionSize()) + 1};
}

void ExchangeView::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) return Q_EMIT enterPressed();
    if (plain && !event->text().isEmpty() && event->text().front().isPrint() && event->key() != Qt::Key_Space)
        return Q_EMIT typed(event->text());
    QTableView::keyPressEvent(event);
}

bool ExchangeView::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) setZoom(m_zoom);
    return QTableView::event(event);
}

} // namespace brokerscope
