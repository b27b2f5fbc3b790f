// SPDX-License-Identifier: Apache-2.0
// What an empty window shows: how to open a capture, the recent ones, and the samples that are shipped.
// Threads: the GUI's.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <array>
#include <vector>

class QLabel;
class QListWidget;

namespace brokerscope {

struct Sample {
    QString path, title, about;
};
// Those that are installed, or lie in the source tree.
std::vector<Sample> shippedSamples();

class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecent(const QStringList& recent); // entries of one or several paths, divided by line ends

  Q_SIGNALS:
    void openWished();
    void filesWished(QStringList paths);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void applyFonts(); // larger and bolder than the page's

    QLabel* m_title;
    std::array<QLabel*, 2> m_headings;
    QListWidget* m_recent;
    QListWidget* m_samples;
};

} // namespace brokerscope
