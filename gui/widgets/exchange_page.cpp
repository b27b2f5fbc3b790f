// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/exchange_page.h"

#include "gui/loader/part_maker.h"
#include "gui/models/texts.h"

#include <QLabel>
#include <QVBoxLayout>

namespace brokerscope {

namespace {

constexpr int saySlowAfterMs = 150;
constexpr int tableShare = 52, treeShare = 48; // of the height, of the width

} // namespace

ExchangePage::ExchangePage(ExchangeTableModel& table, Selection& selection, JobRunner& jobs, const Theme& theme,
                           QWidget* parent)
    : QWidget(parent), m_table(table), m_selection(selection), m_jobs(jobs),
      m_view(new ExchangeView(table, theme, this)), m_fields(new FieldView(m_fieldModel, theme, this)),
      m_bytes(new BytesTabs(m_fieldModel, theme, this)), m_decoding(new QLabel(tr("Decoding…"), m_fields)),
      m_rows(new QSplitter(Qt::Vertical, this)), m_sides(new QSplitter(Qt::Horizontal, this)) {
    m_sides->addWidget(m_fields);
    m_sides->addWidget(m_bytes);
    m_rows->addWidget(m_view);
    m_rows->addWidget(m_sides);
    for (QSplitter* splitter : {m_rows, m_sides}) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(5);
    }
    resetSplitters();
    m_decoding->setMargin(8);
    m_decoding->setAutoFillBackground(true);
    m_decoding->hide();
    m_slow.setSingleShot(true);
    m_slow.setInterval(saySlowAfterMs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_rows);
    wire();
}

void ExchangePage::wire() {
    connect(m_view, &ExchangeView::exchangeChosen, this,
            [this](ExchangeId exchange) { m_selection.setExchange(exchange, Selection::Origin::Table); });
    connect(m_view, &ExchangeView::enterPressed, this, [this] { m_fields->setFocus(); });
    connect(m_view, &ExchangeView::typed, this, &ExchangePage::typed);
    connect(m_fields, &FieldView::typed, this, &ExchangePage::typed);
    connect(m_fields, &FieldView::expandedSome, this, &ExchangePage::expandedSome);
    connect(m_fields, &FieldView::fieldChosen, this,
            [this](FieldRef field) { m_selection.setField(field, Selection::Origin::Tree); });
    connect(m_bytes, &BytesTabs::fieldWished, this, [this](FieldRef field, bool onLength) {
        m_onLength = onLength;
        if (field == m_selection.field()) Q_EMIT fieldText(describe(field));
        m_selection.setField(field, Selection::Origin::Bytes);
        m_onLength = false;
    });
    connect(m_bytes, &BytesTabs::hoverText, this, &ExchangePage::hoverText);
    connect(&m_fieldModel, &FieldTreeModel::recordsWished, this, &ExchangePage::wishRecords);
    connect(&m_jobs, &JobRunner::ended, this, [this](JobKind kind) {
        if (kind == JobKind::Batch) openNext();
    });
    connect(&m_selection, &Selection::exchangeChanged, this, &ExchangePage::showExchange);
    connect(&m_selection, &Selection::fieldChanged, this, &ExchangePage::fieldChanged);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        m_decoding->move(m_fields->viewport()->pos());
        m_decoding->adjustSize();
        m_decoding->show();
        m_decoding->raise();
    });
    // The current exchange survives every swap of the order, at the same height on screen.
    connect(&m_table, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        m_beforeReset = {m_selection.exchange(), m_view->currentRowOffset()};
    });
    connect(&m_table, &QAbstractItemModel::modelReset, this, [this] {
        const auto [exchange, offset] = m_beforeReset;
        if (!exchange) return;
        if (m_table.rowOf(exchange) >= 0)
            m_view->restoreCurrent(exchange, offset);
        else
            Q_EMIT hiddenExchange(exchange);
    });
    // An answer that came after its request was shown.
    connect(&m_table, &QAbstractItemModel::dataChanged, this, [this] {
        if (!m_capture || !m_shown || m_shownEnded || m_jobs.running(JobKind::Detail)) return;
        if (m_capture->index.row(static_cast<std::uint32_t>(m_shown.value - 1)).ended()) startDetail();
    });
}

void ExchangePage::setCapture(Capture capture) {
    m_jobs.cancel(JobKind::Detail);
    m_toOpen.clear();
    m_jobs.cancel(JobKind::Batch);
    m_slow.stop();
    m_decoding->hide();
    m_selection.clear();
    m_shown = {};
    m_pathWish.reset();
    m_recordWish.reset();
    m_errorWish = false;
    m_fieldWish.reset();
    m_fieldModel.setDetail(nullptr);
    m_bytes->detailChanged();
    disposeLater(std::exchange(m_capture, std::move(capture)));
    FieldSurroundings around;
    around.protocol = m_capture ? &m_capture->protocol : &Protocol::builtin();
    if (m_capture)
        around.topicName = [weak = std::weak_ptr(m_capture)](const std::array<std::uint8_t, 16>& id) {
            const Capture same = weak.lock();
            return same ? same->index.topicName(id) : std::string();
        };
    m_fieldModel.setSurroundings(std::move(around));
    m_bytes->setRevealed(false);
}

// ---- from the table to the tree

void ExchangePage::showExchange(ExchangeId exchange, Selection::Origin origin) {
    if (!m_capture || !exchange) return;
    if (origin != Selection::Origin::Table) {
        if (m_table.rowOf(exchange) >= 0)
            m_view->setCurrentExchange(exchange);
        else
            Q_EMIT hiddenExchange(exchange);
    }
    startDetail();
}

void ExchangePage::startDetail() {
    m_toOpen.clear();
    m_jobs.cancel(JobKind::Batch);
    m_slow.start();
    const auto row = static_cast<std::uint32_t>(m_selection.exchange().value - 1);
    m_jobs.start(JobKind::Detail, [this, capture = m_capture, row](JobContext& context) {
        std::shared_ptr<const Detail> detail = makeDetail(capture, row);
        context.deliver([this, detail] { showDetail(detail); });
    });
}

bool ExchangePage::detailShown() const {
    return m_shown == m_selection.exchange() && !m_jobs.running(JobKind::Detail) && !m_jobs.running(JobKind::Batch) &&
           m_toOpen.empty();
}

void ExchangePage::showDetail(const std::shared_ptr<const Detail>& detail) {
    m_slow.stop();
    m_decoding->hide();
    m_shown = detail->id;
    m_toOpen.clear();
    m_jobs.cancel(JobKind::Batch); // of the tree that goes
    const ExchangeRow row = m_capture->index.row(static_cast<std::uint32_t>(detail->id.value - 1));
    m_shownEnded = row.ended();
    {
        const QSignalBlocker quiet(m_fields); // the bytes do not know the new messages yet
        m_fields->showDetail(detail, row.known() && row.hasHeader() ? row.apiKey() : std::int16_t{-1});
    }
    m_bytes->detailChanged();
    m_selection.setField({}, Selection::Origin::Other);
    m_selection.setField(m_fields->currentField(), Selection::Origin::Tree);
    applyWishes();
    if (!m_fields->currentIndex().isValid()) m_fields->selectField({detail->request ? requestPart : factsPart, 0});
}

void ExchangePage::applyWishes() {
    QModelIndex wish;
    if (m_pathWish) {
        const FieldTreeModel::FoundPath found = m_fieldModel.findPathText(*m_pathWish);
        if (found.closed) return openRecords(found.closed); // and here again when it is open
        wish = m_fieldModel.indexOf(found.field);
    }
    if (m_recordWish) {
        const auto& [message, batch, ordinal] = *m_recordWish;
        const FieldTreeModel::FoundPath found = m_fieldModel.findRecord(message, batch.begin, batch.end, ordinal);
        if (found.closed) return openRecords(found.closed);
        wish = m_fieldModel.indexOf(found.field);
    }
    if (m_errorWish) wish = m_fieldModel.firstError();
    if (m_fieldWish) {
        const auto& [field, bytes] = *m_fieldWish;
        wish =
            m_fieldModel.indexOf(bytes.empty() ? field : m_fieldModel.fieldAround(field.part, bytes.begin, bytes.end));
    }
    m_pathWish.reset();
    m_recordWish.reset();
    m_errorWish = false;
    if (wish.isValid()) {
        m_fields->setCurrentIndex(wish);
        m_fields->scrollTo(wish);
    }
    if (m_fieldWish && !m_fieldWish->second.empty()) m_bytes->pane().markField(m_fieldWish->second, {}, true);
    m_fieldWish.reset();
}

void ExchangePage::selectFieldWhenShown(FieldRef field, ByteRange bytes) {
    if (field) m_fieldWish = {field, bytes};
}

void ExchangePage::setShowLengths(bool show) {
    const FieldTreeModel::Path path = m_fieldModel.pathOf(m_fields->currentIndex());
    m_fieldModel.setShowLengths(show);
    if (!m_fieldModel.detail()) return;
    m_fields->expandToDepth(0);
    const QModelIndex again = m_fieldModel.find(path);
    m_fields->setCurrentIndex(again);
    m_fields->scrollTo(again);
}

// ---- fields and bytes

void ExchangePage::fieldChanged(FieldRef field, Selection::Origin origin) {
    if (origin != Selection::Origin::Tree) {
        const QSignalBlocker quiet(m_fields);
        m_fields->selectField(field);
    }
    if (origin != Selection::Origin::Bytes) m_bytes->showField(field);
    Q_EMIT fieldText(describe(field));
}

QString ExchangePage::currentFieldText() const {
    return describe(m_selection.field());
}

QString ExchangePage::describe(FieldRef field) const {
    const Part part = m_fieldModel.part(field.part);
    if (!field || !part) return {};
    const FieldTexts texts = m_fieldModel.texts(field.part);
    const FieldNode& node = part->tree.nodes[field.node];
    QString name = texts.name(field.node);
    if (field.node == 0 && field.part < firstOpenedPart) name = part->title;
    if (m_onLength) return tr("%1 of %2: %3").arg(texts.lengthName(field.node), name, texts.length(field.node).text);
    const QString type = texts.type(field.node);
    QString text = type.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, type);
    text += tr(", %1 at %2 (0x%3)").arg(texts::bytes(node.length)).arg(node.offset).arg(node.offset, 0, 16);
    if (node.length > 0 && node.offset < part->bytes.size()) {
        const ByteChain::Piece& piece = part->bytes.pieces()[part->bytes.pieceAt(node.offset)];
        if (piece.slice.packet) text += tr(", packet %1").arg(piece.slice.packet.value);
    }
    return text;
}

void ExchangePage::openRecords(FieldRef field) {
    const QModelIndex index = m_fieldModel.indexOf(field);
    if (m_fieldModel.canFetchMore(index)) m_fieldModel.fetchMore(index);
}

void ExchangePage::wishRecords(FieldRef field) {
    m_toOpen.push_back(field);
    openNext();
}

// One after the other: a job that starts ends the one of its kind that runs.
void ExchangePage::openNext() {
    if (m_toOpen.empty() || m_jobs.running(JobKind::Batch)) return;
    const FieldRef field = m_toOpen.front();
    m_toOpen.pop_front();
    const Part part = m_fieldModel.part(field.part);
    if (!part) return openNext();
    m_jobs.start(JobKind::Batch, [this, capture = m_capture, part, field](JobContext& context) {
        Part opened = brokerscope::openRecords(capture, *part, field);
        context.deliver([this, opened, field] {
            if (!opened) {
                m_pathWish.reset();
                m_recordWish.reset();
                return m_fieldModel.openFailed(field);
            }
            const auto number = m_fieldModel.addOpened(opened);
            if (!number) return;
            m_bytes->partOpened(*number);
            m_fields->setExpanded(m_fieldModel.indexOf(field), true);
            if (m_pathWish || m_recordWish) applyWishes();
        });
    });
}

void ExchangePage::setRevealed(bool revealed) {
    m_bytes->setRevealed(revealed);
    FieldSurroundings around = m_fieldModel.surroundings();
    around.revealSecrets = revealed;
    m_fieldModel.setSurroundings(std::move(around));
    if (m_selection.exchange()) startDetail();
}

// ---- looks

void ExchangePage::resetSplitters() {
    m_rows->setSizes({tableShare * 10, (100 - tableShare) * 10});
    m_sides->setSizes({treeShare * 10, (100 - treeShare) * 10});
    m_rows->setStretchFactor(0, tableShare);
    m_rows->setStretchFactor(1, 100 - tableShare);
    m_sides->setStretchFactor(0, treeShare);
    m_sides->setStretchFactor(1, 100 - treeShare);
}

void ExchangePage::restoreSplitters(const QByteArray& rows, const QByteArray& sides) {
    if (!rows.isEmpty()) m_rows->restoreState(rows);
    if (!sides.isEmpty()) m_sides->restoreState(sides);
}

void ExchangePage::setBytesPlace(BytesPlace place) {
    m_bytes->setVisible(place != BytesPlace::Hidden);
    m_sides->setOrientation(place == BytesPlace::Below ? Qt::Vertical : Qt::Horizontal);
}

void ExchangePage::zoomTo(const QFont& plain, const QFont& fixed) {
    m_view->setFont(plain);
    m_fields->setFont(plain);
    m_fields->setZoomedWidths();
    m_bytes->pane().zoomTo(fixed);
}

} // namespace brokerscope
