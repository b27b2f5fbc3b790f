// SPDX-License-Identifier: Apache-2.0
// Two groups of controls in a row; where there is no room for both, the second goes below the first. So no bar makes
// the window wider than it is, and nothing in it is squeezed until it cannot be read.
// Threads: the GUI's.
#pragma once

#include <QBoxLayout>
#include <QWidget>

namespace brokerscope {

class FoldingRow : public QWidget {
    Q_OBJECT

  public:
    explicit FoldingRow(QWidget* parent = nullptr);

    QHBoxLayout& first() { return *m_first; }
    QHBoxLayout& second() { return *m_second; }
    enum class Growing { First, Second }; // who takes the room that is left while both stand in one line
    void setGrowing(Growing group);
    void setMargins(const QMargins& margins) { m_both->setContentsMargins(margins); }
    bool folded() const { return m_both->direction() == QBoxLayout::TopToBottom; }
    QSize minimumSizeHint() const override; // as narrow as it gets when folded

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fold();
    int roomWanted() const;

    QBoxLayout* m_both;
    QHBoxLayout *m_first, *m_second;
};

} // namespace brokerscope
