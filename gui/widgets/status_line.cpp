// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/status_line.h"

#include <QHBoxLayout>

namespace brokerscope {

StatusLine::StatusLine(QWidget* parent) : QWidget(parent), m_text(new ElidedLabel({}, this)) {
    m_bar = new QProgressBar(this);
    m_bar->setMaximumWidth(120);
    m_bar->setMinimumWidth(24);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 1, 4, 1);
    row->setSpacing(4);
    row->addWidget(m_text, 1);
    row->addWidget(m_bar);
    const auto button = [&](const QString& name) {
        auto* made = new QPushButton(this);
        made->setFlat(true);
        made->setMinimumWidth(16); // it gives way rather than widen the window
        made->setAutoDefault(false);
        made->setFocusPolicy(Qt::TabFocus);
        made->setAccessibleName(name);
        row->addWidget(made);
        return made;
    };
    m_cancel = button(tr("Cancel"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setFlat(false);
    m_exchanges = button(tr("Exchanges shown"));
    m_errors = button(tr("Errors"));
    m_span = button(tr("Time span"));
    m_damage = button(tr("Damage"));
    m_exchanges->setToolTip(tr("What the table shows of all exchanges"));
    m_errors->setToolTip(tr("To the next error (F4)"));
    m_damage->setToolTip(tr("What was lost, and where"));
    connect(m_cancel, &QPushButton::clicked, this, &StatusLine::cancelWished);
    connect(m_exchanges, &QPushButton::clicked, this, &StatusLine::exchangesWished);
    connect(m_errors, &QPushButton::clicked, this, &StatusLine::errorsWished);
    connect(m_span, &QPushButton::clicked, this, &StatusLine::spanWished);
    connect(m_damage, &QPushButton::clicked, this, &StatusLine::damageWished);
    endJob();
    clearCounts();
}

void StatusLine::showText() {
    m_text->setText(!m_hover.isEmpty() ? m_hover : !m_job.isEmpty() ? m_job : m_said);
}

void StatusLine::say(const QString& text) {
    m_said = text;
    showText();
}

void StatusLine::hover(const QString& text) {
    m_hover = text;
    showText();
}

void StatusLine::showJob(const QString& text, int percent) {
    m_job = text;
    m_bar->setRange(0, percent < 0 ? 0 : 100);
    m_bar->setValue(percent);
    m_bar->show();
    m_cancel->show();
    showText();
}

void StatusLine::endJob() {
    m_job.clear();
    m_bar->hide();
    m_cancel->hide();
    showText();
}

void StatusLine::showCounts(const QString& exchanges, const QString& errors, const QString& span,
                            const QString& spanTip, const QString& damage, bool damaged) {
    m_exchanges->setText(exchanges);
    m_errors->setText(errors);
    m_span->setText(span);
    m_span->setToolTip(spanTip);
    m_damage->setText(damage);
    m_damage->setEnabled(damaged);
    for (QPushButton* button : {m_exchanges, m_errors, m_span, m_damage})
        button->setVisible(!button->text().isEmpty());
}

void StatusLine::clearCounts() {
    for (QPushButton* button : {m_exchanges, m_errors, m_span, m_damage})
        button->hide();
}

QString StatusLine::text() const {
    return m_text->text();
}

} // namespace brokerscope
