// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/main_window.h"

#include "gui/models/texts.h"
#include "gui/widgets/help_dialog.h"
#include "gui/widgets/preferences_dialog.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr int zoomStep = 10;
constexpr QSize aroundWindow{16, 48}; // what a window manager draws, about

QFrame* line(QWidget* parent) {
    auto* made = new QFrame(parent);
    made->setFrameShape(QFrame::HLine);
    made->setForegroundRole(QPalette::Mid);
    made->setFixedHeight(1);
    return made;
}

} // namespace

MainWindow::MainWindow(Theme& theme, const Preferences& preferences, QWidget* parent)
    : QMainWindow(parent), m_theme(theme), m_preferences(preferences), m_settings(preferences.load()), m_actions(this),
      m_order(m_table, m_jobs), m_plainFont(QApplication::font()) {
    setObjectName(QStringLiteral("MainWindow"));
    setAcceptDrops(true);
    layOut();
    fillToolBar();
    fillMenus();
    wireParts();
    wireViewActions();
    wireCapture();
    wireSteps();
    wireMenus();
    resize(firstSize.boundedTo(screen()->availableSize() - aroundWindow));
    applySettings();
    showStart();
}

MainWindow::~MainWindow() {
    // Threads first: what they deliver must not meet half a window.
    m_loader.close();
    m_jobs.cancelAll();
    disconnect(&m_jobs, nullptr, this, nullptr);
}

void MainWindow::layOut() {
    auto* centre = new QWidget(this);
    m_filterBar = new FilterBar(m_theme, centre);
    m_strip = new MessageStrip(m_theme, centre);
    m_pages = new QStackedWidget(centre);
    m_start = new StartPage(m_pages);
    m_tabs = new QTabWidget(m_pages);
    m_tabs->setDocumentMode(true);
    m_summary = new SummaryPage(m_theme, m_tabs);
    m_exchanges = new ExchangePage(m_table, m_selection, m_jobs, m_theme, m_tabs);
    m_records = new RecordsPage(m_jobs, m_theme, m_tabs);
    m_tabs->addTab(m_summary, icon(Glyph::Summary), tr("Summary"));
    m_tabs->addTab(m_exchanges, icon(Glyph::Table), tr("Exchanges"));
    m_tabs->addTab(m_records, icon(Glyph::Records), tr("Records"));
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_tabs);
    m_findBar = new FindBar(centre);
    m_status = new StatusLine(this);

    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filterBar);
    column->addWidget(line(centre));
    column->addWidget(m_strip);
    column->addWidget(m_pages, 1);
    column->addWidget(m_findBar);
    setCentralWidget(centre);
    m_focusLine = new FocusLine(m_theme, centre);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setContentsMargins(0, 0, 0, 0);
}

void MainWindow::fillToolBar() {
    m_toolBar = addToolBar(tr("Tools"));
    m_toolBar->setObjectName(QStringLiteral("Tools"));
    m_toolBar->setMovable(false);
    m_toolBar->setContextMenuPolicy(Qt::PreventContextMenu);
    const std::vector<std::vector<Act>> groups = {
        {Act::Open, Act::Reload, Act::Close}, {Act::Back, Act::Forward}, {Act::GoTo, Act::Find},
        {Act::PreviousError, Act::NextError}, {Act::JumpMessage},        {Act::ZoomOut, Act::ZoomIn},
    };
    for (const std::vector<Act>& group : groups) {
        for (Act act : group)
            m_toolBar->addAction(m_actions[act]);
        if (&group != &groups.back()) m_toolBar->addSeparator();
    }
}

void MainWindow::fillMenus() {
    m_actions.fill(*menuBar());
    QMenu* file = m_actions.menuOf(Act::Open);
    m_recentMenu = new QMenu(tr("Open rece&nt"), this);
    auto* samples = new QMenu(tr("&Samples"), this);
    file->insertMenu(m_actions[Act::Reload], m_recentMenu);
    file->insertMenu(m_actions[Act::Reload], samples);
    connect(m_recentMenu, &QMenu::aboutToShow, this, [this] { fillRecentMenu(*m_recentMenu); });
    for (const Sample& sample : shippedSamples())
        samples->addAction(sample.title, this, [this, path = sample.path] { openFiles({path}); })
            ->setToolTip(sample.about);
    samples->setToolTipsVisible(true);

    QMenu* view = m_actions.menuOf(Act::SizeColumns);
    auto* columns = new QMenu(tr("&Columns"), this);
    view->insertMenu(m_actions[Act::SizeColumns], columns);
    connect(columns, &QMenu::aboutToShow, this, [this, columns] {
        columns->clear();
        m_exchanges->view().fillColumnMenu(*columns);
    });
}

void MainWindow::fillRecentMenu(QMenu& menu) {
    menu.clear();
    for (const QString& entry : m_settings.recentFiles) {
        const QStringList paths = entry.split(u'\n');
        QString text = QFileInfo(paths.front()).fileName();
        if (paths.size() > 1) text += tr(" and %1 more").arg(paths.size() - 1);
        const bool found = QFileInfo::exists(paths.front());
        if (!found) text += tr(" (not found)");
        QAction* action =
            menu.addAction(text.replace(u'&', QStringLiteral("&&")), this, [this, paths] { openFiles(paths); });
        action->setEnabled(found);
        action->setToolTip(entry); // files of one name lie in several folders
    }
    menu.setToolTipsVisible(true);
    if (menu.isEmpty()) {
        menu.addAction(tr("Nothing opened yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    menu.addAction(tr("&Forget these"), this, [this] {
        m_settings.recentFiles.clear();
        m_start->setRecent({});
    });
}

void MainWindow::wireParts() {
    connect(m_start, &StartPage::openWished, this, &MainWindow::chooseFiles);
    connect(m_start, &StartPage::filesWished, this, &MainWindow::openFiles);
    connect(m_summary, &SummaryPage::filterWished, this, [this](const QString& expression) {
        m_filterBar->applyAlone(expression); // the page's numbers know of no chips
        showTab(Tab::Exchanges);
    });
    connect(m_summary, &SummaryPage::damageWished, this, &MainWindow::showDamage);
    connect(m_exchanges, &ExchangePage::fieldText, m_status, &StatusLine::say);
    connect(m_exchanges, &ExchangePage::hoverText, m_status, &StatusLine::hover);
    connect(m_exchanges, &ExchangePage::typed, this, &MainWindow::typeIntoFilter);
    connect(m_exchanges, &ExchangePage::hiddenExchange, this, [this](ExchangeId exchange) {
        m_status->say(tr("Exchange %1 is hidden by the filter").arg(exchange.value));
    });
    connect(m_exchanges, &ExchangePage::expandedSome, this, [this](int shown, int all) {
        m_strip->say(QStringLiteral("expanded"), {MessageTone::Info,
                                                  tr("Expanded %1 of %2 fields")
                                                      .arg(texts::grouped(static_cast<std::uint64_t>(shown)),
                                                           texts::grouped(static_cast<std::uint64_t>(all))),
                                                  {},
                                                  true});
    });
    connect(&m_exchanges->view(), &ExchangeView::sortWished, &m_order, &OrderKeeper::setSort);
    connect(&m_exchanges->view(), &ExchangeView::selectedCountChanged, this, &MainWindow::showCounts);
    connect(m_records, &RecordsPage::said, m_status, &StatusLine::say);
    connect(m_records, &RecordsPage::exportWished, this, &MainWindow::exportRecords);
    connect(m_records, &RecordsPage::filterWished, this, [this](const QString& expression) {
        applyFilter(expression);
        showTab(Tab::Exchanges);
    });
    connect(m_records, &RecordsPage::exchangeWished, this, [this](ExchangeId exchange) {
        showTab(Tab::Exchanges);
        selectExchange(exchange);
    });
    connect(m_records, &RecordsPage::bytesWished, this, &MainWindow::showRecordBytes);
    connect(m_records, &RecordsPage::limitReached, this, [this] {
        m_strip->say(
            QStringLiteral("records"),
            {MessageTone::Info,
             tr("The first %1 records; choose a topic to see others").arg(texts::grouped(RecordTableModel::mostRows)),
             {},
             true});
    });
    connect(m_filterBar, &FilterBar::applyWished, this, [this](const FilterWish& wish) {
        m_actions[Act::ChipErrors]->setChecked(wish.errors);
        m_actions[Act::ChipSlow]->setChecked(wish.slow);
        m_actions[Act::ChipUnanswered]->setChecked(wish.unanswered);
        m_sinceFilter.start();
        m_order.setFilter(wish);
    });
    connect(m_filterBar, &FilterBar::stopWished, &m_order, &OrderKeeper::stop);
    connect(m_filterBar, &FilterBar::leaveWished, this, [this] { m_exchanges->view().setFocus(); });
    connect(&m_selection, &Selection::exchangeChanged, this, [this](ExchangeId exchange) {
        m_records->setExchange(exchange);
        updateActions();
    });
    connect(&m_selection, &Selection::wayChanged, this, &MainWindow::updateActions);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (tab == static_cast<int>(Tab::Records)) m_records->refreshIfStale();
        if (tab == static_cast<int>(Tab::Summary)) startSummary();
        if (tab != static_cast<int>(Tab::Exchanges)) m_findBar->hide(); // it looks in exchanges
        // The line speaks of what is on screen.
        if (tab == static_cast<int>(Tab::Records))
            m_records->sayCurrent();
        else
            m_status->say(tab == static_cast<int>(Tab::Exchanges) ? m_exchanges->currentFieldText() : QString());
        updateActions();
    });
    connect(m_status, &StatusLine::cancelWished, this, &MainWindow::escape);
    connect(m_status, &StatusLine::errorsWished, this, [this] { stepToError(1); });
    connect(m_status, &StatusLine::exchangesWished, m_filterBar, &FilterBar::clear);
    connect(m_status, &StatusLine::spanWished, this, [this] { showTab(Tab::Summary); });
    connect(m_status, &StatusLine::damageWished, this, &MainWindow::showDamage);
}

void MainWindow::wireViewActions() {
    const auto style = [this](Act act, TimeStyle time) {
        m_actions.on(act, [this, time] {
            m_settings.time = time;
            m_table.setTimeStyle(time);
        });
    };
    style(Act::TimeRelative, TimeStyle::Relative);
    style(Act::TimeUtc, TimeStyle::Utc);
    style(Act::TimeLocal, TimeStyle::Local);
    style(Act::TimeEpoch, TimeStyle::Epoch);
    style(Act::TimeDelta, TimeStyle::Delta);
    const auto place = [this](Act act, BytesPlace where) {
        m_actions.on(act, [this, where] {
            m_settings.bytes = where;
            m_exchanges->setBytesPlace(where);
        });
    };
    place(Act::BytesBeside, BytesPlace::Beside);
    place(Act::BytesBelow, BytesPlace::Below);
    place(Act::BytesHidden, BytesPlace::Hidden);
    const auto theme = [this](Act act, ThemeChoice choice) { m_actions.on(act, [this, choice] { setTheme(choice); }); };
    theme(Act::ThemeSystem, ThemeChoice::System);
    theme(Act::ThemeLight, ThemeChoice::Light);
    theme(Act::ThemeDark, ThemeChoice::Dark);
    m_actions.onToggled(Act::ShowToolBar, [this](bool on) {
        m_settings.toolBar = on;
        m_toolBar->setVisible(on);
    });
    m_actions.onToggled(Act::Colours, [this](bool on) {
        m_settings.colouring = on;
        m_exchanges->view().setColouring(on);
    });
    m_actions.onToggled(Act::LengthFields, [this](bool on) {
        m_settings.lengthFields = on;
        m_exchanges->setShowLengths(on);
    });
    m_actions.onToggled(Act::TypeColumns, [this](bool on) {
        m_settings.typeColumns = on;
        m_exchanges->fields().showTypeColumns(on);
    });
    m_actions.onToggled(Act::RevealSecrets, [this](bool on) {
        m_exchanges->setRevealed(on);
        m_records->setRevealed(on);
    });
    m_actions.onToggled(Act::FullScreen, [this](bool on) { on ? showFullScreen() : showNormal(); });
    m_actions.onToggled(Act::Projector, [this](bool on) {
        if (on) m_zoomBeforeProjector = m_settings.zoom;
        setZoom(on ? Settings::projectorZoom : m_zoomBeforeProjector);
    });
    m_actions.on(Act::ZoomIn, [this] { setZoom(m_settings.zoom + zoomStep); });
    m_actions.on(Act::ZoomOut, [this] { setZoom(m_settings.zoom - zoomStep); });
    m_actions.on(Act::ZoomReset, [this] { setZoom(100); });
    m_actions.on(Act::SizeColumns, [this] { m_exchanges->view().sizeColumnsToContents(); });
    m_actions.on(Act::ExpandSubtree, [this] { m_exchanges->fields().expandSubtree(); });
    m_actions.on(Act::CollapseSubtree, [this] { m_exchanges->fields().collapseSubtree(); });
    m_actions.on(Act::ExpandAll, [this] { m_exchanges->fields().expandAllFields(); });
    m_actions.on(Act::CollapseAll, [this] { m_exchanges->fields().collapseAllFields(); });
    m_actions.on(Act::ResetLayout, [this] {
        m_exchanges->resetSplitters();
        m_exchanges->view().resetColumns();
        m_settings.bytes = BytesPlace::Beside;
        m_settings.toolBar = true;
        m_toolBar->show();
        m_exchanges->setBytesPlace(BytesPlace::Beside);
        updateActions();
    });
    m_actions.on(Act::Preferences, [this] { showPreferences(); });
    m_actions.on(Act::Quit, [this] { close(); });
    m_actions.on(Act::SummaryTab, [this] { showTab(Tab::Summary); });
    m_actions.on(Act::ExchangesTab, [this] { showTab(Tab::Exchanges); });
    m_actions.on(Act::RecordsTab, [this] { showTab(Tab::Records); });
    m_actions.on(Act::NextPane, [this] { toPane(1); });
    m_actions.on(Act::PreviousPane, [this] { toPane(-1); });
    m_actions.on(Act::Keys, [this] { showText(tr("Keys"), keysPage()); });
    m_actions.on(Act::FilterLanguage, [this] { showText(tr("Filter language"), filterPage()); });
    m_actions.on(Act::About, [this] { showText(tr("About Brokerscope"), aboutPage()); });
}

// ---- settings

void MainWindow::applySettings() {
    if (!m_settings.geometry.isEmpty()) restoreGeometry(m_settings.geometry);
    if (!m_settings.layout.isEmpty()) restoreState(m_settings.layout, Settings::layoutVersion);
    setZoom(m_settings.zoom);
    m_exchanges->restoreSplitters(m_settings.splitterRows, m_settings.splitterColumns);
    m_exchanges->view().restoreColumns(m_settings.columns);
    m_table.setTimeStyle(m_settings.time);
    m_table.setSlowAbove(std::chrono::milliseconds{m_settings.slowMs});
    m_exchanges->view().setColouring(m_settings.colouring);
    m_exchanges->setBytesPlace(m_settings.bytes);
    m_exchanges->setShowLengths(m_settings.lengthFields);
    m_exchanges->fields().showTypeColumns(m_settings.typeColumns);
    m_toolBar->setVisible(m_settings.toolBar);
    m_filterBar->setHistory(m_settings.filters);
    m_theme.choose(m_settings.theme);
}

void MainWindow::collectSettings() {
    // A projector is not for ever, and the columns' widths go with the zoom.
    if (m_actions[Act::Projector]->isChecked()) setZoom(m_zoomBeforeProjector);
    m_settings.geometry = saveGeometry();
    m_settings.layout = saveState(Settings::layoutVersion);
    m_settings.splitterRows = m_exchanges->rowsState();
    m_settings.splitterColumns = m_exchanges->sidesState();
    m_settings.columns = m_exchanges->view().columnsState();
    m_settings.filters = m_filterBar->history();
}

void MainWindow::setZoom(int percent) {
    m_settings.zoom = std::clamp(percent, Settings::leastZoom, Settings::mostZoom);
    QFont plain = m_plainFont;
    plain.setPointSizeF(m_plainFont.pointSizeF() * m_settings.zoom / 100);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(fixed.pointSizeF() * m_settings.zoom / 100);
    m_theme.setZoom(m_settings.zoom);
    QApplication::setFont(plain);
    const int side = std::max(12, 18 * m_settings.zoom / 100);
    m_toolBar->setIconSize(QSize(side, side));
    m_tabs->setIconSize(QSize(side - 2, side - 2));
    m_exchanges->zoomTo(plain, fixed);
    m_exchanges->view().setZoom(m_settings.zoom / 100.0);
    m_records->zoomTo(plain, fixed);
    m_actions[Act::Projector]->setChecked(m_settings.zoom == Settings::projectorZoom);
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_settings.theme = choice;
    m_theme.choose(choice);
    updateActions();
}

void MainWindow::addForcedPort(std::uint16_t port) {
    if (std::find(m_settings.ports.begin(), m_settings.ports.end(), port) == m_settings.ports.end())
        m_settings.ports.push_back(port);
}

void MainWindow::showPreferences() {
    auto* dialog = new PreferencesDialog(m_settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PreferencesDialog::chosen, this, [this](const Settings& chosen) {
        const bool slowChanged = chosen.slowMs != m_settings.slowMs, portsChanged = chosen.ports != m_settings.ports;
        m_settings.slowMs = chosen.slowMs;
        m_settings.ports = chosen.ports;
        m_table.setSlowAbove(std::chrono::milliseconds{chosen.slowMs});
        setTheme(chosen.theme);
        setZoom(chosen.zoom);
        if (slowChanged) m_order.refresh();
        if ((portsChanged || slowChanged) && m_capture) reload();
    });
    dialog->open();
}

void MainWindow::showText(const QString& title, const QString& html) {
    auto* dialog = new HelpDialog(title, html, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

// ---- the window

void MainWindow::updateActions() {
    const auto enable = [this](bool on, std::initializer_list<Act> acts) {
        for (Act act : acts)
            m_actions[act]->setEnabled(on);
    };
    const bool open = m_capture != nullptr;
    enable(open, {Act::Reload,          Act::Close,         Act::TreatPort,
                  Act::ExportExchanges, Act::ExportRecords, Act::CopyText,
                  Act::CopyCommandLine, Act::Find,          Act::FindNext,
                  Act::FindPrevious,    Act::GoTo,          Act::PreviousExchange,
                  Act::NextExchange,    Act::PreviousError, Act::NextError,
                  Act::First,           Act::Last,          Act::SummaryTab,
                  Act::ExchangesTab,    Act::RecordsTab,    Act::RevealSecrets});
    // What works on rows and fields wants to have them in sight.
    const bool rows = open && m_tabs->currentWidget() == m_exchanges, selected = rows && m_selection.exchange();
    enable(rows, {Act::MarkAll, Act::UnmarkAll, Act::NextMark, Act::PreviousMark, Act::SizeColumns, Act::ExpandAll,
                  Act::CollapseAll});
    enable(selected, {Act::PreviousInConnection, Act::NextInConnection, Act::Mark, Act::TimeZero, Act::ShowRecords,
                      Act::JumpMessage, Act::ApplyField, Act::CopyFilter, Act::CopyName, Act::ExpandSubtree,
                      Act::CollapseSubtree});
    enable(selected || (open && m_tabs->currentWidget() == m_records), {Act::CopyJson, Act::CopyHex, Act::CopyValue});
    m_actions[Act::Back]->setEnabled(m_selection.canGoBack());
    m_actions[Act::Forward]->setEnabled(m_selection.canGoForward());
    const auto choose = [this](std::initializer_list<std::pair<Act, bool>> states) {
        for (const auto& [act, on] : states)
            m_actions[act]->setChecked(on);
    };
    choose({{Act::TimeRelative, m_settings.time == TimeStyle::Relative},
            {Act::TimeUtc, m_settings.time == TimeStyle::Utc},
            {Act::TimeLocal, m_settings.time == TimeStyle::Local},
            {Act::TimeEpoch, m_settings.time == TimeStyle::Epoch},
            {Act::TimeDelta, m_settings.time == TimeStyle::Delta},
            {Act::BytesBeside, m_settings.bytes == BytesPlace::Beside},
            {Act::BytesBelow, m_settings.bytes == BytesPlace::Below},
            {Act::BytesHidden, m_settings.bytes == BytesPlace::Hidden},
            {Act::ThemeSystem, m_settings.theme == ThemeChoice::System},
            {Act::ThemeLight, m_settings.theme == ThemeChoice::Light},
            {Act::ThemeDark, m_settings.theme == ThemeChoice::Dark},
            {Act::ShowToolBar, m_settings.toolBar},
            {Act::Colours, m_settings.colouring},
            {Act::LengthFields, m_settings.lengthFields},
            {Act::TypeColumns, m_settings.typeColumns}});
}

void MainWindow::showTab(Tab tab) {
    m_tabs->setCurrentIndex(static_cast<int>(tab));
    QWidget* focus = tab == Tab::Summary   ? static_cast<QWidget*>(m_summary)
                     : tab == Tab::Records ? static_cast<QWidget*>(&m_records->table())
                                           : static_cast<QWidget*>(&m_exchanges->view());
    focus->setFocus();
}

void MainWindow::toPane(int direction) {
    std::vector<QWidget*> panes;
    if (m_tabs->currentWidget() == m_exchanges)
        panes = {&m_filterBar->edit(), &m_exchanges->view(), &m_exchanges->fields(), &m_exchanges->bytes().pane()};
    else if (m_tabs->currentWidget() == m_records)
        panes = {&m_filterBar->edit(), &m_records->table(), &m_records->side()};
    else
        panes = {&m_filterBar->edit(), m_summary};
    std::erase_if(panes, [](QWidget* pane) { return !pane->isVisible(); });
    const auto now = std::find_if(panes.begin(), panes.end(), [](QWidget* pane) { return pane->hasFocus(); });
    const auto count = static_cast<std::ptrdiff_t>(panes.size());
    if (count == 0) return;
    const std::ptrdiff_t at = now == panes.end() ? 0 : (now - panes.begin() + direction + count) % count;
    panes[static_cast<std::size_t>(at)]->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::escape() {
    // Stop the job, else close the bar, else back to the table.
    for (JobKind kind : {JobKind::Export, JobKind::Find, JobKind::RecordFind})
        if (m_jobs.running(kind)) {
            m_jobs.cancel(kind);
            m_status->endJob();
            return m_status->say(tr("Stopped"));
        }
    if (m_order.running()) return m_order.stop();
    if (m_loader.loading()) return m_loader.stop();
    if (m_findBar->isVisible()) return m_findBar->hide();
    if (m_strip->closeNewest()) return;
    if (m_tabs->currentWidget() == m_exchanges) m_exchanges->view().setFocus();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return escape();
    QMainWindow::keyPressEvent(event);
}

void MainWindow::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) return QMainWindow::wheelEvent(event);
    setZoom(m_settings.zoom + (event->angleDelta().y() > 0 ? zoomStep : -zoomStep));
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    openFiles(paths);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    collectSettings();
    m_preferences.save(m_settings);
    QMainWindow::closeEvent(event);
}

bool MainWindow::settled() const {
    const bool shown = !m_capture || !m_selection.exchange() || m_exchanges->detailShown();
    return !m_loader.loading() && !m_tick.isActive() && m_jobs.idle() && shown && !m_selectWish &&
           m_records->settled() && m_summary->settled();
}

} // namespace brokerscope
