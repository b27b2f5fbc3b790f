// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/zoomed_style.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace brokerscope {

namespace {

constexpr double branchSize = 9; // of a tree's arrow, at 100 %
constexpr int darkenedBy = 140;  // what Fusion does to the window's colour for an outline

// A boundary that can be seen and is not as loud as text; lightened by what Fusion darkens it by.
QColor outlineFor(const QPalette& palette) {
    const QColor loud = palette.color(QPalette::PlaceholderText),
                 soft = palette.color(QPalette::Disabled, QPalette::Text);
    return QColor((loud.red() + soft.red()) / 2, (loud.green() + soft.green()) / 2, (loud.blue() + soft.blue()) / 2)
        .lighter(darkenedBy);
}

bool follows(QStyle::PixelMetric metric) {
    switch (metric) {
    case QStyle::PM_ScrollBarExtent:
    case QStyle::PM_ScrollBarSliderMin:
    case QStyle::PM_IndicatorWidth:
    case QStyle::PM_IndicatorHeight:
    case QStyle::PM_ExclusiveIndicatorWidth:
    case QStyle::PM_ExclusiveIndicatorHeight:
    case QStyle::PM_CheckBoxLabelSpacing:
    case QStyle::PM_RadioButtonLabelSpacing:
    case QStyle::PM_SmallIconSize:
    case QStyle::PM_ButtonIconSize:
    case QStyle::PM_ListViewIconSize:
    case QStyle::PM_HeaderMarkSize:
    case QStyle::PM_MenuButtonIndicator:
    case QStyle::PM_TabCloseIndicatorWidth:
    case QStyle::PM_TabCloseIndicatorHeight:
    case QStyle::PM_TabBarScrollButtonWidth:
    case QStyle::PM_ToolBarExtensionExtent:
        return true;
    default:
        return false;
    }
}

} // namespace

ZoomedStyle::ZoomedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void ZoomedStyle::setFactor(double factor) {
    if (m_factor == factor) return;
    m_factor = factor;
    for (QWidget* widget : QApplication::allWidgets()) {
        QEvent changed(QEvent::StyleChange);
        QApplication::sendEvent(widget, &changed);
    }
}

int ZoomedStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    const int plain = QProxyStyle::pixelMetric(metric, option, widget);
    return follows(metric) ? static_cast<int>(std::lround(plain * m_factor)) : plain;
}

// A triangle in the ink of the row it stands in.
void ZoomedStyle::drawBranch(const QStyleOption& option, QPainter& painter) const {
    if (!(option.state & State_Children)) return;
    const double side = std::min({branchSize * m_factor, double(option.rect.width()), double(option.rect.height())});
    const bool chosen = option.state & State_Selected;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(option.palette.color(chosen ? QPalette::HighlightedText : QPalette::Text));
    painter.translate(QRectF(option.rect).center());
    const double half = side / 2;
    if (option.state & State_Open)
        painter.rotate(90);
    else if (option.direction == Qt::RightToLeft)
        painter.rotate(180);
    painter.drawPolygon(QPolygonF{{-half / 2, -half * 0.8}, {half * 0.7, 0}, {-half / 2, half * 0.8}});
    painter.restore();
}

void ZoomedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    if (element == PE_IndicatorBranch && option) return drawBranch(*option, *painter);
    const bool outlined = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    if (outlined && option) {
        QStyleOptionButton seen;
        static_cast<QStyleOption&>(seen) = *option;
        seen.palette.setColor(QPalette::Window, outlineFor(option->palette));
        return QProxyStyle::drawPrimitive(element, &seen, painter, widget);
    }
    if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && element == PE_FrameLineEdit) {
        QStyleOptionFrame seen = *frame;
        seen.palette.setColor(QPalette::Window, outlineFor(frame->palette));
        return QProxyStyle::drawPrimitive(element, &seen, painter, widget);
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

} // namespace brokerscope
