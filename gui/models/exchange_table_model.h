// SPDX-License-Identifier: Apache-2.0
// The exchange table over an index that may still grow. Row and exchange are the same thing until an order is set;
// orders are made elsewhere (exchange_sort, filters) and swapped in, so nothing here is ever slow.
//
// Bytes:   keeps the index alive; holds no text.
// Memory:  four bytes a row when there is an order, else none.
// Threads: the GUI's.
#pragma once

#include "dissector/index/exchange_index.h"
#include "gui/models/exchange_columns.h"
#include "gui/models/exchange_texts.h"
#include "gui/models/row_state.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace brokerscope {

class ExchangeTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using Order = std::vector<std::uint32_t>; // rows of the index, in the order they are shown

    enum Role {
        StateRole = Qt::UserRole, // int of RowState
        LatencyRole,              // double, milliseconds; invalid without an answer
        ByDesignRole,             // double, milliseconds of the latency that were waited by design
        MarkedRole,
        ExchangeRole, // quint64, the exchange's number
        DimRole,      // the text says that something is not there
    };

    explicit ExchangeTableModel(QObject* parent = nullptr);
    ~ExchangeTableModel() override;

    // Another capture (or none). Forgets order and marks.
    void setIndex(std::shared_ptr<const ExchangeIndex> index, const Protocol& protocol, Timestamp start);
    const ExchangeIndex* exchanges() const { return m_index.get(); }
    const ExchangeTexts* texts() const { return m_texts ? &*m_texts : nullptr; }

    // Without an order: the first `count` rows of the index. One insertion whatever the growth.
    void growTo(std::uint32_t count);
    void setOrder(Order order);           // resets
    void clearOrder(std::uint32_t count); // resets
    void append(const Order& rows);       // behind an order
    bool ordered() const { return m_order.has_value(); }
    void refresh(int firstRow, int lastRow); // what is visible may have got its answer meanwhile

    std::optional<std::uint32_t> indexRowAt(int row) const;
    ExchangeId exchangeAt(int row) const; // none outside
    int rowOf(ExchangeId exchange) const; // -1: not shown

    void setTimeStyle(TimeStyle style);
    TimeStyle timeStyle() const { return m_time.style; }
    void setTimeZero(Timestamp zero);
    Timestamp timeZero() const { return m_time.zero; }
    void setSlowAbove(Duration above);
    Duration slowAbove() const { return m_slowAbove; }

    bool marked(ExchangeId exchange) const { return m_marks.contains(exchange.value); }
    void setMarked(ExchangeId exchange, bool marked);
    void setAllShownMarked(bool marked);
    std::size_t marks() const { return m_marks.size(); }
    const std::unordered_set<std::uint64_t>& allMarks() const { return m_marks; }

    QString text(int row, ExchangeColumn column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    bool isDim(ExchangeColumn column, const ExchangeRow& row) const;
    QVariant stateData(const ExchangeRow& row, int role) const;
    void allChanged(ExchangeColumn first, ExchangeColumn last);

    std::shared_ptr<const ExchangeIndex> m_index;
    std::optional<ExchangeTexts> m_texts;
    std::optional<Order> m_order;
    std::uint32_t m_count = 0; // rows shown
    TimeSettings m_time;
    Duration m_slowAbove = std::chrono::milliseconds{100};
    std::unordered_set<std::uint64_t> m_marks;
};

} // namespace brokerscope
