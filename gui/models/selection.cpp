// SPDX-License-Identifier: Apache-2.0
#include "gui/models/selection.h"

namespace brokerscope {

void Selection::setExchange(ExchangeId exchange, Origin origin) {
    if (exchange == m_exchange) return;
    m_exchange = exchange;
    m_field = {};
    if (exchange) {
        if (!m_way.empty()) m_way.resize(m_at + 1);
        m_way.push_back(exchange);
        if (m_way.size() > mostSteps) m_way.erase(m_way.begin());
        m_at = m_way.size() - 1;
    }
    Q_EMIT wayChanged();
    Q_EMIT exchangeChanged(exchange, origin);
}

void Selection::setField(FieldRef field, Origin origin) {
    if (field == m_field) return;
    m_field = field;
    Q_EMIT fieldChanged(field, origin);
}

void Selection::clear() {
    m_way.clear();
    m_at = 0;
    m_exchange = {};
    m_field = {};
    Q_EMIT wayChanged();
    Q_EMIT exchangeChanged({}, Origin::Other);
}

void Selection::go(std::size_t at) {
    m_at = at;
    m_exchange = m_way[at];
    m_field = {};
    Q_EMIT wayChanged();
    Q_EMIT exchangeChanged(m_exchange, Origin::Other);
}

void Selection::back() {
    if (canGoBack()) go(m_at - 1);
}

void Selection::forward() {
    if (canGoForward()) go(m_at + 1);
}

} // namespace brokerscope
