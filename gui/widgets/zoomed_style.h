// SPDX-License-Identifier: Apache-2.0
// Fusion, with what it measures in pixels (scroll bars, boxes to tick, small icons) following the zoom, and with
// outlines and arrows that can be seen on every palette: Fusion's own are all but gone on dark ones.
// Threads: the GUI's.
#pragma once

#include <QProxyStyle>

namespace brokerscope {

class ZoomedStyle : public QProxyStyle {
    Q_OBJECT

  public:
    ZoomedStyle();

    void setFactor(double factor); // tells all widgets
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;

  private:
    void drawBranch(const QStyleOption& option, QPainter& painter) const;

    double m_factor = 1;
};

} // namespace brokerscope
