// SPDX-License-Identifier: Apache-2.0
// Light or dark, chosen or following the system: hands out the colours and sets the application's palette. The style is
// Fusion on every desktop. "System" asks the desktop portal (org.freedesktop.appearance color-scheme) without waiting
// and follows its changes; without a portal the palette that the application started with decides.
// Threads: the GUI's.
#pragma once

#include "gui/widgets/colours.h"
#include "gui/widgets/zoomed_style.h"

#include <QDBusVariant> // whole: a slot with a type that moc cannot see is not found by the bus
#include <QObject>
#include <QPointer>

#include <cstdint>

namespace brokerscope {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };

class Theme : public QObject {
    Q_OBJECT

  public:
    explicit Theme(QObject* parent = nullptr);

    const Colours& colours() const { return m_dark ? Colours::darkOnes() : Colours::light(); }
    ThemeChoice choice() const { return m_choice; }
    void choose(ThemeChoice choice);
    void setZoom(int percent); // of what the style measures in pixels; fonts are the window's

  Q_SIGNALS:
    void changed();

  private Q_SLOTS:
    void settingChanged(const QString& space, const QString& key, const QDBusVariant& value);

  private:
    void askPortal();
    void setSystemDark(bool dark);
    void apply();

    QPointer<ZoomedStyle> m_style;
    ThemeChoice m_choice = ThemeChoice::System;
    bool m_systemDark = false;
    bool m_dark = false;
    bool m_asked = false;
};

} // namespace brokerscope
