// SPDX-License-Identifier: Apache-2.0
// The filter bar: the line, Apply, the history, and chips for errors, slow and unanswered (and damaged, once there is
// damage). Says below itself what is wrong with an invalid filter. Applies nothing itself: it hands out what shall hold
// from now on, text and chips together.
// Threads: the GUI's.
#pragma once

#include "gui/models/row_filter.h"
#include "gui/widgets/chip.h"
#include "gui/widgets/filter_edit.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

#include <array>

namespace brokerscope {

class FilterBar : public QWidget {
    Q_OBJECT

  public:
    FilterBar(const Theme& theme, QWidget* parent = nullptr);

    FilterEdit& edit() { return *m_edit; }
    const FilterWish& applied() const { return m_applied; }
    QStringList history() const { return m_history; }
    void setHistory(const QStringList& history) { m_history = history; }
    void setCounts(const ExchangeIndex::Counts& counts);
    void setRunning(std::optional<int> percent);
    QLabel& words() { return *m_words; }
    Chip& chip(RowState state);

  public Q_SLOTS:
    void applyText(const QString& text);  // as if typed and confirmed
    void applyAlone(const QString& text); // with no chip beside it
    void prepareText(const QString& text);
    void apply();
    void clear();
    void toggleChip(int number); // 1 errors, 2 slow, 3 unanswered
    void openHistory();

  Q_SIGNALS:
    void applyWished(const brokerscope::FilterWish& wish);
    void stopWished();
    void leaveWished(); // Esc with nothing to revert

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    FilterWish wish() const;
    void stateChanged();
    void revert();
    void remember(const QString& text);
    void fitChips();

    const Theme& m_theme;
    QLabel* m_label;
    FilterEdit* m_edit;
    QToolButton* m_historyButton;
    QPushButton* m_apply;
    std::array<Chip*, 4> m_chips;
    QLabel* m_words;
    FilterWish m_applied;
    QStringList m_history;
    bool m_running = false;
};

} // namespace brokerscope
