// SPDX-License-Identifier: Apache-2.0
// A switch for a frequent filter: the state's shape, its name and how many exchanges of the capture have it. Without
// room for the name it shrinks to shape and count.
#pragma once

#include "gui/widgets/theme.h"

#include <QAbstractButton>

#include <optional>

namespace brokerscope {

class Chip : public QAbstractButton {
    Q_OBJECT

  public:
    Chip(RowState state, const QString& name, const Theme& theme, QWidget* parent = nullptr);

    void setCount(std::uint32_t count);
    void setShort(bool shortForm);
    RowState state() const { return m_state; }
    QSize sizeHint() const override { return sizeFor(m_short); }
    QSize minimumSizeHint() const override { return sizeFor(true); }
    QSize sizeFor(bool shortForm) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString label(bool shortForm) const;

    RowState m_state;
    QString m_name;
    const Theme& m_theme;
    std::uint32_t m_count = 0;
    bool m_short = false;
};

} // namespace brokerscope
