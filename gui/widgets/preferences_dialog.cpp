// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/preferences_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QRegularExpression>
#include <QRegularExpressionValidator>

namespace brokerscope {

PreferencesDialog::PreferencesDialog(const Settings& settings, QWidget* parent)
    : QDialog(parent), m_settings(settings), m_slow(new QSpinBox(this)), m_zoom(new QSpinBox(this)),
      m_theme(new QComboBox(this)), m_ports(new QLineEdit(this)) {
    setWindowTitle(tr("Preferences"));
    m_slow->setRange(Settings::leastSlowMs, Settings::mostSlowMs);
    m_slow->setSuffix(tr(" ms"));
    m_slow->setValue(settings.slowMs);
    m_slow->setToolTip(tr("Latency less what the broker waited by design"));
    m_zoom->setRange(Settings::leastZoom, Settings::mostZoom);
    m_zoom->setSuffix(tr(" %"));
    m_zoom->setSingleStep(10);
    m_zoom->setValue(settings.zoom);
    m_theme->addItems({tr("As the system"), tr("Light"), tr("Dark")});
    m_theme->setCurrentIndex(static_cast<int>(settings.theme));
    QStringList ports;
    for (std::uint16_t port : settings.ports)
        ports << QString::number(port);
    m_ports->setText(ports.join(QStringLiteral(", ")));
    m_ports->setPlaceholderText(tr("none; Kafka is found by its bytes"));
    m_ports->setMinimumWidth(fontMetrics().horizontalAdvance(m_ports->placeholderText()) + fontMetrics().height() * 2);
    m_ports->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9, ]*")), this));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Slow is above"), m_slow);
    form->addRow(tr("&Zoom"), m_zoom);
    form->addRow(tr("&Theme"), m_theme);
    form->addRow(tr("&Ports treated as Kafka"), m_ports);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        m_settings.slowMs = m_slow->value();
        m_settings.zoom = m_zoom->value();
        m_settings.theme = static_cast<ThemeChoice>(m_theme->currentIndex());
        m_settings.ports.clear();
        static const QRegularExpression divider(QStringLiteral("[, ]+"));
        for (const QString& port : m_ports->text().split(divider, Qt::SkipEmptyParts))
            if (port.toInt() > 0 && port.toInt() < 65536)
                m_settings.ports.push_back(static_cast<std::uint16_t>(port.toInt()));
        Q_EMIT chosen(m_settings);
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

} // namespace brokerscope
