// SPDX-License-Identifier: Apache-2.0
// Pictures of the window, for docs and tests: waits until nothing loads and no job runs, then grabs the window and what
// pops up over it, and ends the program.
// Threads: the GUI's.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QTimer>

#include <functional>

namespace brokerscope {

class MainWindow;

// The window with its visible popups, which QWidget::grab leaves out.
QImage pictureOf(QWidget& window);

class Screenshot : public QObject {
    Q_OBJECT

  public:
    // `prepare` is called once when all is settled, and may set something off again (typing, opening a batch).
    Screenshot(MainWindow& window, const QString& path, std::function<void()> prepare, QObject* parent = nullptr);
    bool failed() const { return m_failed; }

  private:
    void look();

    MainWindow& m_window;
    QString m_path;
    std::function<void()> m_prepare;
    QTimer m_timer;
    QElapsedTimer m_waiting;
    int m_calm = 0; // looks in a row at which all was settled
    bool m_failed = false;
};

} // namespace brokerscope
