// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/byte_pane.h"

#include "gui/models/byte_formats.h"
#include "gui/models/texts.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QScrollBar>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr int offsetDigits = 6;
constexpr int wideColumns = 77;

ByteRange between(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b) + 1};
}

} // namespace

BytePane::BytePane(const Theme& theme, QWidget* parent) : QAbstractScrollArea(parent), m_theme(theme) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setBackgroundRole(QPalette::Base);
    setAccessibleName(tr("Bytes"));
    setMinimumSize(60, 40);
    layOut();
}

void BytePane::setDocument(std::shared_ptr<const void> keeper, const ByteChain* bytes, std::vector<ByteRange> masked) {
    m_bytes = bytes;
    m_keeper = std::move(keeper);
    m_masked = std::move(masked);
    m_own = m_parent = m_hover = {};
    m_cursor = m_anchor = 0;
    verticalScrollBar()->setValue(0);
    layOut();
}

void BytePane::zoomTo(const QFont& font) {
    setFont(font);
    layOut();
}

void BytePane::layOut() {
    const QFontMetrics metrics(font());
    m_metrics.cell = std::max(1, metrics.horizontalAdvance(u'0'));
    m_metrics.line = metrics.height() + 3;
    m_metrics.ascent = metrics.ascent() + 1;
    const bool narrow = viewport()->width() < wideColumns * m_metrics.cell;
    const std::uint32_t perLine = narrow ? 8 : 16;
    m_metrics.hexX = m_metrics.cell * (offsetDigits + 3);
    m_metrics.textX = xOfHex(perLine) + m_metrics.cell;
    m_lines = m_bytes ? ByteLines(*m_bytes, perLine) : ByteLines();
    const int page = std::max(1, viewport()->height() / m_metrics.line);
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, m_lines.count() - page));
    const int width = m_metrics.textX + m_metrics.cell * (static_cast<int>(perLine) + 1);
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    viewport()->update();
}

void BytePane::markField(ByteRange own, ByteRange parent, bool scrollTo, bool whole) {
    m_whole = whole;
    m_own = own;
    m_parent = parent;
    m_anchor = m_cursor;
    if (scrollTo && m_bytes && !own.empty()) {
        m_cursor = m_anchor = own.begin;
        ensureVisible(own.begin, 2);
    }
    viewport()->update();
}

void BytePane::underline(ByteRange hover) {
    if (m_hover == hover) return;
    m_hover = hover;
    viewport()->update();
}

void BytePane::setRevealed(bool revealed) {
    m_revealed = revealed;
    viewport()->update();
}

ByteRange BytePane::selection() const {
    return m_cursor == m_anchor ? ByteRange{} : between(m_cursor, m_anchor);
}

ByteRange BytePane::chosenRange() const {
    if (!selection().empty()) return selection();
    if (!m_own.empty()) return m_own;
    return between(m_cursor, m_cursor);
}

bool BytePane::isMasked(std::uint32_t offset) const {
    return !m_revealed &&
           std::any_of(m_masked.begin(), m_masked.end(), [offset](ByteRange range) { return range.contains(offset); });
}

// ---- painting

int BytePane::xOfHex(std::uint32_t column) const {
    return m_metrics.hexX + m_metrics.cell * static_cast<int>(column * 3 + (column >= 8 ? 1 : 0));
}

int BytePane::xOfText(std::uint32_t column) const {
    return m_metrics.textX + m_metrics.cell * static_cast<int>(column);
}

QRect BytePane::rectOf(std::uint32_t offset) const {
    const int line = m_lines.lineOf(offset) - verticalScrollBar()->value();
    return {xOfHex(offset % m_lines.perLine()) - horizontalScrollBar()->value(), line * m_metrics.line,
            m_metrics.cell * 2, m_metrics.line};
}

void BytePane::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_theme.colours().base);
    if (!m_bytes) return;
    painter.setFont(font());
    painter.translate(-horizontalScrollBar()->value(), 0);
    const int first = verticalScrollBar()->value();
    const int visible = viewport()->height() / m_metrics.line + 2;
    for (int i = 0; i < visible && first + i < m_lines.count(); ++i)
        paintLine(painter, m_lines.line(first + i), i * m_metrics.line);
}

void BytePane::paintLine(QPainter& painter, const ByteLine& line, int y) const {
    const Colours& colours = m_theme.colours();
    painter.setPen(colours.dim);
    const std::uint32_t shown = line.hole ? line.begin : line.begin - line.begin % m_lines.perLine();
    painter.drawText(m_metrics.cell, y + m_metrics.ascent,
                     QStringLiteral("%1").arg(shown, offsetDigits, 16, QLatin1Char('0')));
    if (line.hole) {
        const bool marked = m_own.begin < line.end && line.begin < m_own.end;
        if (marked) painter.fillRect(m_metrics.hexX - 2, y, m_metrics.cell * 44, m_metrics.line, colours.fieldBytes);
        painter.setPen(marked ? colours.text : colours.dim);
        painter.drawText(m_metrics.hexX, y + m_metrics.ascent,
                         tr("-- %1 not captured --").arg(texts::bytes(line.end - line.begin)));
        return;
    }
    paintBackground(painter, line, y, m_parent, colours.parentBytes, false);
    paintBackground(painter, line, y, m_own, m_whole ? colours.parentBytes : colours.fieldBytes, true);
    paintBackground(painter, line, y, selection(), colours.selection, false);
    paintCells(painter, line, y);
}

void BytePane::paintBackground(QPainter& painter, const ByteLine& line, int y, ByteRange range, const QColor& colour,
                               bool framed) const {
    const std::uint32_t begin = std::max(range.begin, line.begin), end = std::min(range.end, line.end);
    if (range.empty() || begin >= end) return;
    const std::uint32_t first = begin % m_lines.perLine(), last = (end - 1) % m_lines.perLine();
    const int half = m_metrics.cell / 2;
    const QRect hex(xOfHex(first) - half, y, xOfHex(last) + m_metrics.cell * 2 - xOfHex(first) + half * 2,
                    m_metrics.line);
    const QRect text(xOfText(first), y, xOfText(last) + m_metrics.cell - xOfText(first), m_metrics.line);
    for (const QRect& box : {hex, text}) {
        painter.fillRect(box, colour);
        if (!framed) continue;
        painter.setPen(m_theme.colours().text);
        if (begin == range.begin) painter.drawLine(box.topLeft(), box.bottomLeft());
        if (end == range.end) painter.drawLine(box.topRight(), box.bottomRight());
        // Above and below there is a frame where the neighbouring line is not the field's.
        const std::uint32_t line16 = m_lines.perLine();
        const int above = begin >= range.begin + line16 ? 0 : 1, below = end + line16 <= range.end ? 0 : 1;
        if (above) painter.drawLine(box.topLeft(), box.topRight());
        if (below) painter.drawLine(box.bottomLeft(), box.bottomRight());
    }
}

bool BytePane::startsPacket(std::uint32_t offset) const {
    const std::size_t at = m_bytes->pieceAt(offset);
    const auto& pieces = m_bytes->pieces();
    return at > 0 && pieces[at].offset == offset && pieces[at].slice.packet != pieces[at - 1].slice.packet;
}

void BytePane::paintCells(QPainter& painter, const ByteLine& line, int y) const {
    static const char digits[] = "0123456789abcdef";
    const Colours& colours = m_theme.colours();
    const ByteRange selected = selection();
    for (std::uint32_t at = line.begin; at < line.end; ++at) {
        const ByteChain::Piece& piece = m_bytes->pieces()[m_bytes->pieceAt(at)];
        const std::uint32_t column = at % m_lines.perLine();
        QString hex = QStringLiteral("··");
        QChar text(u' ');
        const bool hidden = isMasked(at);
        if (piece.slice.data) {
            const std::uint8_t byte = piece.slice.data[at - piece.offset];
            if (!hidden) hex = QString(QLatin1Char(digits[byte >> 4])) + QLatin1Char(digits[byte & 15]);
            text = !hidden && byte >= 0x20 && byte < 0x7f ? QChar(ushort{byte}) : QChar(u'.');
        }
        const bool dim = !piece.slice.data || hidden;
        painter.setPen(selected.contains(at) ? colours.selectedText : dim ? colours.dim : colours.text);
        painter.drawText(xOfHex(column), y + m_metrics.ascent, hex);
        painter.drawText(xOfText(column), y + m_metrics.ascent, text);
        const QRect cell(xOfHex(column) - 1, y, m_metrics.cell * 2 + 1, m_metrics.line - 1);
        if (m_hover.contains(at)) painter.drawLine(cell.bottomLeft(), cell.bottomRight());
        if (startsPacket(at)) {
            const int x = xOfHex(column) - m_metrics.cell / 2 - 1;
            painter.fillRect(x, y, 2, m_metrics.line, colours.latencyBar);
        }
        if (hasFocus() && at == m_cursor) {
            painter.setPen(QPen(selected.contains(at) ? colours.selectedText : colours.text, 1, Qt::DotLine));
            painter.drawRect(cell);
        }
    }
}

// ---- mouse and keys

std::optional<std::uint32_t> BytePane::offsetAt(const QPoint& point, bool nearest) const {
    if (!m_bytes || m_lines.count() == 0) return std::nullopt;
    int number = verticalScrollBar()->value() + point.y() / m_metrics.line;
    if (!nearest && (point.y() < 0 || number >= m_lines.count())) return std::nullopt;
    number = std::clamp(point.y() < 0 ? verticalScrollBar()->value() - 1 : number, 0, m_lines.count() - 1);
    const ByteLine line = m_lines.line(number);
    if (line.hole) return line.begin;
    const int x = point.x() + horizontalScrollBar()->value();
    const auto perLine = static_cast<int>(m_lines.perLine());
    int column = 0;
    if (x >= m_metrics.textX) {
        column = (x - m_metrics.textX) / m_metrics.cell;
    } else {
        while (column + 1 < perLine && x >= xOfHex(static_cast<std::uint32_t>(column) + 1) - m_metrics.cell / 2)
            ++column;
        if (!nearest && x < m_metrics.hexX - m_metrics.cell) return std::nullopt;
    }
    if (!nearest && column >= perLine) return std::nullopt;
    const std::int64_t base = line.begin - line.begin % m_lines.perLine();
    const std::int64_t offset = base + std::min(column, perLine - 1);
    if (!nearest && (offset < line.begin || offset >= line.end)) return std::nullopt;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(offset, line.begin, std::int64_t{line.end} - 1));
}

void BytePane::mousePressEvent(QMouseEvent* event) {
    const auto at = offsetAt(event->position().toPoint(), false);
    if (event->button() != Qt::LeftButton || !at) return;
    m_dragging = true;
    if (event->modifiers() & Qt::ShiftModifier)
        moveCursor(*at, true);
    else
        setCursorTo(*at);
}

void BytePane::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (m_dragging) {
        if (const auto at = offsetAt(point, true); at && *at != m_cursor) {
            m_cursor = *at;
            ensureVisible(m_cursor, 0);
            viewport()->update();
        }
        return;
    }
    if (const auto at = offsetAt(point, false))
        Q_EMIT hovered(*at);
    else
        Q_EMIT hoverLeft();
}

void BytePane::mouseReleaseEvent(QMouseEvent*) {
    if (m_dragging && !selection().empty()) Q_EMIT rangeChosen(selection().begin, selection().end);
    m_dragging = false;
}

void BytePane::leaveEvent(QEvent* event) {
    Q_EMIT hoverLeft();
    QAbstractScrollArea::leaveEvent(event);
}

void BytePane::setCursorTo(std::uint32_t offset) {
    if (!m_bytes || offset >= m_bytes->size()) return;
    m_cursor = m_anchor = offset;
    ensureVisible(offset, 0);
    viewport()->update();
    Q_EMIT byteChosen(offset);
}

void BytePane::moveCursor(std::uint32_t offset, bool select) {
    if (!select) return setCursorTo(offset);
    m_cursor = offset;
    ensureVisible(offset, 0);
    viewport()->update();
    if (!selection().empty()) Q_EMIT rangeChosen(selection().begin, selection().end);
}

bool BytePane::cursorKey(QKeyEvent* event) {
    const std::int64_t last = std::int64_t{m_bytes->size()} - 1;
    const std::int64_t row = m_lines.perLine(), page = row * std::max(1, verticalScrollBar()->pageStep() - 1);
    const std::int64_t at = m_cursor;
    const bool control = event->modifiers() & Qt::ControlModifier;
    std::int64_t to = at;
    switch (event->key()) {
    case Qt::Key_Left:
        to = at - 1;
        break;
    case Qt::Key_Right:
        to = at + 1;
        break;
    case Qt::Key_Up:
        to = at - row;
        break;
    case Qt::Key_Down:
        to = at + row;
        break;
    case Qt::Key_PageUp:
        to = at - page;
        break;
    case Qt::Key_PageDown:
        to = at + page;
        break;
    case Qt::Key_Home:
        to = control ? 0 : at - at % row;
        break;
    case Qt::Key_End:
        to = control ? last : at - at % row + row - 1;
        break;
    default:
        return false;
    }
    moveCursor(static_cast<std::uint32_t>(std::clamp<std::int64_t>(to, 0, last)),
               event->modifiers() & Qt::ShiftModifier);
    return true;
}

void BytePane::keyPressEvent(QKeyEvent* event) {
    if (!m_bytes || m_bytes->empty()) return QAbstractScrollArea::keyPressEvent(event);
    if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(selectedText());
    if (event->key() == Qt::Key_BracketLeft) return Q_EMIT previousFieldWished();
    if (event->key() == Qt::Key_BracketRight) return Q_EMIT nextFieldWished();
    if (!cursorKey(event)) event->ignore();
}

bool BytePane::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Keys of this pane that are shortcuts elsewhere in the window.
        auto* key = static_cast<QKeyEvent*>(event);
        const bool end = key->key() == Qt::Key_Home || key->key() == Qt::Key_End;
        if (key->matches(QKeySequence::Copy) || (end && key->modifiers() & Qt::ControlModifier)) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void BytePane::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void BytePane::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) layOut();
}

void BytePane::ensureVisible(std::uint32_t offset, int context) {
    QScrollBar* bar = verticalScrollBar();
    const int line = m_lines.lineOf(offset), page = std::max(1, viewport()->height() / m_metrics.line);
    const int margin = std::min(context, (page - 1) / 2);
    if (line - margin < bar->value())
        bar->setValue(line - margin);
    else if (line + margin >= bar->value() + page)
        bar->setValue(line + margin - page + 1);
}

// ---- menu

bool BytePane::hidesSecret(ByteRange range) const {
    return !m_revealed && std::any_of(m_masked.begin(), m_masked.end(), [range](ByteRange secret) {
        return secret.begin < range.end && range.begin < secret.end;
    });
}

QString BytePane::formatted(int format) const {
    const ByteRange range = chosenRange();
    if (!m_bytes) return {};
    if (hidesSecret(range)) return tr("(masked, %1)").arg(texts::bytes(range.end - range.begin));
    return formatBytes(*m_bytes, range.begin, range.end, static_cast<ByteFormat>(format));
}

QString BytePane::selectedText() const {
    return formatted(static_cast<int>(ByteFormat::Hex));
}

void BytePane::saveBytes() {
    const ByteRange range = chosenRange();
    if (!m_bytes || hidesSecret(range)) return;
    auto* dialog = new QFileDialog(this, tr("Save bytes"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, this, [this, range](const QString& path) {
        std::vector<std::uint8_t> content;
        if (m_bytes) m_bytes->copyAvailable(range.begin, range.end - range.begin, content);
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly)) {
            file.write(reinterpret_cast<const char*>(content.data()), static_cast<qint64>(content.size()));
            file.commit();
        }
    });
    dialog->open();
}

void BytePane::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_bytes || m_bytes->empty()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto addCopy = [&](const QString& text, ByteFormat format) {
        menu->addAction(text, this,
                        [this, format] { QApplication::clipboard()->setText(formatted(static_cast<int>(format))); });
    };
    addCopy(tr("Copy as hex"), ByteFormat::Hex);
    addCopy(tr("Copy as hex with offsets"), ByteFormat::HexDump);
    addCopy(tr("Copy as text"), ByteFormat::Text);
    addCopy(tr("Copy as base64"), ByteFormat::Base64);
    addCopy(tr("Copy as C array"), ByteFormat::CArray);
    menu->addSeparator();
    menu->addAction(tr("Save bytes…"), this, &BytePane::saveBytes);
    menu->addAction(tr("Select field"), this, &BytePane::selectFieldWished);
    menu->popup(event->globalPos());
}

} // namespace brokerscope
