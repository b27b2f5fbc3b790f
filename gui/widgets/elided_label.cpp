// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/elided_label.h"

#include <QPainter>

namespace brokerscope {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QFrame(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setText(text);
}

void ElidedLabel::setText(const QString& text) {
    if (m_text == text && accessibleName() == text) return;
    m_text = text;
    setAccessibleName(text);
    updateToolTip();
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 4), fontMetrics().height() + 4};
}

void ElidedLabel::updateToolTip() {
    setToolTip(fontMetrics().horizontalAdvance(m_text) > width() ? m_text : QString());
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    updateToolTip();
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), static_cast<int>(m_align) | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_text, m_mode, width()));
}

} // namespace brokerscope
