// SPDX-License-Identifier: Apache-2.0
// What a person should know and may act on, in bars above the pages: damage, a stopped load, a changed file. Never a
// dialog. A bar is named, so that saying the same thing again replaces it; at most three are shown, the newest first.
// Threads: the GUI's.
#pragma once

#include "gui/widgets/theme.h"

#include <QVBoxLayout>
#include <QWidget>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace brokerscope {

enum class MessageTone : std::uint8_t { Info, Doubt, Damage };

struct Message {
    MessageTone tone = MessageTone::Info;
    QString text;
    std::vector<std::pair<QString, std::function<void()>>> actions;
    bool closable = true;
};

class MessageStrip : public QWidget {
    Q_OBJECT

  public:
    static constexpr int mostShown = 3;

    MessageStrip(const Theme& theme, QWidget* parent = nullptr);

    void say(const QString& name, Message message);
    void take(const QString& name); // nothing when it is not there
    void clear();
    bool closeNewest(); // false: there was none to close
    bool says(const QString& name) const { return m_bars.contains(name); }
    QString textOf(const QString& name) const;

  private:
    class Bar;
    void arrange();

    const Theme& m_theme;
    QVBoxLayout* m_column;
    std::map<QString, Bar*> m_bars;
    std::vector<QString> m_order; // the oldest first
};

} // namespace brokerscope
