// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/preferences.h"

#include <QSettings>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr int mostFilters = 50;

// An enumeration stored as its number; what is out of range gives the default.
template<class T>
T choice(const QSettings& store, const QString& key, T otherwise, int count) {
    bool read = false;
    const int value = store.value(key, static_cast<int>(otherwise)).toInt(&read);
    return read && value >= 0 && value < count ? static_cast<T>(value) : otherwise;
}

int bounded(const QSettings& store, const QString& key, int otherwise, int least, int most) {
    bool read = false;
    const int value = store.value(key, otherwise).toInt(&read);
    return read ? std::clamp(value, least, most) : otherwise;
}

const QString geometryKey = QStringLiteral("window/geometry");
const QString layoutKey = QStringLiteral("window/layout");
const QString layoutVersionKey = QStringLiteral("window/layoutVersion");
const QString rowsKey = QStringLiteral("window/rows");
const QString sidesKey = QStringLiteral("window/sides");
const QString columnsKey = QStringLiteral("table/columns");
const QString timeKey = QStringLiteral("table/time");
const QString colouringKey = QStringLiteral("table/colouring");
const QString slowKey = QStringLiteral("table/slowMs");
const QString zoomKey = QStringLiteral("view/zoom");
const QString themeKey = QStringLiteral("view/theme");
const QString bytesKey = QStringLiteral("view/bytes");
const QString lengthsKey = QStringLiteral("view/lengthFields");
const QString typesKey = QStringLiteral("view/typeColumns");
const QString toolBarKey = QStringLiteral("view/toolBar");
const QString portsKey = QStringLiteral("capture/ports");
const QString recentKey = QStringLiteral("capture/recent");
const QString filtersKey = QStringLiteral("filter/history");

} // namespace

void Settings::addRecent(const QStringList& paths) {
    const QString entry = paths.join(u'\n');
    if (entry.isEmpty() || entry == QStringLiteral("-")) return;
    recentFiles.removeAll(entry);
    recentFiles.prepend(entry);
    while (recentFiles.size() > mostRecent)
        recentFiles.removeLast();
}

Preferences::Preferences(bool fresh, const QString& file) {
    if (fresh) return;
    m_store = file.isEmpty() ? std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                                           QStringLiteral("brokerscope"), QStringLiteral("brokerscope"))
                             : std::make_unique<QSettings>(file, QSettings::IniFormat);
}

Preferences::~Preferences() = default;

Settings Preferences::load() const {
    Settings s;
    if (!m_store) return s;
    const QSettings& store = *m_store;
    s.geometry = store.value(geometryKey).toByteArray();
    if (store.value(layoutVersionKey).toInt() == Settings::layoutVersion) {
        s.layout = store.value(layoutKey).toByteArray();
        s.splitterRows = store.value(rowsKey).toByteArray();
        s.splitterColumns = store.value(sidesKey).toByteArray();
        s.columns = store.value(columnsKey).toByteArray();
    }
    s.time = choice(store, timeKey, s.time, 5);
    s.colouring = store.value(colouringKey, s.colouring).toBool();
    s.slowMs = bounded(store, slowKey, s.slowMs, Settings::leastSlowMs, Settings::mostSlowMs);
    s.zoom = bounded(store, zoomKey, s.zoom, Settings::leastZoom, Settings::mostZoom);
    s.theme = choice(store, themeKey, s.theme, 3);
    s.bytes = choice(store, bytesKey, s.bytes, 3);
    s.lengthFields = store.value(lengthsKey, s.lengthFields).toBool();
    s.typeColumns = store.value(typesKey, s.typeColumns).toBool();
    s.toolBar = store.value(toolBarKey, s.toolBar).toBool();
    for (const QVariant& port : store.value(portsKey).toList())
        if (port.toInt() > 0 && port.toInt() < 65536) s.ports.push_back(static_cast<std::uint16_t>(port.toInt()));
    s.recentFiles = store.value(recentKey).toStringList().mid(0, Settings::mostRecent);
    s.filters = store.value(filtersKey).toStringList().mid(0, mostFilters);
    return s;
}

void Preferences::save(const Settings& s) const {
    if (!m_store) return;
    QSettings& store = *m_store;
    store.setValue(geometryKey, s.geometry);
    store.setValue(layoutVersionKey, Settings::layoutVersion);
    store.setValue(layoutKey, s.layout);
    store.setValue(rowsKey, s.splitterRows);
    store.setValue(sidesKey, s.splitterColumns);
    store.setValue(columnsKey, s.columns);
    store.setValue(timeKey, static_cast<int>(s.time));
    store.setValue(colouringKey, s.colouring);
    store.setValue(slowKey, s.slowMs);
    store.setValue(zoomKey, s.zoom);
    store.setValue(themeKey, static_cast<int>(s.theme));
    store.setValue(bytesKey, static_cast<int>(s.bytes));
    store.setValue(lengthsKey, s.lengthFields);
    store.setValue(typesKey, s.typeColumns);
    store.setValue(toolBarKey, s.toolBar);
    QVariantList ports;
    for (std::uint16_t port : s.ports)
        ports << port;
    store.setValue(portsKey, ports);
    store.setValue(recentKey, s.recentFiles);
    store.setValue(filtersKey, s.filters);
    store.sync();
}

} // namespace brokerscope
