// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/filter_bar.h"

#include "gui/widgets/icons.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>

namespace brokerscope {

namespace {
constexpr int mostHistory = 50;
constexpr int leastEditCharacters = 45;
constexpr int spaceBetween = 4;
} // namespace

FilterBar::FilterBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    m_edit = new FilterEdit(theme, this);
    m_label = new QLabel(tr("F&ilter"), this);
    m_label->setBuddy(m_edit);
    m_historyButton = new QToolButton(this);
    m_historyButton->setIcon(icon(Glyph::History));
    m_historyButton->setAutoRaise(true);
    m_historyButton->setToolTip(tr("Earlier filters (Alt+Down)"));
    m_historyButton->setAccessibleName(tr("Earlier filters"));
    m_apply = new QPushButton(tr("Apply"), this);
    m_apply->setToolTip(tr("Show what fits (Enter)"));
    m_apply->setAutoDefault(false);
    m_chips = {new Chip(RowState::Error, tr("Errors"), theme, this), new Chip(RowState::Slow, tr("Slow"), theme, this),
               new Chip(RowState::Unanswered, tr("Unanswered"), theme, this),
               new Chip(RowState::Damaged, tr("Damaged"), theme, this)};
    m_chips[3]->hide();
    m_words = new QLabel(this);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->hide();

    auto* row = new QHBoxLayout;
    row->setSpacing(spaceBetween);
    row->addWidget(m_label);
    row->addWidget(m_edit, 1);
    row->addWidget(m_historyButton);
    row->addWidget(m_apply);
    for (Chip* chip : m_chips)
        row->addWidget(chip);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 2, 8, 4);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_words);

    connect(m_edit, &FilterEdit::stateChanged, this, &FilterBar::stateChanged);
    connect(m_edit, &QLineEdit::textChanged, this, &FilterBar::stateChanged);
    connect(m_edit, &FilterEdit::applyWished, this, &FilterBar::apply);
    connect(m_edit, &FilterEdit::revertWished, this, &FilterBar::revert);
    connect(m_edit, &FilterEdit::historyWished, this, &FilterBar::openHistory);
    connect(m_historyButton, &QToolButton::clicked, this, &FilterBar::openHistory);
    connect(m_apply, &QPushButton::clicked, this, [this] { m_running ? Q_EMIT stopWished() : apply(); });
    for (Chip* chip : m_chips)
        connect(chip, &QAbstractButton::clicked, this, &FilterBar::apply);
    connect(&theme, &Theme::changed, this, &FilterBar::stateChanged);
    stateChanged();
}

Chip& FilterBar::chip(RowState state) {
    for (Chip* chip : m_chips)
        if (chip->state() == state) return *chip;
    return *m_chips.front();
}

void FilterBar::setCounts(const ExchangeIndex::Counts& counts) {
    m_chips[0]->setCount(counts.errors);
    m_chips[1]->setCount(counts.slow);
    m_chips[2]->setCount(counts.unanswered);
    m_chips[3]->setCount(counts.damaged);
    const bool damage = counts.damaged > 0 || m_chips[3]->isChecked();
    if (damage != m_chips[3]->isVisibleTo(this)) m_chips[3]->setVisible(damage);
    fitChips();
}

void FilterBar::fitChips() {
    // Long forms, as long as they leave the line room to be read.
    int chips = 0;
    for (Chip* chip : m_chips)
        if (chip->isVisibleTo(this)) chips += chip->sizeFor(false).width() + spaceBetween;
    const QMargins around = layout()->contentsMargins();
    const int others = m_label->sizeHint().width() + m_historyButton->sizeHint().width() + m_apply->sizeHint().width() +
                       3 * spaceBetween + around.left() + around.right();
    const bool shortForm = width() - others - chips < leastEditCharacters * fontMetrics().averageCharWidth();
    for (Chip* chip : m_chips)
        chip->setShort(shortForm);
}

void FilterBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitChips();
}

void FilterBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitChips();
}

FilterWish FilterBar::wish() const {
    FilterWish wish;
    wish.text = m_edit->text().trimmed();
    wish.filter = m_edit->filter();
    wish.errors = m_chips[0]->isChecked();
    wish.slow = m_chips[1]->isChecked();
    wish.unanswered = m_chips[2]->isChecked();
    wish.damaged = m_chips[3]->isChecked();
    return wish;
}

void FilterBar::apply() {
    FilterWish next = wish();
    if (m_edit->state() == FilterState::Invalid) { // the last good one stays, chips hold all the same
        next.text = m_applied.text;
        next.filter = m_applied.filter;
    } else {
        remember(next.text);
    }
    m_applied = next;
    stateChanged();
    Q_EMIT applyWished(m_applied);
}

void FilterBar::applyText(const QString& text) {
    m_edit->setText(text);
    apply();
}

void FilterBar::prepareText(const QString& text) {
    m_edit->setText(text);
    m_edit->setFocus();
}

void FilterBar::applyAlone(const QString& text) {
    for (Chip* chip : m_chips)
        chip->setChecked(false);
    applyText(text);
}

void FilterBar::clear() {
    applyAlone({});
}

void FilterBar::toggleChip(int number) {
    m_chips.at(static_cast<std::size_t>(number - 1))->toggle();
    apply();
}

void FilterBar::revert() {
    if (m_running) return Q_EMIT stopWished();
    if (m_edit->text().trimmed() == m_applied.text) return Q_EMIT leaveWished();
    m_edit->setText(m_applied.text);
}

void FilterBar::remember(const QString& text) {
    if (text.isEmpty()) return;
    m_history.removeAll(text);
    m_history.prepend(text);
    while (m_history.size() > mostHistory)
        m_history.removeLast();
}

void FilterBar::openHistory() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (m_history.isEmpty()) menu->addAction(tr("No earlier filters"))->setEnabled(false);
    for (const QString& text : m_history) {
        QString shown = text;
        menu->addAction(shown.replace(u'&', QStringLiteral("&&")), this, [this, text] { applyText(text); });
    }
    menu->setMinimumWidth(m_edit->width());
    menu->popup(m_edit->mapToGlobal(QPoint(0, m_edit->height())));
}

void FilterBar::setRunning(std::optional<int> percent) {
    m_running = percent.has_value();
    m_edit->setRunning(percent);
    stateChanged();
}

void FilterBar::stateChanged() {
    const bool pending = m_edit->text().trimmed() != m_applied.text;
    m_apply->setText(m_running ? tr("Stop") : tr("Apply"));
    m_apply->setEnabled(m_running || (pending && m_edit->state() != FilterState::Invalid));
    QFont font = this->font();
    font.setBold(pending && !m_running && m_apply->isEnabled());
    m_apply->setFont(font);

    const FilterState state = m_edit->state();
    const bool invalid = state == FilterState::Invalid;
    const bool says = (invalid || state == FilterState::Doubtful) && !m_edit->wordUnfinished();
    m_words->setVisible(says);
    if (!says) return;
    QPalette its = m_theme.colours().palette();
    its.setColor(QPalette::WindowText, invalid ? m_theme.colours().invalidText : m_theme.colours().text);
    m_words->setPalette(its);
    m_words->setText(invalid && !m_applied.everything()
                         ? m_edit->words() + u' ' + tr("The table still shows the last good filter.")
                         : m_edit->words());
}

} // namespace brokerscope
