// SPDX-License-Identifier: Apache-2.0
// The window's glyphs, painted when they are needed: sharp at any size, in the palette's ink, in need of no icon theme.
#pragma once

#include "gui/widgets/colours.h"

#include <QIcon>
#include <QRectF>

#include <cstdint>

class QPainter;

namespace brokerscope {

enum class Glyph : std::uint8_t {
    Open,
    Reload,
    Close,
    Back,
    Forward,
    GoTo,
    Find,
    PreviousError,
    NextError,
    Jump, // request <-> response
    ZoomIn,
    ZoomOut,
    Filter,
    History,
    Tick,
    Cross,
    Doubt,
    Info,
    Export,
    Stop,
    Mark,
    Records,
    Summary,
    Table,
};

QIcon icon(Glyph glyph);
void paintGlyph(QPainter& painter, const QRectF& box, Glyph glyph, const QColor& ink);

// A state as a shape with its letter: triangle D, disc E, diamond U, square S; the rest are letters alone.
void paintState(QPainter& painter, const QRectF& box, RowState state, const Colours& colours);

class Theme;
QIcon stateIcon(RowState state, const Theme& theme);

// The program's own icon, from the pictures that are compiled in.
QIcon applicationIcon();

} // namespace brokerscope
