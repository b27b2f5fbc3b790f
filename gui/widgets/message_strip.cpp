// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/message_strip.h"

#include "gui/widgets/elided_label.h"
#include "gui/widgets/icons.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace brokerscope {

// One message: its sign, its words, what can be done.
class MessageStrip::Bar : public QWidget {
  public:
    Bar(Message message, const Theme& theme, QWidget* parent, std::function<void()> close)
        : QWidget(parent), m_message(std::move(message)), m_theme(theme) {
        auto* words = new ElidedLabel(m_message.text, this);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(fontMetrics().height() + 20, 3, 6, 3);
        row->addWidget(words, 1);
        for (const auto& [name, act] : m_message.actions) {
            auto* button = new QPushButton(name, this);
            button->setAutoDefault(false);
            connect(button, &QPushButton::clicked, this, [act = act] { act(); });
            row->addWidget(button);
        }
        if (m_message.closable) {
            auto* cross = new QToolButton(this);
            cross->setIcon(icon(Glyph::Cross));
            cross->setAutoRaise(true);
            cross->setToolTip(MessageStrip::tr("Close (Esc)"));
            cross->setAccessibleName(MessageStrip::tr("Close this message"));
            connect(cross, &QToolButton::clicked, this, [close = std::move(close)] { close(); });
            row->addWidget(cross);
        }
        setAccessibleName(m_message.text);
    }

    const Message& message() const { return m_message; }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Colours& colours = m_theme.colours();
        const int side = fontMetrics().height();
        const QRectF sign(10, (height() - side) / 2.0, side, side);
        switch (m_message.tone) {
        case MessageTone::Info:
            painter.fillRect(rect(), colours.runningFill);
            paintGlyph(painter, sign, Glyph::Info, colours.text);
            break;
        case MessageTone::Doubt:
            painter.fillRect(rect(), colours.doubtfulFill);
            paintGlyph(painter, sign, Glyph::Doubt, colours.doubtfulInk);
            break;
        case MessageTone::Damage:
            painter.fillRect(rect(), colours.damaged.fill);
            paintState(painter, sign, RowState::Damaged, colours);
            break;
        }
        painter.setPen(colours.line);
        painter.drawLine(rect().bottomLeft(), rect().bottomRight());
    }

  private:
    Message m_message;
    const Theme& m_theme;
};

MessageStrip::MessageStrip(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    hide();
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MessageStrip::say(const QString& name, Message message) {
    take(name);
    m_bars[name] = new Bar(std::move(message), m_theme, this, [this, name] { take(name); });
    m_order.push_back(name);
    arrange();
}

void MessageStrip::take(const QString& name) {
    const auto bar = m_bars.find(name);
    if (bar == m_bars.end()) return;
    bar->second->hide();
    bar->second->deleteLater();
    m_bars.erase(bar);
    std::erase(m_order, name);
    arrange();
}

void MessageStrip::clear() {
    while (!m_order.empty())
        take(m_order.back());
}

bool MessageStrip::closeNewest() {
    for (auto name = m_order.rbegin(); name != m_order.rend(); ++name)
        if (m_bars.at(*name)->message().closable) {
            take(QString(*name));
            return true;
        }
    return false;
}

QString MessageStrip::textOf(const QString& name) const {
    const auto bar = m_bars.find(name);
    return bar == m_bars.end() ? QString() : bar->second->message().text;
}

void MessageStrip::arrange() {
    while (m_column->count() > 0)
        delete m_column->takeAt(0);
    int shown = 0;
    for (auto name = m_order.rbegin(); name != m_order.rend(); ++name) {
        Bar* bar = m_bars.at(*name);
        bar->setVisible(shown < mostShown);
        if (shown++ < mostShown) m_column->addWidget(bar);
    }
    setVisible(!m_order.empty());
}

} // namespace brokerscope
