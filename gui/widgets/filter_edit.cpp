// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/filter_edit.h"

#include "gui/models/texts.h"
#include "gui/widgets/icons.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

namespace brokerscope {

namespace {

constexpr int detailRole = Qt::UserRole + 1;

// A suggestion, and at the right what it is.
class SuggestionDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QString detail = index.data(detailRole).toString();
        const bool selected = option.state & QStyle::State_Selected;
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, detail);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.rwidth() += option.fontMetrics.horizontalAdvance(index.data(detailRole).toString()) + 40;
        size.setHeight(option.fontMetrics.height() + 6);
        return size;
    }
};

// Positions of a UTF-8 text in the text of the line.
int characters(const QString& text, std::size_t bytes) {
    const QByteArray utf8 = text.toUtf8();
    return static_cast<int>(QString::fromUtf8(utf8.left(static_cast<qsizetype>(bytes))).size());
}

} // namespace

FilterEdit::FilterEdit(const Theme& theme, QWidget* parent)
    : QLineEdit(parent), m_theme(theme), m_completer(new QCompleter(this)),
      m_suggestions(new QStandardItemModel(this)) {
    setPlaceholderText(tr("Filter, for example: api == Fetch and latency > 100ms   (Ctrl+/)"));
    setAccessibleName(tr("Filter"));
    setClearButtonEnabled(true);
    setMinimumWidth(80);
    m_completer->setModel(m_suggestions);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(12);
    m_completer->setWidget(this);
    m_completer->popup()->setItemDelegate(new SuggestionDelegate(m_completer));
    m_completer->popup()->setAccessibleName(tr("Suggestions"));
    m_completer->popup()->installEventFilter(this);
    connect(m_completer, qOverload<const QModelIndex&>(&QCompleter::activated), this, &FilterEdit::insertSuggestion);
    connect(this, &QLineEdit::textChanged, this, &FilterEdit::check);
    connect(this, &QLineEdit::textEdited, this, [this] { completeAtCursor(false); });
    connect(&theme, &Theme::changed, this, &FilterEdit::applyColours);
    setTextMargins(fontMetrics().height() + 6, 0, 0, 0);
    applyColours();
}

void FilterEdit::setSeenValues(SeenValues seen) {
    m_seen = std::move(seen);
    check();
}

void FilterEdit::check() {
    const FilterState before = m_state;
    const QString wordsBefore = m_words;
    m_filter.reset();
    m_words.clear();
    m_place.reset();
    if (text().trimmed().isEmpty()) {
        m_state = FilterState::Empty;
    } else {
        auto compiled = Filter::compile(text().toStdString(), Protocol::builtin());
        if (const auto* error = std::get_if<FilterError>(&compiled)) {
            m_state = FilterState::Invalid;
            const int begin = characters(text(), error->begin);
            m_place = {begin, std::max(begin + 1, characters(text(), error->end))};
            m_words = tr("%1 at column %2.").arg(QString::fromStdString(error->message)).arg(begin + 1);
            QStringList near;
            for (const std::string& name : error->suggestions)
                near << QString::fromStdString(name);
            if (!near.isEmpty()) m_words += u' ' + tr("Did you mean %1?").arg(near.join(tr(" or ")));
        } else {
            m_filter = std::make_shared<const Filter>(std::move(std::get<Filter>(compiled)));
            m_words = doubt(text(), m_seen);
            m_state = m_words.isEmpty() ? FilterState::Valid : FilterState::Doubtful;
        }
    }
    applyColours();
    if (m_state != before || m_words != wordsBefore) Q_EMIT stateChanged();
}

void FilterEdit::setRunning(std::optional<int> percent) {
    m_percent = percent;
    applyColours();
}

void FilterEdit::applyColours() {
    const Colours& colours = m_theme.colours();
    QPalette its = colours.palette();
    const QColor fill = m_percent                          ? colours.runningFill
                        : wordUnfinished()                 ? colours.base
                        : m_state == FilterState::Valid    ? colours.validFill
                        : m_state == FilterState::Invalid  ? colours.invalidFill
                        : m_state == FilterState::Doubtful ? colours.doubtfulFill
                                                           : colours.base;
    its.setColor(QPalette::Base, fill);
    setPalette(its);
    m_completer->popup()->setPalette(colours.palette());
    update();
}

int FilterEdit::xOf(int position) const {
    // Only the cursor's place is known; the rest follows from the width of the text between.
    const int at = cursorRect().center().x() + 1;
    const int from = std::min(position, cursorPosition()), to = std::max(position, cursorPosition());
    const int width = fontMetrics().horizontalAdvance(text().mid(from, to - from));
    return position < cursorPosition() ? at - width : at + width;
}

void FilterEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    const Colours& colours = m_theme.colours();
    const int side = fontMetrics().height() - 2;
    const QRect sign(6, (height() - side) / 2, side, side);
    if (m_percent) {
        QRect bar = rect().adjusted(2, height() - 5, -2, -2);
        bar.setWidth(bar.width() * std::clamp(*m_percent, 0, 100) / 100);
        painter.fillRect(bar, colours.latencyBar);
    }
    const bool unfinished = wordUnfinished();
    switch (unfinished ? FilterState::Empty : m_state) {
    case FilterState::Empty:
    case FilterState::Running:
        paintGlyph(painter, sign, Glyph::Filter, colours.dim);
        break;
    case FilterState::Valid:
        paintGlyph(painter, sign, Glyph::Tick, colours.validInk);
        break;
    case FilterState::Invalid:
        paintGlyph(painter, sign, Glyph::Cross, colours.invalidText);
        break;
    case FilterState::Doubtful:
        paintGlyph(painter, sign, Glyph::Doubt, colours.doubtfulInk);
        break;
    }
    if (!m_place || unfinished) return;
    const int left = std::max(sign.right() + 4, xOf(m_place->first)),
              right = std::min(width() - 24, xOf(m_place->second));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.invalidText, 1.4));
    QPainterPath wave;
    const int y = (height() + fontMetrics().height()) / 2 - 1;
    wave.moveTo(left, y);
    for (int x = left, step = 0; x < std::max(right, left + 6); x += 3, ++step)
        wave.lineTo(x + 3, y + (step % 2 ? 0 : 2.5));
    painter.drawPath(wave);
}

bool FilterEdit::completionOpen() const {
    return m_completer->popup()->isVisible();
}

bool FilterEdit::wordUnfinished() const {
    if (!completionOpen()) return false;
    return m_state == FilterState::Doubtful || (m_place && m_place->second >= text().size());
}

bool FilterEdit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        applyColours();
        Q_EMIT stateChanged();
    }
    return QLineEdit::eventFilter(watched, event);
}

QAbstractItemView* FilterEdit::popup() const {
    return m_completer->popup();
}

void FilterEdit::openCompletion() {
    setFocus();
    completeAtCursor(true);
}

void FilterEdit::type(const QString& text) {
    insert(text);
    completeAtCursor(false);
}

void FilterEdit::completeAtCursor(bool called) {
    if (m_inserting) return;
    m_completion = complete(text(), cursorPosition(), Protocol::builtin(), m_seen);
    const bool wordBegun = m_completion.begin < cursorPosition();
    if (m_completion.suggestions.empty() || (!called && !wordBegun)) {
        m_completer->popup()->hide();
        return;
    }
    m_suggestions->clear();
    for (const Suggestion& suggestion : m_completion.suggestions) {
        auto* item = new QStandardItem(suggestion.text);
        item->setData(suggestion.detail, detailRole);
        m_suggestions->appendRow(item);
    }
    QRect place = rect();
    place.setLeft(std::max(0, xOf(static_cast<int>(m_completion.begin)) - 6));
    place.setWidth(fontMetrics().averageCharWidth() * 48);
    m_completer->complete(place);
    m_completer->popup()->setCurrentIndex(m_suggestions->index(0, 0));
}

void FilterEdit::insertSuggestion(const QModelIndex& index) {
    m_inserting = true;
    const QString word = index.data().toString();
    QString whole = text();
    const qsizetype length = m_completion.end - m_completion.begin;
    whole.replace(m_completion.begin, length, word);
    setText(whole);
    const bool path = word.endsWith(u'.');
    int cursor = static_cast<int>(m_completion.begin + word.size());
    setCursorPosition(cursor);
    if (!path && cursor == whole.size()) insert(QStringLiteral(" "));
    m_inserting = false;
}

void FilterEdit::keyPressEvent(QKeyEvent* event) {
    if (completionOpen()) {
        // The popup hands over what it does not take itself.
        if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
            insertSuggestion(m_completer->popup()->currentIndex());
            m_completer->popup()->hide();
            return;
        }
        if (event->key() == Qt::Key_Escape) return m_completer->popup()->hide();
    }
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) return completeAtCursor(true);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return Q_EMIT applyWished();
    if (event->key() == Qt::Key_Escape) return Q_EMIT revertWished();
    if (event->key() == Qt::Key_Down) {
        if (event->modifiers() & Qt::AltModifier) return Q_EMIT historyWished();
        return completeAtCursor(true);
    }
    QLineEdit::keyPressEvent(event);
}

bool FilterEdit::event(QEvent* event) {
    if (event->type() == QEvent::KeyPress && completionOpen() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab) {
        keyPressEvent(static_cast<QKeyEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool ours = key->key() == Qt::Key_Escape ||
                          (key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier) ||
                          (key->key() == Qt::Key_Down && key->modifiers() == Qt::AltModifier);
        if (ours) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::FontChange) setTextMargins(fontMetrics().height() + 6, 0, 0, 0);
    return QLineEdit::event(event);
}

// Files are for the window to open; a text that is dropped is a filter.
void FilterEdit::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) return event->ignore();
    QLineEdit::dragEnterEvent(event);
}

void FilterEdit::focusOutEvent(QFocusEvent* event) {
    if (event->reason() != Qt::PopupFocusReason) m_completer->popup()->hide();
    QLineEdit::focusOutEvent(event);
}

} // namespace brokerscope
