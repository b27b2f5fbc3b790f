// SPDX-License-Identifier: Apache-2.0
// The line at the bottom: at the left what is under the cursor, or the running job with its bar and a way to end it; at
// the right what the table shows, errors, the span of the capture, damage. Each of these is a button.
// Threads: the GUI's.
#pragma once

#include "gui/widgets/elided_label.h"

#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

namespace brokerscope {

class StatusLine : public QWidget {
    Q_OBJECT

  public:
    explicit StatusLine(QWidget* parent = nullptr);

    void say(const QString& text);                  // until something else is said
    void hover(const QString& text);                // empty: what was said is shown again
    void showJob(const QString& text, int percent); // percent below 0: not known
    void endJob();
    void showCounts(const QString& exchanges, const QString& errors, const QString& span, const QString& spanTip,
                    const QString& damage, bool damaged);
    void clearCounts();
    QString text() const;
    QPushButton& exchanges() { return *m_exchanges; }

  Q_SIGNALS:
    void cancelWished();
    void exchangesWished();
    void errorsWished();
    void spanWished();
    void damageWished();

  private:
    void showText();

    ElidedLabel* m_text;
    QProgressBar* m_bar;
    QPushButton *m_cancel, *m_exchanges, *m_errors, *m_span, *m_damage;
    QString m_said, m_hover, m_job;
};

} // namespace brokerscope
