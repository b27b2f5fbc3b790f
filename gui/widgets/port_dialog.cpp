// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/port_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace brokerscope {

PortDialog::PortDialog(const QString& suggestion, QWidget* parent) : QDialog(parent), m_port(new QSpinBox(this)) {
    setWindowTitle(tr("Treat a port as Kafka"));
    m_port->setRange(1, 65535);
    m_port->setValue(suggestion.isEmpty() ? 9092 : suggestion.toInt());
    auto* label = new QLabel(tr("&Port of the broker"), this);
    label->setBuddy(m_port);
    auto* why =
        new QLabel(tr("Kafka is found on any port by what its bytes look like. Where that fails, say the port; the "
                      "capture is read again."),
                   this);
    why->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(why);
    column->addWidget(label);
    column->addWidget(m_port);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(static_cast<quint16>(m_port->value()));
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(360);
}

} // namespace brokerscope
