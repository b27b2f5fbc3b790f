// SPDX-License-Identifier: Apache-2.0
// Opening, loading, closing, and what is said about it.
#include "gui/widgets/main_window.h"

#include "gui/models/texts.h"
#include "gui/widgets/help_dialog.h"
#include "gui/widgets/port_dialog.h"

#include <QFileDialog>
#include <QFileInfo>

namespace brokerscope {

namespace {

constexpr int tickMs = 50, firstTickMs = 20;
constexpr qint64 summaryEveryMs = 2000;
constexpr qint64 sayRunningAfterMs = 200;

} // namespace

void MainWindow::wireCapture() {
    connect(&m_loader, &CaptureLoader::opened, this, &MainWindow::captureOpened);
    connect(&m_loader, &CaptureLoader::failed, this, &MainWindow::captureFailed);
    connect(&m_loader, &CaptureLoader::finished, this, &MainWindow::captureFinished);
    connect(&m_tick, &QTimer::timeout, this, &MainWindow::tick);
    connect(&m_order, &OrderKeeper::runningChanged, this, [this](std::optional<int> percent, quint64 found) {
        if (percent && m_sinceFilter.isValid() && m_sinceFilter.elapsed() < sayRunningAfterMs) return;
        m_filterBar->setRunning(percent);
        if (percent)
            m_status->showJob(tr("Filtering… %1 %, %2 so far (Esc stops)").arg(*percent).arg(texts::grouped(found)),
                              *percent);
        else if (!m_loader.loading())
            m_status->endJob();
    });
    connect(&m_order, &OrderKeeper::settled, this, [this] {
        showCounts();
        selectFirst();
    });
    connect(&m_order, &OrderKeeper::stopped, this, [this](int percent) {
        showCounts();
        m_status->say(tr("Filter stopped at %1 %: the table shows what was found").arg(percent));
    });
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &MainWindow::sayChanged);
    connect(&m_jobs, &JobRunner::progressed, this, [this](JobKind kind, quint64 done, quint64 total, quint64) {
        const int percent = total ? static_cast<int>(done * 100 / total) : -1;
        if (kind == JobKind::Export) m_status->showJob(tr("Exporting…"), percent);
        if (kind == JobKind::Find || kind == JobKind::RecordFind)
            m_status->showJob(tr("Finding… (Esc stops)"), percent);
        if (kind == JobKind::Records) m_status->showJob(tr("Reading records…"), percent);
    });
    connect(&m_jobs, &JobRunner::ended, this, [this](JobKind kind) {
        if (kind == JobKind::Export || kind == JobKind::Find || kind == JobKind::RecordFind || kind == JobKind::Records)
            m_status->endJob();
    });
    m_actions.on(Act::Open, [this] { chooseFiles(); });
    m_actions.on(Act::Reload, [this] { reload(); });
    m_actions.on(Act::Close, [this] { closeCapture(); });
    m_actions.on(Act::TreatPort, [this] { askPort({}); });
    m_actions.on(Act::KeyLog, [this] { chooseKeyLog(); });
    m_actions.on(Act::ExportExchanges, [this] { exportExchanges(); });
    m_actions.on(Act::ExportRecords, [this] { exportRecords(); });
}

void MainWindow::chooseFiles() {
    auto* dialog = new QFileDialog(this, tr("Open a capture"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Captures (*.pcap *.pcapng *.cap *.gz *.zst)"), tr("All files (*)")});
    if (!m_paths.isEmpty()) dialog->setDirectory(QFileInfo(m_paths.front()).absolutePath());
    connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::openFiles);
    dialog->open();
}

void MainWindow::openFiles(const QStringList& paths) {
    if (paths.isEmpty()) return;
    m_strip->clear();
    m_openError.clear();
    m_paths = paths;
    m_report.reset();
    OpenWish wish;
    for (const QString& path : paths)
        wish.paths.push_back(path.toStdString());
    wish.ports = m_settings.ports;
    for (const QString& path : m_keyLogs)
        wish.keyLogs.push_back(path.toStdString());
    wish.slowAbove = std::chrono::milliseconds{m_settings.slowMs};
    m_loader.open(std::move(wish));
    m_tick.start(firstTickMs);
}

void MainWindow::reload() {
    const ExchangeId exchange = m_selection.exchange();
    openFiles(m_paths);
    if (exchange) selectExchange(exchange);
}

void MainWindow::forgetCapture() {
    m_exchanges->setCapture(nullptr);
    m_records->setCapture(nullptr);
    m_summary->showNothing();
    m_order.setCapture(nullptr);
    m_jobs.cancelAll();
    m_summaryData.reset();
    m_filterBar->setCounts({});
    m_filterBar->edit().setSeenValues({});
    m_status->endJob();
    m_status->clearCounts();
    m_status->say({});
    m_actions[Act::RevealSecrets]->setChecked(false);
    disposeLater(std::move(m_capture));
    if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
    m_watchedSizes.clear();
}

void MainWindow::closeCapture() {
    m_loader.close();
    m_tick.stop();
    m_selectWish.reset();
    forgetCapture();
    m_strip->clear();
    m_report.reset();
    showStart();
}

void MainWindow::showStart() {
    m_start->setRecent(m_settings.recentFiles);
    m_pages->setCurrentWidget(m_start);
    m_start->setFocus();
    setWindowTitle(tr("Brokerscope"));
    updateActions();
}

void MainWindow::captureOpened(const Capture& capture) {
    const std::optional<std::pair<ExchangeId, QString>> wish = m_selectWish;
    forgetCapture();
    m_selectWish = wish;
    m_capture = capture;
    m_order.setCapture(capture);
    m_exchanges->setCapture(capture);
    m_records->setCapture(capture);
    m_sinceSummary.start();
    QStringList names;
    for (const QString& path : m_paths)
        names << (path == QStringLiteral("-") ? tr("standard input") : QFileInfo(path).fileName());
    setWindowTitle(tr("%1 - Brokerscope")
                       .arg(names.size() > 3 ? tr("%1 and %2 more").arg(names.front()).arg(names.size() - 1)
                                             : names.join(QStringLiteral(", "))));
    const bool wasEmpty = m_pages->currentWidget() == m_start;
    m_pages->setCurrentWidget(m_tabs);
    if (wasEmpty) showTab(Tab::Exchanges);
    m_settings.addRecent(m_paths);
    for (const QString& path : m_paths)
        if (const QFileInfo file(path); file.isFile()) {
            m_watcher.addPath(path);
            m_watchedSizes[path] = file.size();
        }
    updateActions();
    m_tick.start(firstTickMs);
}

void MainWindow::captureFailed(const QString& message) {
    m_tick.stop();
    m_selectWish.reset();
    forgetCapture();
    m_openError = message;
    showStart();
    m_strip->say(QStringLiteral("open"),
                 {MessageTone::Damage, message + (message.endsWith(u'.') ? QString() : QStringLiteral(".")), {}, true});
}

// ---- while it loads

void MainWindow::tick() {
    if (m_tick.interval() != tickMs) m_tick.setInterval(tickMs);
    if (!m_capture) return;
    if (m_table.rowCount() == 0) m_table.setTimeZero(m_capture->start());
    ExchangeView& view = m_exchanges->view();
    m_order.grow();
    const auto [first, last] = view.visibleRows();
    m_table.refresh(first, last);
    if (m_selectWish && m_selectWish->first.value <= m_capture->index.size() &&
        m_capture->index.row(static_cast<std::uint32_t>(m_selectWish->first.value - 1)).known()) {
        const auto [exchange, path] = *m_selectWish;
        m_selectWish.reset();
        if (!path.isEmpty()) m_exchanges->selectWhenShown(path);
        m_selection.setExchange(exchange);
    } else {
        selectFirst();
    }
    showCounts();
    showProgress();
    if (m_loader.loading() && m_tabs->currentWidget() == m_summary && m_sinceSummary.elapsed() > summaryEveryMs)
        startSummary();
}

void MainWindow::selectFirst() {
    if (!m_selectWish && !m_selection.exchange() && m_table.rowCount() > 0)
        m_exchanges->view().setCurrentExchange(m_table.exchangeAt(0));
}

void MainWindow::showProgress() {
    if (!m_loader.loading() || !m_capture || m_order.running()) return;
    const std::uint64_t read = m_capture->progress.bytesRead, total = m_capture->progress.bytesTotal;
    const int percent = total ? static_cast<int>(read * 100 / total) : -1;
    const QString packets = texts::grouped(m_capture->progress.packets);
    m_status->showJob(total ? tr("Loading… %1 %, %2 packets (Esc stops)").arg(percent).arg(packets)
                            : tr("Reading… %1 packets so far").arg(packets),
                      percent);
}

void MainWindow::showCounts() {
    if (!m_capture) return;
    const ExchangeIndex::Counts counts = m_capture->index.counts();
    m_filterBar->setCounts(counts);
    const quint64 selected = m_exchanges->view().selectedCount();
    const auto shown = static_cast<std::uint64_t>(m_table.rowCount());
    const QString all = texts::grouped(m_capture->index.size());
    QString exchanges = selected > 1 ? tr("%1 selected of %2 exchanges").arg(texts::grouped(selected), all)
                        : m_table.ordered() && !m_order.filter().everything()
                            ? tr("%1 of %2 exchanges").arg(texts::grouped(shown), all)
                            : texts::plural(m_capture->index.size(), tr("1 exchange"), tr("%1 exchanges"));
    const QString errors = texts::plural(counts.errors, tr("1 error"), tr("%1 errors"));
    const int digits = m_capture->progress.timeDigits;
    const QString spanTip = tr("%1 to %2 UTC")
                                .arg(texts::date(m_capture->start(), digits, false),
                                     texts::date(m_capture->start() + m_capture->span(), digits, false));
    const bool damaged = counts.damaged > 0 || (m_report && !damageLines(*m_report, counts).isEmpty());
    QString damage = tr("no damage");
    if (damaged)
        damage = m_report && m_report->bytesLost > 0 ? tr("%1 lost").arg(texts::bytes(m_report->bytesLost))
                 : counts.damaged > 0                ? tr("%1 damaged").arg(texts::grouped(counts.damaged))
                                                     : tr("damage");
    m_status->showCounts(exchanges, errors, texts::span(m_capture->span()), spanTip, damage, damaged);
}

void MainWindow::startSummary() {
    if (!m_capture) return;
    m_sinceSummary.restart();
    m_jobs.start(JobKind::Summary, [this, capture = m_capture, slow = m_table.slowAbove(),
                                    complete = m_report != nullptr, report = m_report](JobContext& context) {
        std::optional<CaptureSummary> made =
            summarize(capture->index, capture->index.size(), capture->protocol, slow, complete, context.stop());
        if (!made) return;
        auto summary = std::make_shared<const CaptureSummary>(std::move(*made));
        context.deliver([this, weak = std::weak_ptr(capture), summary, report] {
            const Capture same = weak.lock();
            if (!same || same != m_capture) return;
            m_summaryData = summary;
            m_summary->show(same, summary, report);
            m_records->setTopics(summary->seen.topics);
            m_filterBar->edit().setSeenValues(summary->seen);
        });
    });
}

void MainWindow::captureFinished(const Capture& capture, const std::shared_ptr<const CaptureReport>& report) {
    if (capture != m_capture) return;
    m_report = report;
    tick();
    m_tick.stop();
    m_status->endJob();
    m_selectWish.reset();
    m_order.loadingEnded();
    m_records->loadingEnded();
    startSummary();
    showCounts();
    sayDamage();
    sayNoKafka();
    if (report->stopped)
        m_strip->say(QStringLiteral("stopped"), {MessageTone::Info,
                                                 tr("Loading was stopped at %1 %.").arg(report->percent),
                                                 {{tr("Continue"),
                                                   [this] {
                                                       m_strip->take(QStringLiteral("stopped"));
                                                       m_report.reset();
                                                       m_loader.resume();
                                                       m_tick.start(tickMs);
                                                   }},
                                                  {tr("Reload"), [this] { reload(); }}},
                                                 true});
    updateActions();
}

// ---- what is said about it

void MainWindow::sayDamage() {
    if (m_report->info.damage.empty()) return;
    const ExchangeIndex::Counts counts = m_capture->index.counts();
    const std::uint64_t whole = counts.exchanges - counts.damaged;
    QString text = QString::fromStdString(toString(m_report->info.damage.front()));
    if (!text.endsWith(u'.')) text += u'.';
    text +=
        u' ' +
        (counts.damaged
             ? tr("%1 exchanges are whole, %2 are damaged.").arg(texts::grouped(whole), texts::grouped(counts.damaged))
             : tr("All %1 exchanges before it were read.").arg(texts::grouped(whole)));
    Message message{MessageTone::Damage, text, {}, true};
    if (counts.damaged)
        message.actions.emplace_back(tr("Show them"), [this] { applyFilter(QStringLiteral("damaged")); });
    message.actions.emplace_back(tr("Details"), [this] { showDamage(); });
    m_strip->say(QStringLiteral("damage"), std::move(message));
}

void MainWindow::sayChanged(const QString& path) {
    const QFileInfo file(path);
    const QString name = file.fileName();
    Message message{MessageTone::Info, {}, {}, true};
    if (!file.exists()) {
        message.text = tr("%1 was removed or renamed. It stays open until it is closed.").arg(name);
    } else {
        const bool shorter = file.size() < m_watchedSizes.value(path);
        if (shorter) message.tone = MessageTone::Damage;
        message.text = shorter ? tr("%1 has become shorter on disk: what was cut off shows as zeros.").arg(name)
                               : tr("%1 has changed on disk.").arg(name);
        message.actions.emplace_back(tr("Reload"), [this] { reload(); });
    }
    m_strip->say(QStringLiteral("changed"), std::move(message));
}

void MainWindow::sayNoKafka() {
    if (m_capture->index.size() > 0 || m_report->stopped) return;
    QString text = tr("%1, %2, no Kafka.")
                       .arg(texts::plural(m_report->packets.packets, tr("1 packet"), tr("%1 packets")),
                            texts::plural(m_report->foreignConnections, tr("1 connection"), tr("%1 connections")));
    Message message{MessageTone::Doubt, text, {}, true};
    if (m_report->tlsWithoutKeys > 0) {
        message.text +=
            u' ' + texts::plural(m_report->tlsWithoutKeys, tr("1 connection is TLS and its keys are not known."),
                                 tr("%1 connections are TLS and their keys are not known."));
        message.actions.emplace_back(tr("TLS key log…"), [this] { chooseKeyLog(); });
    } else if (!m_report->foreign.empty()) {
        message.text += u' ' + tr("If a connection is Kafka on an unusual port:");
        const QString port = QString::number(m_report->foreign.front().second.port);
        message.actions.emplace_back(tr("Treat a port as Kafka…"), [this, port] { askPort(port); });
    }
    m_strip->say(QStringLiteral("no-kafka"), std::move(message));
}

void MainWindow::showDamage() {
    if (!m_capture) return;
    QString html;
    if (m_report)
        for (const QString& text : damageLines(*m_report, m_capture->index.counts()))
            html += QStringLiteral("<li>%1</li>").arg(text.toHtmlEscaped());
    showText(tr("Damage"), html.isEmpty() ? tr("<p>None.</p>") : QStringLiteral("<ul>%1</ul>").arg(html));
}

void MainWindow::askPort(const QString& suggestion) {
    auto* dialog = new PortDialog(suggestion, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PortDialog::chosen, this, [this](std::uint16_t port) {
        addForcedPort(port);
        if (!m_paths.isEmpty()) reload();
    });
    dialog->open();
}

void MainWindow::addKeyLog(const QString& path) {
    if (!m_keyLogs.contains(path)) m_keyLogs << path;
}

void MainWindow::chooseKeyLog() {
    auto* dialog = new QFileDialog(this, tr("Open a file with TLS secrets (SSLKEYLOGFILE)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        addKeyLog(path);
        if (!m_paths.isEmpty()) reload();
    });
    dialog->open();
}

// ---- export

// "orders-exchanges.ndjson" beside the capture is what most people want.
void MainWindow::askExport(const QString& title, const QString& what, void (MainWindow::*then)(const QString& path)) {
    if (!m_capture) return;
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString csv = tr("CSV (*.csv)");
    dialog->setNameFilters({tr("JSON lines (*.ndjson)"), csv});
    dialog->setDefaultSuffix(QStringLiteral("ndjson"));
    const QFileInfo capture(m_paths.front());
    if (capture.isFile()) dialog->setDirectory(capture.absolutePath());
    const QString name = QStringLiteral("%1-%2").arg(capture.isFile() ? capture.baseName() : tr("capture"), what);
    dialog->selectFile(name + QStringLiteral(".ndjson"));
    connect(dialog, &QFileDialog::filterSelected, this, [dialog, csv](const QString& filter) {
        const QString suffix = filter == csv ? QStringLiteral("csv") : QStringLiteral("ndjson");
        dialog->setDefaultSuffix(suffix);
        const QStringList chosen = dialog->selectedFiles();
        if (chosen.isEmpty()) return;
        const QFileInfo file(chosen.front());
        dialog->selectFile(QStringLiteral("%1.%2").arg(file.completeBaseName(), suffix));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, then](const QString& path) { (this->*then)(path); });
    dialog->open();
}

void MainWindow::exportExchanges() {
    askExport(tr("Export the exchanges that are shown"), tr("exchanges"), &MainWindow::exportExchangesTo);
}

void MainWindow::exportExchangesTo(const QString& path) {
    if (!m_capture) return;
    ExchangeTableModel::Order rows;
    rows.reserve(static_cast<std::size_t>(m_table.rowCount()));
    for (int row = 0; row < m_table.rowCount(); ++row)
        rows.push_back(*m_table.indexRowAt(row));
    m_jobs.start(JobKind::Export, [this, capture = m_capture, rows = std::move(rows), path](JobContext& context) {
        const ExportOutcome outcome = exportExchangesAs(exportFormatOf(path), capture, rows, path, context);
        context.deliver([this, outcome, path] { sayExported(outcome, path); });
    });
}

void MainWindow::exportRecords() {
    askExport(tr("Export the records that are shown"), tr("records"), &MainWindow::exportRecordsTo);
}

void MainWindow::exportRecordsTo(const QString& path) {
    if (!m_capture) return;
    m_records->refreshIfStale();
    m_jobs.start(JobKind::Export, [this, capture = m_capture, batches = m_records->model().batches(),
                                   topics = m_records->model().topics(), path](JobContext& context) {
        const ExportOutcome outcome = exportRecordsAs(exportFormatOf(path), capture, batches, topics, path, context);
        context.deliver([this, outcome, path] { sayExported(outcome, path); });
    });
}

void MainWindow::sayExported(const ExportOutcome& outcome, const QString& path) {
    m_status->endJob();
    const QString name = QFileInfo(path).fileName();
    if (!outcome.error.isEmpty())
        m_strip->say(QStringLiteral("export"),
                     {MessageTone::Damage, tr("%1 was not written: %2.").arg(name, outcome.error), {}, true});
    else
        m_status->say(tr("%1 lines written to %2").arg(texts::grouped(outcome.lines), name));
}

} // namespace brokerscope
