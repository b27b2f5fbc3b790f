// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/folding_row.h"

#include <QEvent>

#include <algorithm>

namespace brokerscope {

FoldingRow::FoldingRow(QWidget* parent)
    : QWidget(parent), m_both(new QBoxLayout(QBoxLayout::LeftToRight, this)), m_first(new QHBoxLayout),
      m_second(new QHBoxLayout) {
    m_both->setSpacing(4);
    m_both->addLayout(m_first);
    m_both->addLayout(m_second);
    setGrowing(Growing::First);
}

void FoldingRow::setGrowing(Growing group) {
    m_both->setStretch(0, group == Growing::First);
    m_both->setStretch(1, group == Growing::Second);
}

int FoldingRow::roomWanted() const {
    const QMargins around = m_both->contentsMargins();
    return m_first->sizeHint().width() + m_second->sizeHint().width() + m_both->spacing() + around.left() +
           around.right();
}

QSize FoldingRow::minimumSizeHint() const {
    const QMargins around = m_both->contentsMargins();
    return {std::max(m_first->minimumSize().width(), m_second->minimumSize().width()) + around.left() + around.right(),
            m_both->minimumSize().height()};
}

void FoldingRow::fold() {
    const auto wanted = roomWanted() > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (wanted == m_both->direction()) return;
    m_both->setDirection(wanted);
    updateGeometry();
}

void FoldingRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fold();
}

bool FoldingRow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fold(); // a text, or the font, has another width
    return QWidget::event(event);
}

} // namespace brokerscope
