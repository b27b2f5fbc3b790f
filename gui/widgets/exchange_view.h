// SPDX-License-Identifier: Apache-2.0
// The exchange table on screen: fixed row heights, rows filled by state, the state's shape, a latency bar, columns that
// are chosen, moved, resized and sorted from the header. Nothing here ever asks all rows.
// Threads: the GUI's.
#pragma once

#include "gui/models/exchange_table_model.h"
#include "gui/widgets/theme.h"

#include <QStyledItemDelegate>
#include <QTableView>

class QMenu;

namespace brokerscope {

class ExchangeDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    ExchangeDelegate(const Theme& theme, QObject* parent);
    void setColouring(bool on) { m_colouring = on; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    void paintState(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    int paintLatency(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                     bool selected) const;

    const Theme& m_theme;
    bool m_colouring = true;
};

class ExchangeView : public QTableView {
    Q_OBJECT

  public:
    ExchangeView(ExchangeTableModel& model, const Theme& theme, QWidget* parent = nullptr);

    ExchangeTableModel& table() { return m_model; }
    void setColouring(bool on);
    void setZoom(double factor); // of the font that was set; columns follow
    void resetColumns();
    void fillColumnMenu(QMenu& menu); // a tick for each column
    void sizeColumnsToContents();
    QByteArray columnsState() const;
    bool restoreColumns(const QByteArray& state);

    ExchangeId currentExchange() const;
    void setCurrentExchange(ExchangeId exchange); // scrolls to it; nothing when it is not shown
    // The place of the current row in the window, to be kept over a reset.
    int currentRowOffset() const;
    void restoreCurrent(ExchangeId exchange, int offset);
    bool atEnd() const;
    quint64 selectedCount() const;
    std::vector<int> selectedRows(std::size_t atMost) const;
    std::pair<int, int> visibleRows() const;

  Q_SIGNALS:
    void sortWished(brokerscope::ExchangeColumn column, bool descending);
    void exchangeChosen(brokerscope::ExchangeId exchange);
    void enterPressed();
    void selectedCountChanged();
    void typed(QString text); // letters that nobody takes: the filter's

  protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void headerClicked(int section);
    void sortBy(int section, Qt::SortOrder order); // -1: as the capture
    void headerMenu(const QPoint& at);
    int usualWidth(const ExchangeColumnRow& column) const;

    ExchangeTableModel& m_model;
    ExchangeDelegate* m_delegate;
    double m_zoom = 1;
    int m_sortedSection = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    bool m_restoring = false;
};

} // namespace brokerscope
