// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace brokerscope {

namespace {

const QString portal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString settings = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colorScheme = QStringLiteral("color-scheme");

// The value may be wrapped once more than it should be (Read of the portal's version 1).
bool saysDark(QVariant value) {
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt() == 1;
}

} // namespace

Theme::Theme(QObject* parent) : QObject(parent) {
    const QPalette start = QApplication::palette();
    m_systemDark = start.color(QPalette::Window).lightness() < start.color(QPalette::WindowText).lightness();
    m_style = new ZoomedStyle; // the application's from here on
    QApplication::setStyle(m_style);
    m_dark = m_systemDark;
    apply();
}

void Theme::choose(ThemeChoice choice) {
    m_choice = choice;
    if (choice == ThemeChoice::System && !m_asked) askPortal();
    apply();
}

void Theme::setZoom(int percent) {
    if (m_style) m_style->setFactor(percent / 100.0);
}

void Theme::askPortal() {
    m_asked = true;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    // From whomever: with a name given, Qt asks the bus for its owner and waits for the answer.
    bus.connect(QString(), portalPath, settings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(portal, portalPath, settings, QStringLiteral("Read"));
    read << appearance << colorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(read, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError()) setSystemDark(saysDark(reply.value().variant()));
        done->deleteLater();
    });
}

void Theme::settingChanged(const QString& space, const QString& key, const QDBusVariant& value) {
    if (space == appearance && key == colorScheme) setSystemDark(saysDark(value.variant()));
}

void Theme::setSystemDark(bool dark) {
    m_systemDark = dark;
    apply();
}

void Theme::apply() {
    m_dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && m_systemDark);
    QApplication::setPalette(colours().palette());
    Q_EMIT changed();
}

} // namespace brokerscope
