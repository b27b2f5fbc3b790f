// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/focus_line.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace brokerscope {

namespace {
constexpr int thickness = 2;
} // namespace

FocusLine::FocusLine(const Theme& theme, QWidget* inside) : QWidget(inside), m_theme(theme) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusLine::follow(QWidget* focused) {
    auto* pane = qobject_cast<QAbstractScrollArea*>(focused);
    if (pane && !parentWidget()->isAncestorOf(pane)) pane = nullptr;
    if (m_pane) m_pane->removeEventFilter(this);
    m_pane = pane;
    if (m_pane) m_pane->installEventFilter(this);
    place();
}

void FocusLine::place() {
    setVisible(m_pane && m_pane->isVisible());
    if (!isVisible()) return;
    const QPoint corner = m_pane->mapTo(parentWidget(), QPoint(0, 0));
    setGeometry(corner.x(), corner.y(), m_pane->width(), thickness);
    raise();
}

bool FocusLine::eventFilter(QObject* /*watched*/, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
        QMetaObject::invokeMethod(this, &FocusLine::place, Qt::QueuedConnection); // when all have their places
        break;
    default:
        break;
    }
    return false;
}

void FocusLine::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), m_theme.colours().link);
}

} // namespace brokerscope
