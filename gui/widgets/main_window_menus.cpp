// SPDX-License-Identifier: Apache-2.0
// Menus of rows and fields, copying, filters made of what is selected.
#include "gui/widgets/main_window.h"

#include "gui/models/byte_formats.h"
#include "gui/models/filter_completion.h"
#include "gui/models/record_texts.h"
#include "gui/models/texts.h"

#include "dissector/message/message_json.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>

namespace brokerscope {

namespace {

constexpr std::size_t mostCopiedRows = 100'000;

void copy(const QString& text) {
    if (!text.isEmpty()) QApplication::clipboard()->setText(text);
}

} // namespace

void MainWindow::wireMenus() {
    connect(&m_exchanges->view(), &QWidget::customContextMenuRequested, this, &MainWindow::rowMenu);
    connect(&m_exchanges->fields(), &QWidget::customContextMenuRequested, this, &MainWindow::fieldMenu);
    m_actions.on(Act::CopyText, [this] { copyText(); });
    m_actions.on(Act::CopyJson, [this] { copyJson(); });
    m_actions.on(Act::CopyHex, [this] { copyHex(); });
    m_actions.on(Act::CopyFilter, [this] { copyFilter(); });
    m_actions.on(Act::CopyValue, [this] { copyValue(false); });
    m_actions.on(Act::CopyName, [this] { copyValue(true); });
    m_actions.on(Act::CopyCommandLine, [this] { copyCommandLine(); });
    m_actions.on(Act::FocusFilter, [this] {
        m_filterBar->edit().setFocus();
        m_filterBar->edit().selectAll();
    });
    m_actions.on(Act::CompleteFilter, [this] { m_filterBar->edit().openCompletion(); });
    m_actions.on(Act::FilterHistory, [this] { m_filterBar->openHistory(); });
    m_actions.on(Act::ApplyField, [this] { applyField(); });
    m_actions.on(Act::ClearFilter, [this] { m_filterBar->clear(); });
    m_actions.on(Act::ChipErrors, [this] { m_filterBar->toggleChip(1); });
    m_actions.on(Act::ChipSlow, [this] { m_filterBar->toggleChip(2); });
    m_actions.on(Act::ChipUnanswered, [this] { m_filterBar->toggleChip(3); });
    m_actions.on(Act::ShowRecords, [this] { showRecordsOfExchange(); });
}

// ---- filters

void MainWindow::applyFilter(const QString& expression) {
    m_filterBar->applyText(expression);
}

void MainWindow::typeIntoFilter(const QString& text) {
    m_filterBar->edit().setFocus();
    m_filterBar->edit().end(false);
    const QString before = m_filterBar->edit().text();
    if (!before.isEmpty() && !before.endsWith(u' ')) m_filterBar->edit().insert(QStringLiteral(" "));
    m_filterBar->edit().type(text);
}

// `how`: "", "not", "and", "or", "and not", "or not"; joined with what stands in the bar.
void MainWindow::useFilter(const QString& expression, const QString& how, bool apply) {
    const QString before = m_filterBar->edit().text().trimmed();
    QString whole = expression;
    if (how == QStringLiteral("not")) {
        whole = QStringLiteral("not (%1)").arg(expression);
    } else if (!how.isEmpty() && !before.isEmpty()) {
        const bool negated = how.endsWith(QStringLiteral("not"));
        whole = QStringLiteral("(%1) %2 %3")
                    .arg(before, how.section(u' ', 0, 0),
                         negated ? QStringLiteral("not (%1)").arg(expression) : expression);
    } else if (how.endsWith(QStringLiteral("not"))) {
        whole = QStringLiteral("not (%1)").arg(expression);
    }
    if (apply)
        m_filterBar->applyText(whole);
    else
        m_filterBar->prepareText(whole);
}

void MainWindow::addFilterMenus(QMenu& menu, const QString& title, const QString& expression) {
    const std::vector<std::pair<QString, QString>> ways = {
        {tr("Selected"), QString()},
        {tr("Not selected"), QStringLiteral("not")},
        {tr("…and selected"), QStringLiteral("and")},
        {tr("…or selected"), QStringLiteral("or")},
        {tr("…and not selected"), QStringLiteral("and not")},
        {tr("…or not selected"), QStringLiteral("or not")},
    };
    auto* of = menu.addMenu(title);
    of->setEnabled(!expression.isEmpty());
    if (expression.isEmpty()) return;
    of->setToolTipsVisible(true);
    for (const auto& [text, how] : ways)
        of->addAction(text, this, [this, expression, how = how] {
              useFilter(expression, how, true);
          })->setToolTip(expression);
    auto* prepare = of->addMenu(tr("Prepare"));
    for (const auto& [text, how] : ways)
        prepare->addAction(text, this, [this, expression, how = how] { useFilter(expression, how, false); });
}

void MainWindow::applyField() {
    const FieldRef field = m_selection.field();
    if (field.part == factsPart || !m_exchanges->fieldModel().part(field.part)) return;
    const QString expression = m_exchanges->fieldModel().texts(field.part).filterExpression(field.node);
    if (expression.isEmpty()) return m_status->say(tr("The filter language has no name for this field"));
    m_filterBar->applyText(expression);
}

// ---- menus

void MainWindow::rowMenu(const QPoint& at) {
    const QModelIndex index = m_exchanges->view().indexAt(at);
    const auto number = m_table.indexRowAt(index.row());
    if (!number || !m_capture) return;
    const ExchangeIndex& exchanges = m_capture->index;
    const ExchangeRow row = exchanges.row(*number);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_actions[Act::Mark]);
    menu->addAction(m_actions[Act::TimeZero]);
    menu->addSeparator();
    if (row.known()) {
        const IndexedConnection& on = exchanges.connection(row.connection());
        const ExchangeTexts& texts = *m_table.texts();
        const auto text = [&](StringId id) { return texts::fromUtf8(exchanges.text(id)); };
        if (row.hasHeader())
            addFilterMenus(*menu, tr("Filter: this API"),
                           m_capture->protocol.api(row.apiKey())
                               ? QStringLiteral("api == %1").arg(texts.apiName(row.apiKey()))
                               : QStringLiteral("api.key == %1").arg(row.apiKey()));
        addFilterMenus(*menu, tr("Filter: this client"),
                       row.hasClientId() ? QStringLiteral("client.id == %1").arg(filterLiteral(text(row.clientId())))
                                         : QStringLiteral("client == %1").arg(filterLiteral(text(on.clientAddress))));
        addFilterMenus(*menu, tr("Filter: this broker"),
                       QStringLiteral("broker == %1").arg(filterLiteral(text(on.brokerText))));
        const Subject& about = row.subject();
        QString topic;
        if (!about.topics.empty() && !exchanges.topicName(about.topics.front()).empty())
            topic = QStringLiteral("topic == %1").arg(filterLiteral(texts.topic(about.topics.front())));
        else if (about.group)
            topic = QStringLiteral("group == %1").arg(filterLiteral(text(about.group)));
        addFilterMenus(*menu, about.topics.empty() && about.group ? tr("Filter: this group") : tr("Filter: this topic"),
                       topic);
        addFilterMenus(*menu, tr("Filter: this connection"), QStringLiteral("conn == %1").arg(row.connection()));
        addFilterMenus(*menu, tr("Filter: this error"),
                       row.hasErrors() ? QStringLiteral("error.code == %1").arg(row.outcome().errors.front().code)
                                       : QString());
    }
    menu->addSeparator();
    for (Act act : {Act::ShowRecords, Act::CopyText, Act::CopyJson, Act::CopyHex, Act::CopyCommandLine, Act::TreatPort})
        menu->addAction(m_actions[act]);
    menu->popup(m_exchanges->view().viewport()->mapToGlobal(at));
}

void MainWindow::fieldMenu(const QPoint& at) {
    const QModelIndex index = m_exchanges->fields().indexAt(at);
    if (!index.isValid()) return;
    const FieldRef field = m_exchanges->fieldModel().fieldAt(index);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    if (field.part != factsPart && m_exchanges->fieldModel().part(field.part)) {
        const QString expression = m_exchanges->fieldModel().texts(field.part).filterExpression(field.node);
        addFilterMenus(*menu, tr("Apply as filter"), expression);
        if (expression.isEmpty())
            menu->actions().back()->setToolTip(tr("The filter language has no name for this field"));
        menu->addSeparator();
    }
    for (Act act : {Act::CopyText, Act::CopyValue, Act::CopyName, Act::CopyJson, Act::CopyHex, Act::CopyFilter})
        menu->addAction(m_actions[act]);
    menu->addSeparator();
    for (Act act : {Act::ExpandSubtree, Act::CollapseSubtree, Act::ShowRecords, Act::RevealSecrets})
        menu->addAction(m_actions[act]);
    menu->popup(m_exchanges->fields().viewport()->mapToGlobal(at));
}

// ---- copying

QString MainWindow::rowsAsText() const {
    QStringList lines;
    const ExchangeView& view = m_exchanges->view();
    std::vector<ExchangeColumn> columns;
    for (int place = 0; place < exchangeColumnCount; ++place) {
        const int section = view.horizontalHeader()->logicalIndex(place);
        if (!view.isColumnHidden(section)) columns.push_back(static_cast<ExchangeColumn>(section));
    }
    for (int row : view.selectedRows(mostCopiedRows)) {
        QStringList cells;
        for (ExchangeColumn column : columns)
            cells << m_table.text(row, column);
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n');
}

void MainWindow::copyText() {
    if (QApplication::focusWidget() == &m_exchanges->view()) return copy(rowsAsText());
    if (m_tabs->currentWidget() == m_records) return copy(m_records->copied(RecordCopy::Row));
    if (m_tabs->currentWidget() == m_summary) return m_summary->copy();
    const QModelIndex field = m_exchanges->fields().currentIndex();
    if (!field.isValid()) return copy(rowsAsText());
    const QString value = m_exchanges->fieldModel().value(field).text;
    const QString name = m_exchanges->fieldModel().name(field);
    copy(value.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, value));
}

void MainWindow::copyJson() {
    if (m_tabs->currentWidget() == m_records) return copy(m_records->copied(RecordCopy::Json));
    const FieldRef field = m_selection.field();
    const Part part = m_exchanges->fieldModel().part(field.part);
    const bool whole = QApplication::focusWidget() == &m_exchanges->view() || !part || part->body == noNode;
    if (whole && part == nullptr) return;
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    const NodeIndex node = field.node == 0 || whole ? part->body : field.node;
    if (node == noNode) return m_status->say(tr("This field has no JSON form; copy its value"));
    writeJson(m_capture->protocol, *part, part->bytes, node, {}, writer);
    const QString pretty = prettyJson({reinterpret_cast<const std::uint8_t*>(buffer.GetString()), buffer.GetSize()});
    copy(pretty.isEmpty() ? QString::fromUtf8(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize())) : pretty);
}

void MainWindow::copyHex() {
    if (m_tabs->currentWidget() == m_records) return copy(m_records->copied(RecordCopy::Hex));
    copy(m_exchanges->bytes().pane().selectedText());
}

void MainWindow::copyFilter() {
    const FieldRef field = m_selection.field();
    if (!m_exchanges->fieldModel().part(field.part)) return;
    const QString expression = m_exchanges->fieldModel().texts(field.part).filterExpression(field.node);
    if (expression.isEmpty()) return m_status->say(tr("The filter language has no name for this field"));
    copy(expression);
}

void MainWindow::copyValue(bool name) {
    if (m_tabs->currentWidget() == m_records) return copy(m_records->copied(RecordCopy::Value));
    const FieldRef field = m_selection.field();
    const QModelIndex index = m_exchanges->fields().currentIndex();
    if (!index.isValid()) return;
    if (!m_exchanges->fieldModel().part(field.part))
        return copy(name ? m_exchanges->fieldModel().name(index) : m_exchanges->fieldModel().value(index).text);
    const FieldTexts texts = m_exchanges->fieldModel().texts(field.part);
    const QString filterName = texts.filterName(field.node);
    copy(!name ? texts.valueToCopy(field.node) : filterName.isEmpty() ? texts.path(field.node) : filterName);
}

void MainWindow::copyCommandLine() {
    QStringList words{QStringLiteral("brokerscope"), QStringLiteral("list")};
    const auto quotedForShell = [](QString text) {
        return u'\'' + text.replace(u'\'', QStringLiteral("'\\''")) + u'\'';
    };
    const QString expression = m_filterBar->applied().expression();
    if (!expression.isEmpty()) words << QStringLiteral("-Y") << quotedForShell(expression);
    for (const QString& path : m_paths)
        words << quotedForShell(path);
    copy(words.join(u' '));
}

void MainWindow::showRecordBytes(const RecordBatchRef& batch, std::uint32_t ordinal) {
    showTab(Tab::Exchanges);
    m_exchanges->selectRecordWhenShown(batch.ofResponse ? responsePart : requestPart, {batch.begin, batch.end},
                                       ordinal);
    selectExchange(ExchangeId{batch.exchange + std::uint64_t{1}});
    m_exchanges->fields().setFocus();
}

void MainWindow::showRecordsOfExchange() {
    if (!m_selection.exchange()) return;
    m_records->setExchange(m_selection.exchange());
    m_records->showRecordsOf(RecordsOf::Exchange);
    showTab(Tab::Records);
}

} // namespace brokerscope
