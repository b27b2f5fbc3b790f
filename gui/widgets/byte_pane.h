// SPDX-License-Identifier: Apache-2.0
// The bytes of one message or one decompressed batch: offset, hex, text. Paints only the lines that are visible.
// A field's own bytes are marked strong, its parent's soft; a bar stands before the first byte of each packet; what the
// capture does not have is shown as missing; secrets are dotted until they are revealed.
//
// Bytes:   keeps its document alive; copies nothing.
// Threads: the GUI's.
#pragma once

#include "gui/models/byte_lines.h"
#include "gui/widgets/theme.h"

#include <QAbstractScrollArea>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace brokerscope {

struct ByteRange {
    std::uint32_t begin = 0, end = 0;

    bool empty() const { return begin >= end; }
    bool contains(std::uint32_t at) const { return at >= begin && at < end; }
    bool operator==(const ByteRange&) const = default;
};

class BytePane : public QAbstractScrollArea {
    Q_OBJECT

  public:
    explicit BytePane(const Theme& theme, QWidget* parent = nullptr);

    // `keeper` owns the chain; null shows nothing.
    void setDocument(std::shared_ptr<const void> keeper, const ByteChain* bytes, std::vector<ByteRange> masked);
    const ByteChain* bytes() const { return m_bytes; }
    // Marks a field; the first byte is scrolled to with two lines of context.
    // `whole`: something with fields inside, marked softly all over.
    void markField(ByteRange own, ByteRange parent, bool scrollTo, bool whole = false);
    ByteRange markedField() const { return m_own; }
    void underline(ByteRange hovered); // empty: nothing
    void setRevealed(bool revealed);
    ByteRange selection() const; // empty without one
    std::uint32_t cursor() const { return m_cursor; }
    void setCursorTo(std::uint32_t offset); // as if clicked

    QString selectedText() const;             // as hex; of the selection, else of the marked field
    QRect rectOf(std::uint32_t offset) const; // in the viewport; of the hex cell
    void zoomTo(const QFont& font);

  Q_SIGNALS:
    void byteChosen(quint32 offset);              // click or cursor
    void rangeChosen(quint32 begin, quint32 end); // a dragged or shifted range
    void hovered(quint32 offset);
    void hoverLeft();
    void previousFieldWished();
    void nextFieldWished();
    void selectFieldWished();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Metrics {
        int cell = 0, line = 0, ascent = 0; // a character's width, a line's height
        int hexX = 0, textX = 0;            // where the columns begin
    };

    void layOut();
    int xOfHex(std::uint32_t column) const;
    int xOfText(std::uint32_t column) const;
    void paintLine(QPainter& painter, const ByteLine& line, int y) const;
    void paintCells(QPainter& painter, const ByteLine& line, int y) const;
    void paintBackground(QPainter& painter, const ByteLine& line, int y, ByteRange range, const QColor& colour,
                         bool framed) const;
    bool startsPacket(std::uint32_t offset) const;
    bool isMasked(std::uint32_t offset) const;
    std::optional<std::uint32_t> offsetAt(const QPoint& point, bool nearest) const;
    void moveCursor(std::uint32_t offset, bool select);
    bool cursorKey(QKeyEvent* event);
    void ensureVisible(std::uint32_t offset, int context);
    QString formatted(int format) const; // of what is chosen; secrets stay masked
    bool hidesSecret(ByteRange range) const;
    void saveBytes();
    ByteRange chosenRange() const; // selection, else the marked field

    const Theme& m_theme;
    std::shared_ptr<const void> m_keeper;
    const ByteChain* m_bytes = nullptr;
    std::vector<ByteRange> m_masked;
    bool m_revealed = false;
    ByteLines m_lines;
    Metrics m_metrics;
    ByteRange m_own, m_parent, m_hover;
    bool m_whole = false;
    std::uint32_t m_cursor = 0, m_anchor = 0;
    bool m_dragging = false;
};

} // namespace brokerscope
