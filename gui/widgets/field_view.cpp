// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/field_view.h"

#include "gui/widgets/icons.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace brokerscope {

namespace {

constexpr int mostMeasured = 64; // names

// Values in the ink of what they are: errors, what is not there, what is damaged.
class FieldDelegate : public QStyledItemDelegate {
  public:
    FieldDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), option.fontMetrics.height() + 4};
    }

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const Colours& colours = m_theme.colours();
        if (index.column() > static_cast<int>(FieldColumn::Value)) {
            option->palette.setColor(QPalette::Text, colours.dim);
            return;
        }
        if (index.column() != static_cast<int>(FieldColumn::Value)) return;
        switch (static_cast<FieldLook>(index.data(FieldTreeModel::LookRole).toInt())) {
        case FieldLook::Plain:
            break;
        case FieldLook::Dim:
        case FieldLook::Masked:
            option->palette.setColor(QPalette::Text, colours.dim);
            break;
        case FieldLook::Error:
            option->palette.setColor(QPalette::Text, colours.error.ink);
            break;
        case FieldLook::Damage:
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->icon = stateIcon(RowState::Damaged, m_theme);
            break;
        }
    }

  private:
    const Theme& m_theme;
};

} // namespace

FieldView::FieldView(FieldTreeModel& model, const Theme& theme, QWidget* parent) : QTreeView(parent), m_model(model) {
    setModel(&model);
    setItemDelegate(new FieldDelegate(theme, this));
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setAlternatingRowColors(false);
    setAnimated(false);
    setExpandsOnDoubleClick(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Fields"));
    setContextMenuPolicy(Qt::CustomContextMenu);
    setMinimumSize(80, 60);
    header()->setStretchLastSection(true);
    header()->setSectionsMovable(false);
    header()->setMinimumSectionSize(24);
    showTypeColumns(false);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        remember(index, true);
        if (!m_restoring) makeRoomFor(m_model.index(0, 0, index));
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) { remember(index, false); });
}

void FieldView::setZoomedWidths() {
    setIndentation(fontMetrics().height());
    // Values are what one looks for: names take half of a narrow pane at most.
    setColumnWidth(0, std::min(fontMetrics().averageCharWidth() * 34, std::max(120, viewport()->width() / 2)));
    setColumnWidth(1, fontMetrics().averageCharWidth() * 40);
    setColumnWidth(2, fontMetrics().averageCharWidth() * 16);
    setColumnWidth(3, fontMetrics().averageCharWidth() * 9);
}

// Deep fields stand far to the right: their names shall be read all the same. The column only grows.
void FieldView::makeRoomFor(const QModelIndex& index) {
    const QModelIndex parent = m_model.parent(index);
    int depth = 1, widest = 0;
    for (QModelIndex above = parent; above.isValid(); above = m_model.parent(above))
        ++depth;
    for (int row = 0; row < std::min(m_model.rowCount(parent), mostMeasured); ++row)
        widest = std::max(widest, fontMetrics().horizontalAdvance(m_model.name(m_model.index(row, 0, parent))));
    const int wanted = (depth + 1) * indentation() + widest + fontMetrics().averageCharWidth() * 2;
    const int room = std::min(wanted, viewport()->width() * 3 / 5);
    if (room > columnWidth(0)) setColumnWidth(0, room);
}

void FieldView::showTypeColumns(bool on) {
    for (FieldColumn column : {FieldColumn::Type, FieldColumn::Offset, FieldColumn::Length})
        setColumnHidden(static_cast<int>(column), !on);
}

FieldTreeModel::Path FieldView::plainPath(const QModelIndex& index) const {
    FieldTreeModel::Path path = m_model.pathOf(index);
    std::fill(path.indices.begin(), path.indices.end(), 0);
    return path;
}

void FieldView::remember(const QModelIndex& index, bool expanded) {
    if (m_restoring) return;
    Paths& paths = m_expanded[m_api];
    if (expanded)
        paths.insert(plainPath(index));
    else
        paths.erase(plainPath(index));
}

void FieldView::restore(const QModelIndex& index, const Paths& paths, int& left) {
    for (int row = 0; row < m_model.rowCount(index) && left > 0; ++row) {
        const QModelIndex child = m_model.index(row, 0, index);
        if (!m_model.hasChildren(child) || !paths.contains(plainPath(child))) continue;
        --left;
        setExpanded(child, true);
        restore(child, paths, left);
    }
}

void FieldView::showDetail(std::shared_ptr<const Detail> detail, std::int16_t api) {
    if (!m_sized) {
        m_sized = true;
        setZoomedWidths();
    }
    m_restoring = true;
    m_api = api;
    m_model.setDetail(std::move(detail));
    if (!m_expanded.contains(api)) {
        // The first of its kind: both messages are open.
        for (PartNumber part : {requestPart, responsePart})
            m_expanded[api].insert(plainPath(m_model.index(static_cast<int>(part), 0)));
    }
    int left = mostRestored;
    setUpdatesEnabled(false);
    restore({}, m_expanded[api], left);
    setUpdatesEnabled(true);
    m_restoring = false;
    if (m_selected && m_model.detail()) {
        const QModelIndex again = m_model.find(*m_selected);
        if (again.isValid()) {
            const FieldTreeModel::Path wish = *m_selected; // currentChanged writes what was found
            setCurrentIndex(again);
            m_selected = wish;
            scrollTo(again);
        }
    }
}

void FieldView::selectField(FieldRef field) {
    const QModelIndex index = m_model.indexOf(field);
    if (!index.isValid() || index == currentIndex()) return;
    setCurrentIndex(index);
    scrollTo(index);
}

void FieldView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTreeView::currentChanged(current, previous);
    if (!current.isValid()) return;
    m_selected = m_model.pathOf(current);
    makeRoomFor(current);
    Q_EMIT fieldChosen(m_model.fieldAt(current));
}

int FieldView::expandBelow(const QModelIndex& index, int left) {
    if (left <= 0) return 0;
    setExpanded(index, true);
    const int rows = m_model.rowCount(index);
    left -= rows;
    for (int row = 0; row < rows && left > 0; ++row) {
        const QModelIndex child = m_model.index(row, 0, index);
        if (m_model.rowCount(child) > 0) left = expandBelow(child, left);
    }
    return left;
}

void FieldView::expandAllFields() {
    int left = mostExpanded;
    m_restoring = true;
    setUpdatesEnabled(false);
    for (int root = 0; root < m_model.rowCount() && left > 0; ++root)
        left = expandBelow(m_model.index(root, 0), left);
    setUpdatesEnabled(true);
    m_restoring = false;
    if (left > 0 || !m_model.detail()) return;
    std::size_t all = m_model.detail()->facts.size();
    for (PartNumber part = requestPart; part < m_model.parts(); ++part)
        if (const Part its = m_model.part(part)) all += its->rows.rows().size();
    Q_EMIT expandedSome(mostExpanded, static_cast<int>(all));
}

void FieldView::collapseAllFields() {
    collapseAll();
    m_expanded[m_api].clear();
}

void FieldView::expandSubtree() {
    setUpdatesEnabled(false);
    if (currentIndex().isValid()) expandBelow(currentIndex().siblingAtColumn(0), mostExpanded);
    setUpdatesEnabled(true);
}

void FieldView::collapseSubtree() {
    if (currentIndex().isValid()) collapse(currentIndex().siblingAtColumn(0));
}

void FieldView::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const QModelIndex current = currentIndex().siblingAtColumn(0);
    if (plain && event->key() == Qt::Key_Backspace) {
        if (const QModelIndex up = m_model.parent(current); up.isValid()) setCurrentIndex(up);
        return;
    }
    if (plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return setExpanded(current, !isExpanded(current));
    const QString text = event->text();
    if (plain && !text.isEmpty() && text.front().isPrint() && event->key() != Qt::Key_Space) {
        if (event->key() == Qt::Key_Asterisk || event->key() == Qt::Key_Plus || event->key() == Qt::Key_Minus)
            return QTreeView::keyPressEvent(event);
        return Q_EMIT typed(text);
    }
    QTreeView::keyPressEvent(event);
}

} // namespace brokerscope
