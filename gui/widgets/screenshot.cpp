// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/screenshot.h"

#include "gui/widgets/main_window.h"

#include <QApplication>
#include <QPainter>

namespace brokerscope {

namespace {

constexpr int lookEveryMs = 30, calmLooks = 4;
constexpr qint64 longestWaitMs = 120'000;

} // namespace

QImage pictureOf(QWidget& window) {
    const QPixmap grabbed = window.grab();
    QImage picture = grabbed.toImage();
    QPainter painter(&picture);
    for (QWidget* popup : QApplication::topLevelWidgets()) {
        if (popup == &window || !popup->isVisible()) continue;
        const QPoint at = popup->mapToGlobal(QPoint(0, 0)) - window.mapToGlobal(QPoint(0, 0));
        painter.drawPixmap(at, popup->grab());
    }
    return picture;
}

Screenshot::Screenshot(MainWindow& window, const QString& path, std::function<void()> prepare, QObject* parent)
    : QObject(parent), m_window(window), m_path(path), m_prepare(std::move(prepare)) {
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start(lookEveryMs);
    m_waiting.start();
}

void Screenshot::look() {
    const bool patient = m_waiting.elapsed() < longestWaitMs;
    m_calm = m_window.settled() ? m_calm + 1 : 0;
    if (m_calm < calmLooks && patient) return;
    if (m_prepare) {
        m_calm = 0;
        std::exchange(m_prepare, nullptr)();
        return;
    }
    m_timer.stop();
    m_failed = !patient || !pictureOf(m_window).save(m_path, "PNG");
    QApplication::exit();
}

} // namespace brokerscope
