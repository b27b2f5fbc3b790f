// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/header_style.h"

#include <QHeaderView>
#include <QProxyStyle>

namespace brokerscope {

namespace {

class HeaderStyle : public QProxyStyle {
  public:
    explicit HeaderStyle(int by) : QProxyStyle(QStringLiteral("Fusion")), m_by(by) {}

    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override {
        const QRect whole = QProxyStyle::subElementRect(element, option, widget);
        return element == SE_HeaderLabel ? whole.adjusted(m_by, 0, -m_by, 0) : whole;
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
