// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/find_bar.h"

#include "gui/widgets/icons.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace brokerscope {

FindBar::FindBar(QWidget* parent) : FoldingRow(parent) {
    m_text = new QLineEdit(this);
    m_text->setAccessibleName(tr("What to find"));
    m_text->setMinimumWidth(80);
    m_text->setAcceptDrops(false); // files are dropped on the window
    auto* label = new QLabel(tr("Fin&d"), this);
    label->setBuddy(m_text);
    m_where = new QComboBox(this);
    m_where->addItem(tr("in columns"), static_cast<int>(FindWhere::Columns));
    m_where->addItem(tr("in field values"), static_cast<int>(FindWhere::Fields));
    m_where->addItem(tr("in bytes, as text"), static_cast<int>(FindWhere::BytesText));
    m_where->addItem(tr("in bytes, as hex"), static_cast<int>(FindWhere::BytesHex));
    m_where->setAccessibleName(tr("Where to find it"));
    m_regular = new QCheckBox(tr("Reg&ular expression"), this);
    m_case = new QCheckBox(tr("Ca&se"), this);
    m_case->setToolTip(tr("Tell upper from lower case"));
    m_words = new ElidedLabel({}, this);
    m_words->setForegroundRole(QPalette::PlaceholderText);
    auto* previous = new QPushButton(tr("&Previous"), this);
    auto* next = new QPushButton(tr("&Next"), this);
    for (QPushButton* button : {previous, next})
        button->setAutoDefault(false);
    auto* close = new QToolButton(this);
    close->setIcon(icon(Glyph::Cross));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close find"));
    setMargins({8, 3, 6, 3});
    first().addWidget(label);
    first().addWidget(m_text, 1);
    first().addWidget(m_where);
    for (QWidget* widget : {static_cast<QWidget*>(m_regular), static_cast<QWidget*>(m_case),
                            static_cast<QWidget*>(previous), static_cast<QWidget*>(next)})
        second().addWidget(widget);
    second().addWidget(m_words, 1);
    second().addWidget(close);
    connect(previous, &QPushButton::clicked, this, [this] { Q_EMIT findWished(-1); });
    connect(next, &QPushButton::clicked, this, [this] { Q_EMIT findWished(1); });
    connect(close, &QToolButton::clicked, this, &FindBar::closeWished);
    connect(m_text, &QLineEdit::textChanged, this, [this] { m_words->setText({}); });
    hide();
}

QString wrappedWords(int direction) {
    return direction > 0 ? FindBar::tr("Wrapped to the top") : FindBar::tr("Wrapped to the end");
}

void FindBar::open() {
    show();
    m_text->setFocus();
    m_text->selectAll();
}

FindWish FindBar::wish() const {
    FindWish wish;
    wish.text = m_text->text();
    wish.where = static_cast<FindWhere>(m_where->currentData().toInt());
    wish.regular = m_regular->isChecked();
    wish.caseSensitive = m_case->isChecked();
    return wish;
}

bool FindBar::valid() {
    const QString reason = wish().whyInvalid();
    say(reason);
    return reason.isEmpty();
}

void FindBar::say(const QString& words) {
    m_words->setText(words);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return Q_EMIT closeWished();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return Q_EMIT findWished(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    FoldingRow::keyPressEvent(event);
}

} // namespace brokerscope
