// SPDX-License-Identifier: Apache-2.0
// What a person is looking at, shared by all views: the exchange, a field of it, a range of its bytes. Views tell the
// selection and listen to it; no view talks to another. The way through exchanges is remembered, for Back and Forward.
// Threads: the GUI's.
#pragma once

#include "capture/types/ids.h"
#include "gui/models/detail.h"

#include <QObject>

#include <cstdint>
#include <vector>

namespace brokerscope {

class Selection : public QObject {
    Q_OBJECT

  public:
    // Who says so: the pane that made a change knows it already.
    enum class Origin : std::uint8_t { Other, Table, Tree, Bytes };
    static constexpr std::size_t mostSteps = 200;

    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    ExchangeId exchange() const { return m_exchange; }
    FieldRef field() const { return m_field; }

    void setExchange(ExchangeId exchange, Origin origin = Origin::Other);
    void setField(FieldRef field, Origin origin = Origin::Other);
    void clear(); // another capture: the way is forgotten
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_way.size(); }
    void back();
    void forward();

  Q_SIGNALS:
    void exchangeChanged(brokerscope::ExchangeId exchange, brokerscope::Selection::Origin origin);
    void fieldChanged(brokerscope::FieldRef field, brokerscope::Selection::Origin origin);
    void wayChanged();

  private:
    void go(std::size_t at);

    ExchangeId m_exchange;
    FieldRef m_field;
    std::vector<ExchangeId> m_way;
    std::size_t m_at = 0;
};

} // namespace brokerscope
