// SPDX-License-Identifier: Apache-2.0
// A line over the pane that has the keyboard. Each of three panes shows a selected row; which of them the arrow keys
// move must be seen at a glance.
// Threads: the GUI's.
#pragma once

#include "gui/widgets/theme.h"

#include <QAbstractScrollArea>
#include <QPointer>
#include <QWidget>

namespace brokerscope {

class FocusLine : public QWidget {
    Q_OBJECT

  public:
    // Over the panes (scroll areas) inside `inside`, whose child it is.
    FocusLine(const Theme& theme, QWidget* inside);

    const QAbstractScrollArea* pane() const { return m_pane; } // that it lies on; null: on none

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void follow(QWidget* focused);
    void place();

    const Theme& m_theme;
    QPointer<QAbstractScrollArea> m_pane;
};

} // namespace brokerscope
