// SPDX-License-Identifier: Apache-2.0
// Asks for a port that shall be taken for Kafka's, whatever its bytes look like.
#pragma once

#include <QDialog>
#include <QSpinBox>

namespace brokerscope {

class PortDialog : public QDialog {
    Q_OBJECT

  public:
    PortDialog(const QString& suggestion, QWidget* parent = nullptr);

  Q_SIGNALS:
    void chosen(quint16 port);

  private:
    QSpinBox* m_port;
};

} // namespace brokerscope
