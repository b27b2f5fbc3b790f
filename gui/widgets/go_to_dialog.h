// SPDX-License-Identifier: Apache-2.0
// Asks where to go: `17` an exchange, `p55` the exchange with that packet, `12.5s` the first at or after that time.
#pragma once

#include "dissector/index/exchange_index.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>

namespace brokerscope {

struct GoToPlace {
    ExchangeId exchange; // none: `words` say why
    QString words;
};
GoToPlace goToPlace(const QString& text, const ExchangeIndex& index, Timestamp start);

class GoToDialog : public QDialog {
    Q_OBJECT

  public:
    explicit GoToDialog(QWidget* parent = nullptr);
    void say(const QString& words);
    QLineEdit& edit() { return *m_text; }

  Q_SIGNALS:
    void chosen(QString text);

  private:
    QLineEdit* m_text;
    QLabel* m_words;
};

} // namespace brokerscope
