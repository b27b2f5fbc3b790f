// SPDX-License-Identifier: Apache-2.0
// Every colour of the window, light and dark, as values. Nothing else may name a colour. The pairs that text stands on
// are listed with the contrast they must have (WCAG 2), and a test computes it.
#pragma once

#include "gui/models/row_state.h"

#include <QColor>
#include <QPalette>

#include <array>
#include <string>
#include <vector>

namespace brokerscope {

struct StateColours {
    QColor fill, ink;
};

struct Colours {
    bool dark = false;
    QColor window, base, text, dim, disabled, line;
    QColor selection, selectedText, link;
    QColor latencyBar;
    StateColours damaged, error, unanswered, slow;
    QColor mark;                    // the edge of a marked row
    QColor fieldBytes, parentBytes; // the selected field's own bytes, and its parent's
    QColor validFill, runningFill, invalidFill, doubtfulFill;
    QColor validInk, invalidText, doubtfulInk;
    std::array<QColor, 5> series; // of later charts

    static const Colours& light();
    static const Colours& darkOnes();

    const StateColours* of(RowState state) const; // null: no fill of its own
    QPalette palette() const;

    struct Pair {
        std::string what;
        QColor front, back;
        double least; // contrast
    };
    std::vector<Pair> pairs() const;
};

double contrast(const QColor& a, const QColor& b); // 1 to 21

} // namespace brokerscope
