// SPDX-License-Identifier: Apache-2.0
// What the window remembers, in one INI file of the user's. A fresh window (--fresh) neither reads nor writes it.
// Values are held against their bounds when they are read: the file is a person's to edit.
// Threads: the GUI's.
#pragma once

#include "gui/models/texts.h"
#include "gui/widgets/theme.h"

#include <QByteArray>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <vector>

class QSettings;

namespace brokerscope {

enum class BytesPlace : std::uint8_t { Beside, Below, Hidden };

struct Settings {
    static constexpr int layoutVersion = 1; // of the stored layout; another one is not restored
    static constexpr int leastZoom = 60, mostZoom = 300, projectorZoom = 160;
    static constexpr int leastSlowMs = 1, mostSlowMs = 60'000;
    static constexpr qsizetype mostRecent = 20;

    QByteArray geometry, layout, splitterRows, splitterColumns, columns;
    TimeStyle time = TimeStyle::Relative;
    int zoom = 100;
    ThemeChoice theme = ThemeChoice::System;
    bool colouring = true;
    int slowMs = 100;
    BytesPlace bytes = BytesPlace::Beside;
    bool lengthFields = false, typeColumns = false, toolBar = true;
    std::vector<std::uint16_t> ports;
    QStringList recentFiles, filters;

    void addRecent(const QStringList& paths); // several files are one entry
};

class Preferences {
  public:
    // Nothing is read or written when `fresh`. `file` is for tests; empty: the user's own.
    explicit Preferences(bool fresh, const QString& file = {});
    ~Preferences();

    Settings load() const;
    void save(const Settings& settings) const;

  private:
    std::unique_ptr<QSettings> m_store; // null: fresh
};

} // namespace brokerscope
