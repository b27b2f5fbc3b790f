// SPDX-License-Identifier: Apache-2.0
#include "gui/models/row_filter.h"

#include <QStringList>

namespace brokerscope {

QString FilterWish::expression() const {
    QStringList chips;
    if (errors) chips << QStringLiteral("error");
    if (slow) chips << QStringLiteral("slow");
    if (unanswered) chips << QStringLiteral("status == unanswered");
    if (damaged) chips << QStringLiteral("damaged");
    const QString all = chips.join(QStringLiteral(" or "));
    if (!filter) return all;
    if (chips.isEmpty()) return text;
    return QStringLiteral("(%1) and (%2)").arg(text, all);
}

bool RowFilter::chipsMatch(const ExchangeRow& row) const {
    return (m_wish.errors && row.hasErrors()) || (m_wish.slow && row.slow(m_slowAbove)) ||
           (m_wish.unanswered && row.ended() && row.status() == ExchangeStatus::Unanswered) ||
           (m_wish.damaged && row.damaged());
}

bool RowFilter::matches(std::uint32_t row) {
    if (m_wish.anyChip()) {
        const ExchangeRow view = m_index.row(row);
        if (!view.known() || !chipsMatch(view)) return false;
    }
    if (!m_wish.filter) return true;
    return m_subject.assign(row) && m_wish.filter->matches(m_subject);
}

} // namespace brokerscope
