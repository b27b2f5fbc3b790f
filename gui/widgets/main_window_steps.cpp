// SPDX-License-Identifier: Apache-2.0
// Going from exchange to exchange: errors, marks, connections, Go to, Find.
#include "gui/widgets/main_window.h"

#include "gui/models/texts.h"
#include "gui/widgets/go_to_dialog.h"

#include <functional>

namespace brokerscope {

namespace {

// The nearest row in a direction that fits, around the end and back; -1: none. Looks at index rows only.
int nextRow(const ExchangeTableModel& table, int from, int direction,
            const std::function<bool(const ExchangeRow&)>& fits) {
    const int count = table.rowCount();
    for (int step = 1; step <= count; ++step) {
        const int row = ((from + step * direction) % count + count) % count;
        if (fits(table.exchanges()->row(*table.indexRowAt(row)))) return row;
    }
    return -1;
}

} // namespace

void MainWindow::wireSteps() {
    m_actions.on(Act::PreviousExchange, [this] { step(-1); });
    m_actions.on(Act::NextExchange, [this] { step(1); });
    m_actions.on(Act::PreviousInConnection, [this] { stepInConnection(-1); });
    m_actions.on(Act::NextInConnection, [this] { stepInConnection(1); });
    m_actions.on(Act::PreviousError, [this] { stepToError(-1); });
    m_actions.on(Act::NextError, [this] { stepToError(1); });
    m_actions.on(Act::PreviousMark, [this] { stepToMark(-1); });
    m_actions.on(Act::NextMark, [this] { stepToMark(1); });
    m_actions.on(Act::First, [this] { toEnd(false); });
    m_actions.on(Act::Last, [this] { toEnd(true); });
    m_actions.on(Act::Back, [this] { m_selection.back(); });
    m_actions.on(Act::Forward, [this] { m_selection.forward(); });
    m_actions.on(Act::GoTo, [this] { goTo(); });
    m_actions.on(Act::JumpMessage, [this] { m_exchanges->bytes().jumpToOther(); });
    m_actions.on(Act::Mark, [this] { mark(); });
    m_actions.on(Act::MarkAll, [this] { m_table.setAllShownMarked(true); });
    m_actions.on(Act::UnmarkAll, [this] { m_table.setAllShownMarked(false); });
    m_actions.on(Act::TimeZero, [this] {
        if (const ExchangeId exchange = m_selection.exchange())
            m_table.setTimeZero(m_capture->index.row(static_cast<std::uint32_t>(exchange.value - 1)).time());
    });
    m_actions.on(Act::Find, [this] {
        if (m_tabs->currentWidget() == m_records) return m_records->search().setFocus();
        showTab(Tab::Exchanges);
        m_findBar->open();
    });
    m_actions.on(Act::FindNext, [this] { find(1); });
    m_actions.on(Act::FindPrevious, [this] { find(-1); });
    connect(m_findBar, &FindBar::findWished, this, &MainWindow::find);
    connect(m_findBar, &FindBar::closeWished, this, [this] {
        m_findBar->hide();
        m_exchanges->view().setFocus();
    });
}

void MainWindow::step(int direction) {
    if (m_tabs->currentWidget() != m_exchanges) showTab(Tab::Exchanges);
    const int count = m_table.rowCount(), now = m_table.rowOf(m_selection.exchange());
    const int row = now < 0 ? 0 : now + direction;
    if (row >= 0 && row < count) m_selection.setExchange(m_table.exchangeAt(row));
}

void MainWindow::stepInConnection(int direction) {
    const ExchangeId exchange = m_selection.exchange();
    if (!exchange || m_table.rowCount() == 0) return;
    const std::uint32_t connection = m_capture->index.row(static_cast<std::uint32_t>(exchange.value - 1)).connection();
    const int now = m_table.rowOf(exchange);
    const int row = nextRow(m_table, now, direction, [connection](const ExchangeRow& at) {
        return at.known() && at.connection() == connection;
    });
    const bool around = row < 0 || (direction > 0 ? row <= now : row >= now);
    if (around) return m_status->say(tr("No other exchange of connection %1 that way").arg(connection));
    m_selection.setExchange(m_table.exchangeAt(row));
}

void MainWindow::stepToError(int direction) {
    if (m_table.rowCount() == 0) return;
    if (m_tabs->currentWidget() != m_exchanges) showTab(Tab::Exchanges);
    const int now = m_table.rowOf(m_selection.exchange());
    const int row = nextRow(m_table, now, direction, [](const ExchangeRow& at) {
        return at.known() && at.ended() &&
               (at.hasErrors() || at.damaged() || at.status() == ExchangeStatus::Unanswered);
    });
    if (row < 0) return m_status->say(tr("No error, no damage and nothing unanswered here"));
    m_exchanges->selectErrorWhenShown();
    if (m_table.exchangeAt(row) == m_selection.exchange()) return;
    m_selection.setExchange(m_table.exchangeAt(row));
    if (direction > 0 ? row <= now : row >= now) m_status->say(wrappedWords(direction));
}

void MainWindow::stepToMark(int direction) {
    if (m_table.marks() == 0) return m_status->say(tr("Nothing is marked (Ctrl+M marks)"));
    const int row = nextRow(m_table, m_table.rowOf(m_selection.exchange()), direction,
                            [this](const ExchangeRow& at) { return m_table.marked(at.id()); });
    if (row >= 0) m_selection.setExchange(m_table.exchangeAt(row));
}

void MainWindow::toEnd(bool last) {
    if (m_table.rowCount() == 0) return;
    if (m_tabs->currentWidget() != m_exchanges) showTab(Tab::Exchanges);
    m_selection.setExchange(m_table.exchangeAt(last ? m_table.rowCount() - 1 : 0));
}

void MainWindow::mark() {
    // The selected rows take the state that the current one gets.
    const bool on = !m_table.marked(m_selection.exchange());
    for (int row : m_exchanges->view().selectedRows(ExchangeIndex::maxRows))
        m_table.setMarked(m_table.exchangeAt(row), on);
}

void MainWindow::goTo() {
    auto* dialog = new GoToDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &GoToDialog::chosen, this, [this, dialog](const QString& text) {
        const GoToPlace place = goToPlace(text, m_capture->index, m_capture->start());
        if (!place.exchange) return dialog->say(place.words);
        dialog->accept();
        showTab(Tab::Exchanges);
        selectExchange(place.exchange);
    });
    dialog->open();
}

void MainWindow::selectExchange(ExchangeId exchange, const QString& fieldPath) {
    if (!m_capture || m_loader.loading()) { // it will come
        m_selectWish = {exchange, fieldPath};
        return;
    }
    if (exchange.value > m_capture->index.size())
        return m_status->say(
            tr("There is no exchange %1; the last is %2").arg(exchange.value).arg(m_capture->index.size()));
    if (!fieldPath.isEmpty()) m_exchanges->selectWhenShown(fieldPath);
    if (exchange == m_selection.exchange() && m_exchanges->detailShown()) return m_exchanges->showWishedField();
    m_selection.setExchange(exchange);
}

void MainWindow::find(int direction) {
    if (m_tabs->currentWidget() == m_records) return m_records->find(direction);
    if (!m_capture || m_table.rowCount() == 0) return;
    if (m_findBar->edit().text().isEmpty()) return m_findBar->open();
    if (!m_findBar->valid()) return;
    FindScope scope;
    scope.capture = m_capture;
    if (m_table.ordered()) {
        scope.order.emplace();
        for (int row = 0; row < m_table.rowCount(); ++row)
            scope.order->push_back(*m_table.indexRowAt(row));
    }
    scope.rows = static_cast<std::uint32_t>(m_table.rowCount());
    scope.from = m_table.rowOf(m_selection.exchange());
    scope.direction = direction;
    for (const ExchangeColumnRow& column : exchangeColumns())
        if (!m_exchanges->view().isColumnHidden(static_cast<int>(column.column)))
            scope.columns.push_back(column.column);
    scope.time.style = m_table.timeStyle() == TimeStyle::Delta ? TimeStyle::Relative : m_table.timeStyle();
    scope.time.zero = m_table.timeZero();
    m_jobs.start(JobKind::Find,
                 [this, direction, scope = std::move(scope), wish = m_findBar->wish()](JobContext& context) {
                     const std::optional<FindHit> hit = findExchange(scope, wish, context);
                     if (hit) context.deliver([this, direction, hit = *hit] { showFindHit(hit, direction); });
                 });
}

void MainWindow::showFindHit(const FindHit& hit, int direction) {
    if (hit.row < 0) return m_findBar->say(tr("Not found"));
    m_findBar->say(!hit.wrapped ? QString() : wrappedWords(direction));
    const ExchangeId exchange = m_table.exchangeAt(hit.row);
    m_exchanges->selectFieldWhenShown(hit.field, {hit.begin, hit.end});
    if (exchange == m_selection.exchange())
        m_exchanges->showWishedField();
    else
        m_selection.setExchange(exchange);
}

} // namespace brokerscope
