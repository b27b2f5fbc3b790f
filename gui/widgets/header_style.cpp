// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/header_style.h"

#include <QHeaderView>
#include <QProxyStyle>
#include <QStyleOption>

namespace brokerscope {

namespace {

class HeaderStyle : public QProxyStyle {
  public:
    explicit HeaderStyle(int by) : QProxyStyle(QStringLiteral("Fusion")), m_by(by) {}

    // The label's own painting, not its rectangle: the base style does not ask its proxy for that.
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        const auto* label = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (element != CE_HeaderLabel || !label) return QProxyStyle::drawControl(element, option, painter, widget);
        QStyleOptionHeader inset = *label; // what a later version of the option adds is not copied
        inset.version = QStyleOptionHeader::Version;
        inset.rect.adjust(m_by, 0, -m_by, 0);
        QProxyStyle::drawControl(element, &inset, painter, widget);
    }

  private:
    int m_by;
};

} // namespace

void insetTitles(QHeaderView& header, int by) {
    auto* style = new HeaderStyle(by);
    style->setParent(&header);
    header.setStyle(style);
}

} // namespace brokerscope
