// SPDX-License-Identifier: Apache-2.0
// Keeps the exchange table in the order that is wished: filters and sorts on a job thread, swaps the result in, and
// while the capture loads appends what fits of the new rows. A sorted table is sorted again while it grows, but never
// sooner than ten times the last sort took. When loading ends all is done once more, for late answers.
//
// Threads: the GUI's; see JobRunner. The model is reset only from here.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/loader/job_runner.h"
#include "gui/models/exchange_sort.h"
#include "gui/models/exchange_table_model.h"
#include "gui/models/row_filter.h"

#include <QElapsedTimer>
#include <QObject>

#include <optional>

namespace brokerscope {

class OrderKeeper : public QObject {
    Q_OBJECT

  public:
    OrderKeeper(ExchangeTableModel& model, JobRunner& jobs, QObject* parent = nullptr);

    void setCapture(Capture capture); // null: none. The wishes stay
    void setFilter(FilterWish wish);
    void setSort(ExchangeColumn column, bool descending);
    void grow();         // the index may have grown
    void loadingEnded(); // what was open is settled
    void refresh();      // a setting that filters or order depend on has changed
    void stop();         // the running filter: what was found is shown
    bool running() const { return m_jobs.running(JobKind::Order); }
    const FilterWish& filter() const { return m_filter; }
    const SortWish& sort() const { return m_sort; }

  Q_SIGNALS:
    void runningChanged(std::optional<int> percent, quint64 found);
    void settled();            // the table shows what is wished
    void stopped(int percent); // the table shows what was found until then

  private:
    void restart();
    bool wantsOrder() const { return !m_filter.everything() || !m_sort.byCapture(); }
    FilterSettings settings() const;
    void startTail(std::uint32_t count);

    ExchangeTableModel& m_model;
    JobRunner& m_jobs;
    Capture m_capture;
    FilterWish m_filter;
    SortWish m_sort;
    std::uint32_t m_covered = 0; // rows of the index that the order has considered
    QElapsedTimer m_sinceOrder;
    qint64 m_lastDuration = 0;
};

} // namespace brokerscope
