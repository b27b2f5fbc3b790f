// SPDX-License-Identifier: Apache-2.0
// A line of text that gives way: it has no minimum width, is cut with an ellipsis where there is no room, and then
// shows the whole in its tooltip.
#pragma once

#include <QFrame>

namespace brokerscope {

class ElidedLabel : public QFrame {
    Q_OBJECT

  public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }
    void setMode(Qt::TextElideMode mode) { m_mode = mode; }
    void setAlign(Qt::Alignment align) { m_align = align; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void updateToolTip();

    QString m_text;
    Qt::TextElideMode m_mode = Qt::ElideRight;
    Qt::Alignment m_align = Qt::AlignLeft | Qt::AlignVCenter;
};

} // namespace brokerscope
