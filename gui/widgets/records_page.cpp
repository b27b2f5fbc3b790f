// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/records_page.h"

#include "gui/models/filter_completion.h"
#include "gui/widgets/find_bar.h"
#include "gui/widgets/folding_row.h"
#include "gui/widgets/header_style.h"
#include "gui/widgets/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::uint32_t lookEvery = 64;
constexpr int cellPadding = 3;

class RecordDelegate : public QStyledItemDelegate {
  public:
    RecordDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

    // The row's own ground to the edges, its text away from them: neighbours are aligned to each other's sides.
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QStyle& style = *option.widget->style();
        style.drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, option.widget);
        cell.backgroundBrush = Qt::NoBrush;
        cell.rect.adjust(cellPadding, 0, -cellPadding, 0);
        style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
    }

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(RecordTableModel::DimRole).toBool())
            option->palette.setColor(QPalette::Text, m_theme.colours().dim);
        if (index.data(RecordTableModel::HitRole).toBool()) option->backgroundBrush = m_theme.colours().fieldBytes;
    }

  private:
    const Theme& m_theme;
};

// Values take the room that the other columns leave, and never less than can be read.
void fitValueColumn(QTableView& table) {
    constexpr int value = static_cast<int>(RecordColumn::Value), leastCharacters = 30;
    const int others = table.horizontalHeader()->length() - table.columnWidth(value);
    const int least = leastCharacters * table.fontMetrics().averageCharWidth();
    table.setColumnWidth(value, std::max(least, table.viewport()->width() - others));
}

class ValueFitter : public QObject {
  public:
    explicit ValueFitter(QTableView& table) : QObject(&table), m_table(table) {
        table.viewport()->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize) fitValueColumn(m_table);
        return false;
    }

  private:
    QTableView& m_table;
};

} // namespace

RecordsPage::RecordsPage(JobRunner& jobs, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_theme(theme) {
    layOut();
    wire();
    updateChoice();
}

void RecordsPage::layOut() {
    auto* label = new QLabel(tr("Records of"), this);
    m_ofCapture = new QRadioButton(tr("the &capture"), this);
    m_ofTopic = new QRadioButton(tr("&topic"), this);
    m_ofExchange = new QRadioButton(tr("e&xchange"), this);
    m_ofCapture->setChecked(true);
    m_topic = new QComboBox(this);
    m_topic->setAccessibleName(tr("Topic"));
    m_topic->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_topic->setMinimumContentsLength(12);
    m_topic->setMinimumWidth(60); // it gives way rather than widen the window
    m_count = new ElidedLabel({}, this);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_search = new QLineEdit(this);
    m_search->setPlaceholderText(tr("Find in records"));
    m_search->setAccessibleName(tr("Find in records"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(60);
    m_search->setAcceptDrops(false); // files are dropped on the window
    m_inKeys = new QCheckBox(tr("&key"), this);
    m_inValues = new QCheckBox(tr("v&alue"), this);
    for (QCheckBox* box : {m_inKeys, m_inValues})
        box->setChecked(true);
    auto* save = new QPushButton(icon(Glyph::Export), tr("Export…"), this);
    save->setAutoDefault(false);
    auto* head = new FoldingRow(this);
    head->setMargins({8, 4, 8, 2});
    head->setGrowing(FoldingRow::Growing::Second);
    for (QWidget* widget :
         {static_cast<QWidget*>(label), static_cast<QWidget*>(m_ofCapture), static_cast<QWidget*>(m_ofTopic),
          static_cast<QWidget*>(m_topic), static_cast<QWidget*>(m_ofExchange), static_cast<QWidget*>(m_count)})
        head->first().addWidget(widget);
    head->first().addStretch(1);
    head->second().addWidget(m_search, 1);
    head->second().addWidget(new QLabel(tr("in"), this));
    for (QWidget* widget :
         {static_cast<QWidget*>(m_inKeys), static_cast<QWidget*>(m_inValues), static_cast<QWidget*>(save)})
        head->second().addWidget(widget);
    connect(save, &QPushButton::clicked, this, &RecordsPage::exportWished);

    m_table = new QTableView(this);
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new RecordDelegate(m_theme, this));
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setAccessibleName(tr("Records"));
    m_table->setMinimumSize(100, 60);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setMinimumSectionSize(10);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    insetTitles(*m_table->horizontalHeader(), cellPadding);
    new ValueFitter(*m_table); // a child of the table
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);

    m_form = new QTabBar(this);
    m_form->addTab(tr("JSON"));
    m_form->addTab(tr("Text"));
    m_form->addTab(tr("Hex"));
    m_form->setDrawBase(false);
    m_form->setAccessibleName(tr("Form of the value"));
    m_side = new QPlainTextEdit(this);
    m_side->setReadOnly(true);
    m_side->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_side->setFrameShape(QFrame::NoFrame);
    m_side->setAccessibleName(tr("Value of the record"));
    m_side->setMinimumSize(60, 60);
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_form);
    column->addWidget(m_side, 1);
    m_split = new QSplitter(this);
    m_split->addWidget(m_table);
    m_split->addWidget(side);
    m_split->setChildrenCollapsible(false);
    m_split->setStretchFactor(0, 4);
    m_split->setStretchFactor(1, 1);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(2);
    page->addWidget(head);
    page->addWidget(m_split, 1);
}

void RecordsPage::wire() {
    connect(m_ofCapture, &QRadioButton::clicked, this, [this] { showRecordsOf(RecordsOf::Capture); });
    connect(m_ofTopic, &QRadioButton::clicked, this,
            [this] { showRecordsOf(RecordsOf::Topic, m_topic->currentText()); });
    connect(m_ofExchange, &QRadioButton::clicked, this, [this] { showRecordsOf(RecordsOf::Exchange); });
    connect(m_topic, &QComboBox::textActivated, this,
            [this](const QString& topic) { showRecordsOf(RecordsOf::Topic, topic); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(1); });
    const auto search = [this] { m_model.setSearch(m_search->text(), m_inKeys->isChecked(), m_inValues->isChecked()); };
    connect(m_search, &QLineEdit::textChanged, this, search);
    connect(m_inKeys, &QCheckBox::toggled, this, search);
    connect(m_inValues, &QCheckBox::toggled, this, search);
    connect(m_form, &QTabBar::currentChanged, this, &RecordsPage::showSide);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RecordsPage::showSide);
    connect(m_table, &QTableView::customContextMenuRequested, this, &RecordsPage::tableMenu);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const auto place = m_model.placeOf(index.row()))
            Q_EMIT bytesWished(m_model.batches()[place->batch], place->ordinal);
    });
    connect(&m_model, &RecordTableModel::batchesWished, this, [this](const std::vector<std::size_t>& wanted) {
        m_wanted.insert(wanted.begin(), wanted.end());
        openBatches();
    });
    connect(&m_model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) {
                const int row = m_table->currentIndex().row();
                if (row >= first.row() && row <= last.row()) showSide();
            });
    connect(&m_jobs, &JobRunner::ended, this, [this](JobKind kind) {
        if (kind == JobKind::RecordBatches) openBatches();
        if (kind != JobKind::Records) return;
        m_scanning = false;
        if (m_model.rowCount() == 0)
            Q_EMIT said(tr("No records here"));
        else if (!m_table->currentIndex().isValid())
            m_table->setCurrentIndex(m_model.index(0, 0));
    });
}

void RecordsPage::setCapture(Capture capture) {
    for (JobKind kind : {JobKind::Records, JobKind::RecordBatches, JobKind::RecordFind})
        m_jobs.cancel(kind);
    ++m_scan;
    m_wanted.clear();
    m_scanning = false;
    m_model.clear();
    m_topic->clear();
    m_side->clear();
    m_count->setText({});
    disposeLater(std::exchange(m_capture, std::move(capture)));
    m_exchange = {};
    m_what = RecordsOf::Capture;
    m_ofCapture->setChecked(true);
    m_stale = true;
    m_revealed = false;
    updateChoice();
}

void RecordsPage::setTopics(const SeenValues::Counted& topics) {
    const QString before = m_topic->currentText();
    m_topic->clear();
    for (const auto& [topic, count] : topics)
        m_topic->addItem(topic);
    if (const int at = m_topic->findText(before); at >= 0) m_topic->setCurrentIndex(at);
    updateChoice();
}

void RecordsPage::setExchange(ExchangeId exchange) {
    if (exchange == m_exchange) return;
    m_exchange = exchange;
    if (m_what == RecordsOf::Exchange) m_stale = true;
    updateChoice();
    if (isVisible()) refreshIfStale();
}

void RecordsPage::updateChoice() {
    m_ofExchange->setText(m_exchange ? tr("e&xchange %1").arg(m_exchange.value) : tr("e&xchange"));
    m_ofExchange->setEnabled(static_cast<bool>(m_exchange));
    m_ofTopic->setEnabled(m_topic->count() > 0);
    m_topic->setEnabled(m_topic->count() > 0);
}

void RecordsPage::showRecordsOf(RecordsOf what, const QString& topic) {
    m_what = what;
    (what == RecordsOf::Capture ? m_ofCapture : what == RecordsOf::Topic ? m_ofTopic : m_ofExchange)->setChecked(true);
    if (what == RecordsOf::Topic) {
        if (m_topic->findText(topic) < 0) m_topic->addItem(topic);
        m_topic->setCurrentText(topic);
    }
    m_stale = true;
    refreshIfStale();
}

void RecordsPage::refreshIfStale() {
    if (m_stale) refresh();
}

void RecordsPage::loadingEnded() {
    if (m_what != RecordsOf::Exchange) m_stale = true;
    if (isVisible()) refreshIfStale();
}

void RecordsPage::refresh() {
    if (!m_capture) return;
    m_stale = false;
    m_jobs.cancel(JobKind::RecordBatches);
    m_jobs.cancel(JobKind::RecordFind);
    m_wanted.clear();
    m_model.clear();
    m_side->clear();
    RecordScope scope;
    if (m_what == RecordsOf::Exchange && m_exchange) scope.exchange = static_cast<std::uint32_t>(m_exchange.value - 1);
    if (m_what == RecordsOf::Topic) scope.topic = m_topic->currentText().toStdString();
    m_scanning = true;
    const std::uint64_t scan = ++m_scan;
    m_count->setText(tr("reading…"));
    m_jobs.start(JobKind::Records,
                 [this, capture = m_capture, scope, scan, rows = m_capture->index.size()](JobContext& context) {
                     scanRecords(capture, scope, rows, context, [&](FoundBatches found) {
                         auto chunk = std::make_shared<FoundBatches>(std::move(found));
                         context.deliver([this, chunk, scan] {
                             if (scan != m_scan) return;
                             const bool more = m_model.append(std::move(chunk->batches), std::move(chunk->topics));
                             showCount();
                             if (more) return;
                             m_jobs.interrupt(JobKind::Records);
                             Q_EMIT limitReached();
                         });
                     });
                 });
}

void RecordsPage::showCount() {
    m_count->setText(texts::plural(static_cast<std::uint64_t>(m_model.rowCount()), tr("1 record"), tr("%1 records")));
}

void RecordsPage::openBatches() {
    if (m_wanted.empty() || !m_capture || m_jobs.running(JobKind::RecordBatches)) return;
    struct Wanted {
        std::size_t number;
        RecordBatchRef batch;
        RecordTopic topic;
    };
    std::vector<Wanted> wanted;
    for (std::size_t number : m_wanted)
        if (number < m_model.batches().size()) {
            const RecordBatchRef& batch = m_model.batches()[number];
            wanted.push_back({number, batch, m_model.topics()[batch.topic]});
        }
    m_wanted.clear();
    m_jobs.start(JobKind::RecordBatches,
                 [this, capture = m_capture, wanted = std::move(wanted), scan = m_scan](JobContext& context) {
                     for (const Wanted& one : wanted) {
                         if (context.stopped()) return;
                         std::shared_ptr<const OpenedBatch> content = openBatch(capture, one.batch, one.topic);
                         context.deliver([this, number = one.number, content, scan] {
                             if (scan == m_scan) m_model.setContent(number, content);
                         });
                     }
                 });
}

bool RecordsPage::settled() const {
    return !m_jobs.running(JobKind::Records) && !m_jobs.running(JobKind::RecordBatches) && m_wanted.empty() &&
           !m_model.asking() && !m_scanning;
}

// ---- one record

std::optional<RecordTexts> RecordsPage::currentTexts() const {
    const int row = m_table->currentIndex().row();
    const OpenedRecord* record = m_capture ? m_model.record(row) : nullptr;
    if (!record) return std::nullopt;
    const RecordBatchRef& batch = m_model.batches()[m_model.placeOf(row)->batch];
    return RecordTexts(m_capture->protocol, batch, m_model.topics()[batch.topic], *record, m_revealed);
}

void RecordsPage::showSide() {
    const auto texts = currentTexts();
    m_side->setPlainText(texts ? texts->shown(static_cast<RecordForm>(m_form->currentIndex())) : QString());
    if (isVisible()) sayCurrent();
}

void RecordsPage::setRevealed(bool revealed) {
    m_revealed = revealed;
    showSide();
}

void RecordsPage::sayCurrent() {
    const auto place = m_model.placeOf(m_table->currentIndex().row());
    if (!place) return Q_EMIT said({});
    const RecordBatchRef& batch = m_model.batches()[place->batch];
    Q_EMIT said(
        tr("Record %1 of %2, partition %3, exchange %4")
            .arg(m_model.index(m_table->currentIndex().row(), static_cast<int>(RecordColumn::Offset)).data().toString(),
                 m_model.topics()[batch.topic].name)
            .arg(batch.partition)
            .arg(batch.exchange + 1));
}

QString RecordsPage::copied(RecordCopy what) const {
    const auto texts = currentTexts();
    if (!texts) return {};
    switch (what) {
    case RecordCopy::Key:
        return texts->key();
    case RecordCopy::Value:
        return texts->value();
    case RecordCopy::Json:
        return texts->json();
    case RecordCopy::Hex:
        return texts->hex();
    case RecordCopy::Row:
        break;
    }
    QStringList cells;
    for (int column = 0; column < recordColumns; ++column)
        cells << m_table->currentIndex().siblingAtColumn(column).data().toString();
    return cells.join(u'\t');
}

void RecordsPage::tableMenu(const QPoint& at) {
    const QModelIndex index = m_table->indexAt(at);
    const auto place = m_model.placeOf(index.row());
    if (!place) return;
    const RecordBatchRef batch = m_model.batches()[place->batch];
    const OpenedRecord* record = m_model.record(index.row());
    const QString key = copied(RecordCopy::Key);
    const bool plainKey = record && !record->openedKey && !key.isEmpty(); // filters know keys as they are written
    const ExchangeId exchange{batch.exchange + std::uint64_t{1}};
    const QString topic = batch.topic < m_model.topics().size() ? m_model.topics()[batch.topic].name : QString();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto copy = [&](const QString& title, RecordCopy what) {
        const QString text = copied(what);
        menu->addAction(title, this, [text] { QApplication::clipboard()->setText(text); })->setEnabled(!text.isEmpty());
    };
    copy(tr("Copy &key"), RecordCopy::Key);
    copy(tr("Copy &value"), RecordCopy::Value);
    copy(tr("Copy as &JSON"), RecordCopy::Json);
    copy(tr("Copy value as &hex"), RecordCopy::Hex);
    menu->addSeparator();
    menu->addAction(tr("Show &exchange %1").arg(exchange.value), this,
                    [this, exchange] { Q_EMIT exchangeWished(exchange); });
    menu->addAction(tr("Show &bytes"), this,
                    [this, batch, ordinal = place->ordinal] { Q_EMIT bytesWished(batch, ordinal); });
    menu->addSeparator();
    menu->addAction(tr("Filter by &topic"), this,
                    [this, topic] { Q_EMIT filterWished(QStringLiteral("topic == %1").arg(filterLiteral(topic))); });
    menu->addAction(tr("&Filter by key"), this,
                    [this, key] { Q_EMIT filterWished(QStringLiteral("records.key == %1").arg(filterLiteral(key))); })
        ->setEnabled(plainKey);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

// ---- search

void RecordsPage::find(int direction) {
    const QString text = m_search->text();
    if (text.isEmpty()) return m_search->setFocus();
    if (m_model.rowCount() == 0) return;
    const auto from = m_model.placeOf(std::max(0, m_table->currentIndex().row()));
    m_jobs.start(JobKind::RecordFind, [this, capture = m_capture, batches = m_model.batches(),
                                       topics = m_model.topics(), from = *from, text, direction,
                                       keys = m_inKeys->isChecked(), values = m_inValues->isChecked(),
                                       scan = m_scan](JobContext& context) {
        const auto count = static_cast<std::int64_t>(batches.size());
        const auto hit = [&](const OpenedRecord& record) {
            return (keys && keyContains(record, text)) || (values && valueContains(record, text));
        };
        for (std::int64_t step = 0; step <= count; ++step) {
            if (step % lookEvery == 0) context.progress(static_cast<std::uint64_t>(step), batches.size());
            if (context.stopped()) return;
            const std::int64_t raw = static_cast<std::int64_t>(from.batch) + step * direction;
            const std::int64_t at = ((raw % count) + count) % count;
            const RecordBatchRef& batch = batches[static_cast<std::size_t>(at)];
            const auto content = openBatch(capture, batch, topics[batch.topic]);
            const auto size = static_cast<std::int64_t>(content->records.size());
            for (std::int64_t i = 0; i < size; ++i) {
                const std::int64_t ordinal = direction > 0 ? i : size - 1 - i;
                const bool before = direction > 0 ? ordinal <= from.ordinal : ordinal >= from.ordinal;
                if (step == 0 && before) continue; // from the current record on
                if (!hit(content->records[static_cast<std::size_t>(ordinal)])) continue;
                const RecordTableModel::Place place{static_cast<std::size_t>(at), static_cast<std::uint32_t>(ordinal)};
                return context.deliver([this, place, wrapped = raw != at || step == count, direction, scan] {
                    if (scan == m_scan) showHit(place, wrapped ? wrappedWords(direction) : QString());
                });
            }
        }
        context.deliver([this, text] { Q_EMIT said(tr("\"%1\" is in no record").arg(text)); });
    });
}

void RecordsPage::showHit(RecordTableModel::Place place, const QString& words) {
    const QModelIndex index = m_model.index(m_model.rowOf(place), static_cast<int>(RecordColumn::Value));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index.siblingAtColumn(0));
    if (!words.isEmpty()) Q_EMIT said(words);
}

void RecordsPage::zoomTo(const QFont& plain, const QFont& fixed) {
    m_table->setFont(plain);
    m_side->setFont(fixed);
    const QFontMetrics metrics(plain);
    m_table->verticalHeader()->setDefaultSectionSize(metrics.height() + 6);
    // Texts of the usual length, topic to exchange.
    static const char* const usual[recordColumns] = {
        "orders-by-city", "Part.",     "1234567", "2026-11-29 15:15:01.123", "customer-12", "", "Headers", "12,345",
        "snappy",         "1234-1290", "Exch."};
    const int padding = metrics.averageCharWidth() * 2 + 4;
    for (int column = 0; column < recordColumns; ++column)
        m_table->setColumnWidth(column, metrics.horizontalAdvance(QString::fromLatin1(usual[column])) + padding);
    fitValueColumn(*m_table);
}

} // namespace brokerscope
