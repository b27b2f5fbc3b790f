// SPDX-License-Identifier: Apache-2.0
// A page of text in a window of its own: the keys, the filter language, about, details of damage.
#pragma once

#include <QDialog>

namespace brokerscope {

class HelpDialog : public QDialog {
    Q_OBJECT

  public:
    HelpDialog(const QString& title, const QString& html, QWidget* parent = nullptr);
};

QString filterPage(); // made from the filter's own table of names
QString aboutPage();

} // namespace brokerscope
