// SPDX-License-Identifier: Apache-2.0
// The bar for finding something in exchanges: in the shown columns, in field values, in bytes (hex or text), with or
// without a regular expression. It holds what is looked for; looking is a job (exchange_finder).
// Threads: the GUI's.
#pragma once

#include "gui/loader/exchange_finder.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/folding_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QWidget>

namespace brokerscope {

class FindBar : public FoldingRow {
    Q_OBJECT

  public:
    explicit FindBar(QWidget* parent = nullptr);

    void open();
    FindWish wish() const;
    bool valid(); // says in words why it is not
    void say(const QString& words);
    QLineEdit& edit() { return *m_text; }
    QComboBox& where() { return *m_where; }
    QString words() const { return m_words->text(); }

  Q_SIGNALS:
    void findWished(int direction);
    void closeWished();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QLineEdit* m_text;
    QComboBox* m_where;
    QCheckBox* m_regular;
    QCheckBox* m_case;
    ElidedLabel* m_words;
};

// What is said when a search went on at the other end.
QString wrappedWords(int direction);

} // namespace brokerscope
