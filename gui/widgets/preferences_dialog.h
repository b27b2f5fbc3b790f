// SPDX-License-Identifier: Apache-2.0
// The few things that are set rather than switched in a menu: what is slow, zoom, theme, ports taken for Kafka's.
#pragma once

#include "gui/widgets/preferences.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QSpinBox>

namespace brokerscope {

class PreferencesDialog : public QDialog {
    Q_OBJECT

  public:
    PreferencesDialog(const Settings& settings, QWidget* parent = nullptr);

  Q_SIGNALS:
    void chosen(const brokerscope::Settings& settings);

  private:
    Settings m_settings;
    QSpinBox *m_slow, *m_zoom;
    QComboBox* m_theme;
    QLineEdit* m_ports;
};

} // namespace brokerscope
