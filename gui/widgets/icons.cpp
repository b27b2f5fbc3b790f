// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/icons.h"

#include "gui/widgets/theme.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace brokerscope {

namespace {

// All glyphs are drawn on a field of 16 x 16.
QPainterPath lines(std::initializer_list<QPointF> points, bool closed = false) {
    QPainterPath path;
    bool first = true;
    for (const QPointF& point : points) {
        if (first)
            path.moveTo(point);
        else
            path.lineTo(point);
        first = false;
    }
    if (closed) path.closeSubpath();
    return path;
}

QPainterPath magnifier() {
    QPainterPath path;
    path.addEllipse(QPointF(6.5, 6.5), 4.3, 4.3);
    path.addPath(lines({{9.8, 9.8}, {14, 14}}));
    return path;
}

QPainterPath errorStep(bool down) {
    QPainterPath path;
    path.addEllipse(QPointF(5.4, 8), 3.6, 3.6);
    path.addPath(lines({{5.4, 6.2}, {5.4, 8.4}}));
    path.addPath(lines({{5.4, 9.7}, {5.4, 9.9}}));
    if (down)
        path.addPath(lines({{10.5, 8.5}, {12.8, 11.2}, {15, 8.5}}));
    else
        path.addPath(lines({{10.5, 7.5}, {12.8, 4.8}, {15, 7.5}}));
    return path;
}

QPainterPath reload() {
    QPainterPath path;
    path.arcMoveTo(QRectF(2.8, 2.8, 10.4, 10.4), 60);
    path.arcTo(QRectF(2.8, 2.8, 10.4, 10.4), 60, 300);
    path.addPath(lines({{10.4, 1}, {10.9, 3.7}, {8.2, 4.4}}));
    return path;
}

QPainterPath open() {
    QPainterPath path = lines({{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5.5}, {13, 5.5}, {13, 7.5}});
    path.addPath(lines({{2, 13}, {4.2, 7.5}, {15, 7.5}, {12.6, 13}}, true));
    return path;
}

QPainterPath grid() {
    QPainterPath path;
    path.addRect(QRectF(2, 3, 12, 10));
    path.addPath(lines({{2, 6.3}, {14, 6.3}}));
    path.addPath(lines({{2, 9.6}, {14, 9.6}}));
    path.addPath(lines({{6, 3}, {6, 13}}));
    return path;
}

QPainterPath circled(std::initializer_list<QPointF> stroke) {
    QPainterPath path;
    path.addEllipse(QPointF(8, 8), 6, 6);
    path.addPath(lines(stroke));
    return path;
}

QPainterPath pathOf(Glyph glyph) {
    switch (glyph) {
    case Glyph::Open:
        return open();
    case Glyph::Reload:
        return reload();
    case Glyph::Close:
    case Glyph::Cross: {
        QPainterPath path = lines({{3.5, 3.5}, {12.5, 12.5}});
        path.addPath(lines({{12.5, 3.5}, {3.5, 12.5}}));
        return path;
    }
    case Glyph::Back:
        return lines({{10.5, 3}, {5, 8}, {10.5, 13}});
    case Glyph::Forward:
        return lines({{5.5, 3}, {11, 8}, {5.5, 13}});
    case Glyph::GoTo: {
        QPainterPath path = lines({{2, 8}, {10.5, 8}});
        path.addPath(lines({{7.5, 4.8}, {10.8, 8}, {7.5, 11.2}}));
        path.addPath(lines({{14, 3}, {14, 13}}));
        return path;
    }
    case Glyph::Find:
        return magnifier();
    case Glyph::PreviousError:
        return errorStep(false);
    case Glyph::NextError:
        return errorStep(true);
    case Glyph::Jump: {
        QPainterPath path = lines({{2, 5.2}, {14, 5.2}});
        path.addPath(lines({{11, 2.4}, {14, 5.2}, {11, 8}}));
        path.addPath(lines({{14, 10.8}, {2, 10.8}}));
        path.addPath(lines({{5, 8}, {2, 10.8}, {5, 13.6}}));
        return path;
    }
    case Glyph::ZoomIn:
    case Glyph::ZoomOut: {
        QPainterPath path = magnifier();
        path.addPath(lines({{4.5, 6.5}, {8.5, 6.5}}));
        if (glyph == Glyph::ZoomIn) path.addPath(lines({{6.5, 4.5}, {6.5, 8.5}}));
        return path;
    }
    case Glyph::Filter:
        return lines({{2, 3}, {14, 3}, {9.4, 8.6}, {9.4, 13.4}, {6.6, 11.8}, {6.6, 8.6}}, true);
    case Glyph::History:
        return lines({{3.5, 6}, {8, 10.5}, {12.5, 6}});
    case Glyph::Tick:
        return lines({{2.8, 8.6}, {6.3, 12}, {13.2, 4}});
    case Glyph::Doubt: {
        QPainterPath path = lines({{8, 2.5}, {8, 9.5}});
        path.addPath(lines({{8, 12.8}, {8, 13}}));
        return path;
    }
    case Glyph::Info: {
        QPainterPath path = circled({{8, 7.4}, {8, 11.2}});
        path.addPath(lines({{8, 4.9}, {8, 5.0}}));
        return path;
    }
    case Glyph::Export: {
        QPainterPath path = lines({{2.5, 9.5}, {2.5, 13.5}, {13.5, 13.5}, {13.5, 9.5}});
        path.addPath(lines({{8, 10.4}, {8, 2.4}}));
        path.addPath(lines({{4.8, 5.4}, {8, 2.2}, {11.2, 5.4}}));
        return path;
    }
    case Glyph::Stop: {
        QPainterPath path;
        path.addRect(QRectF(4, 4, 8, 8));
        return path;
    }
    case Glyph::Mark:
        return lines({{4, 14}, {4, 2.5}, {12.5, 5.2}, {4, 8.4}});
    case Glyph::Records: {
        QPainterPath path = lines({{2.5, 4}, {13.5, 4}});
        path.addPath(lines({{2.5, 8}, {13.5, 8}}));
        path.addPath(lines({{2.5, 12}, {9.5, 12}}));
        return path;
    }
    case Glyph::Summary: {
        QPainterPath path = lines({{2.5, 13.5}, {13.5, 13.5}});
        path.addPath(lines({{4.5, 13}, {4.5, 8}}));
        path.addPath(lines({{8, 13}, {8, 3}}));
        path.addPath(lines({{11.5, 13}, {11.5, 6}}));
        return path;
    }
    case Glyph::Table:
        return grid();
    }
    return {};
}

class GlyphEngine : public QIconEngine {
  public:
    explicit GlyphEngine(Glyph glyph) : m_glyph(glyph) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QApplication::palette();
        const QColor ink = mode == QIcon::Disabled   ? palette.color(QPalette::Disabled, QPalette::ButtonText)
                           : mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                                                     : palette.color(QPalette::ButtonText);
        paintGlyph(*painter, rect, m_glyph, ink);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new GlyphEngine(m_glyph); }

  private:
    Glyph m_glyph;
};

class StateEngine : public QIconEngine {
  public:
    StateEngine(RowState state, const Theme& theme) : m_state(state), m_theme(theme) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
        paintState(*painter, rect, m_state, m_theme.colours());
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new StateEngine(m_state, m_theme); }

  private:
    RowState m_state;
    const Theme& m_theme;
};

QPainterPath shapeOf(RowState state, const QRectF& box) {
    const QPointF centre = box.center();
    const double half = std::min(box.width(), box.height()) / 2;
    QPainterPath path;
    switch (state) {
    case RowState::Damaged:
        return lines({{centre.x(), centre.y() - half},
                      {centre.x() + half, centre.y() + half * 0.85},
                      {centre.x() - half, centre.y() + half * 0.85}},
                     true);
    case RowState::Error:
        path.addEllipse(centre, half, half);
        return path;
    case RowState::Unanswered:
        return lines({{centre.x(), centre.y() - half},
                      {centre.x() + half, centre.y()},
                      {centre.x(), centre.y() + half},
                      {centre.x() - half, centre.y()}},
                     true);
    case RowState::Slow:
        path.addRect(QRectF(centre.x() - half * 0.88, centre.y() - half * 0.88, half * 1.76, half * 1.76));
        return path;
    default:
        return path;
    }
}

} // namespace

QIcon icon(Glyph glyph) {
    return QIcon(new GlyphEngine(glyph));
}

QIcon stateIcon(RowState state, const Theme& theme) {
    return QIcon(new StateEngine(state, theme));
}

void paintGlyph(QPainter& painter, const QRectF& box, Glyph glyph, const QColor& ink) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(box.width(), box.height());
    painter.translate(box.center() - QPointF(side / 2, side / 2));
    painter.scale(side / 16, side / 16);
    painter.setPen(QPen(ink, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(pathOf(glyph));
    painter.restore();
}

void paintState(QPainter& painter, const QRectF& box, RowState state, const Colours& colours) {
    const QChar letter = letterOf(state);
    if (letter.isNull()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const StateColours* own = colours.of(state);
    if (own) {
        painter.setPen(QPen(own->ink, box.height() / 14));
        painter.setBrush(own->fill);
        painter.drawPath(shapeOf(state, box.adjusted(0.5, 0.5, -0.5, -0.5)));
    }
    QFont font = painter.font();
    font.setBold(own != nullptr);
    font.setPixelSize(std::max(6, static_cast<int>(box.height() * (own ? 0.56 : 0.9))));
    painter.setFont(font);
    painter.setPen(own ? own->ink : colours.dim);
    const double drop = state == RowState::Damaged ? box.height() * 0.12 : 0; // a triangle is wide below
    painter.drawText(box.translated(0, drop), Qt::AlignCenter, letter);
    painter.restore();
}

QIcon applicationIcon() {
    QIcon icon;
    for (int size : {16, 22, 24, 32, 48, 64, 128, 256})
        icon.addFile(QStringLiteral(":/icons/%1.png").arg(size), QSize(size, size));
    return icon;
}

} // namespace brokerscope
