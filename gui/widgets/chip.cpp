// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/chip.h"

#include "gui/models/texts.h"
#include "gui/widgets/icons.h"

#include <QPainter>

namespace brokerscope {

Chip::Chip(RowState state, const QString& name, const Theme& theme, QWidget* parent)
    : QAbstractButton(parent), m_state(state), m_name(name), m_theme(theme) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setCount(0);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Chip::setCount(std::uint32_t count) {
    m_count = count;
    setAccessibleName(tr("%1, %2 exchanges").arg(m_name, texts::grouped(count)));
    setToolTip(tr("Show only: %1 (%2 in this capture)").arg(m_name, texts::grouped(count)));
    updateGeometry();
    update();
}

void Chip::setShort(bool shortForm) {
    if (m_short == shortForm) return;
    m_short = shortForm;
    updateGeometry();
    update();
}

QString Chip::label(bool shortForm) const {
    const QString count = texts::grouped(m_count);
    return shortForm ? count : QStringLiteral("%1 %2").arg(m_name, count);
}

QSize Chip::sizeFor(bool shortForm) const {
    const int height = fontMetrics().height() + 8;
    return {fontMetrics().horizontalAdvance(label(shortForm)) + height + 12, height};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = m_theme.colours();
    const StateColours* own = colours.of(m_state);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    const double round = box.height() / 2;
    const bool filled = isChecked() && own;
    painter.setPen(QPen(hasFocus() ? colours.selection : filled ? own->ink : colours.line, hasFocus() ? 2 : 1));
    painter.setBrush(filled ? own->fill : underMouse() ? colours.base : colours.window);
    painter.drawRoundedRect(box, round, round);
    const double side = box.height() - 6;
    paintState(painter, QRectF(box.left() + 5, box.top() + 3, side, side), m_state, colours);
    painter.setPen(m_count == 0 && !isChecked() ? colours.dim : colours.text);
    QFont bold = font();
    bold.setBold(isChecked());
    painter.setFont(bold);
    painter.drawText(box.adjusted(side + 9, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, label(m_short));
}

} // namespace brokerscope
