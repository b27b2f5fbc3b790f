// SPDX-License-Identifier: Apache-2.0
// The window: puts models, panes and threads together. One capture at a time.
//
//     main_window.cpp          how it is laid out and what is remembered
//     main_window_capture.cpp  opening, loading, closing, and what is said about it
//     main_window_steps.cpp    going from exchange to exchange: errors, marks, connections, Go to, Find
//     main_window_menus.cpp    menus of rows and fields, copying, filters made of what is selected
//
// Threads: the GUI's; loader and jobs are asked and answer by signals.
#pragma once

#include "gui/loader/capture_loader.h"
#include "gui/loader/exporter.h"
#include "gui/loader/job_runner.h"
#include "gui/loader/order_keeper.h"
#include "gui/models/capture_summary.h"
#include "gui/models/exchange_table_model.h"
#include "gui/models/selection.h"
#include "gui/widgets/actions.h"
#include "gui/widgets/exchange_page.h"
#include "gui/widgets/filter_bar.h"
#include "gui/widgets/find_bar.h"
#include "gui/widgets/focus_line.h"
#include "gui/widgets/message_strip.h"
#include "gui/widgets/preferences.h"
#include "gui/widgets/records_page.h"
#include "gui/widgets/start_page.h"
#include "gui/widgets/status_line.h"
#include "gui/widgets/summary_page.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QHash>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>

#include <optional>

namespace brokerscope {

enum class Tab : std::uint8_t { Summary, Exchanges, Records };

class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    static constexpr QSize firstSize{1280, 800}; // where nothing is remembered and the screen is large enough

    MainWindow(Theme& theme, const Preferences& preferences, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openFiles(const QStringList& paths);
    void closeCapture();
    void setZoom(int percent);
    void setTheme(ThemeChoice choice);
    void addForcedPort(std::uint16_t port);
    void addKeyLog(const QString& path); // for what is opened from now on
    void showTab(Tab tab);
    void applyFilter(const QString& expression);
    // When it is there; a field by its path, as in ndjson.
    void selectExchange(ExchangeId exchange, const QString& fieldPath = {});
    bool settled() const; // nothing loads, no job runs, what is selected is shown
    const QString& openError() const { return m_openError; }
    std::shared_ptr<const CaptureReport> report() const { return m_report; }

    void exportExchangesTo(const QString& path); // what the table shows
    void exportRecordsTo(const QString& path);   // what the records page shows

    // For tests and pictures.
    ExchangePage& exchangePage() { return *m_exchanges; }
    RecordsPage& recordsPage() { return *m_records; }
    FilterBar& filterBar() { return *m_filterBar; }
    MessageStrip& strip() { return *m_strip; }
    StatusLine& statusLine() { return *m_status; }
    SummaryPage& summaryPage() { return *m_summary; }
    ExchangeTableModel& table() { return m_table; }
    Selection& selection() { return m_selection; }
    Actions& actions() { return m_actions; }
    FocusLine& focusLine() { return *m_focusLine; }
    FindBar& findBar() { return *m_findBar; }
    QTabWidget& tabs() { return *m_tabs; }
    StartPage& startPage() { return *m_start; }
    QMenu& recentMenu() { return *m_recentMenu; }
    bool loading() const { return m_loader.loading(); }

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    // main_window.cpp
    void layOut();
    void fillToolBar();
    void fillMenus();
    void wireParts();
    void wireViewActions();
    void applySettings();
    void collectSettings();
    void updateActions();
    void fillRecentMenu(QMenu& menu);
    void escape();
    void showPreferences();
    void showText(const QString& title, const QString& html);
    void toPane(int direction);

    // main_window_capture.cpp
    void wireCapture();
    void chooseFiles();
    void reload();
    void captureOpened(const Capture& capture);
    void captureFailed(const QString& message);
    void captureFinished(const Capture& capture, const std::shared_ptr<const CaptureReport>& report);
    void tick();
    void startSummary();
    void showCounts();
    void selectFirst(); // unless something is or will be
    void showProgress();
    void sayDamage();
    void sayChanged(const QString& path);
    void sayNoKafka();
    void showDamage();
    void askPort(const QString& suggestion);
    void chooseKeyLog();
    void forgetCapture();
    void showStart();
    void exportExchanges();
    void exportRecords();
    void askExport(const QString& title, const QString& what, void (MainWindow::*then)(const QString& path));
    void sayExported(const ExportOutcome& outcome, const QString& path);

    // main_window_steps.cpp
    void wireSteps();
    void step(int direction);
    void stepInConnection(int direction);
    void stepToError(int direction);
    void stepToMark(int direction);
    void toEnd(bool last);
    void goTo();
    void find(int direction);
    void showFindHit(const FindHit& hit, int direction);
    void mark();

    // main_window_menus.cpp
    void wireMenus();
    void rowMenu(const QPoint& at);
    void fieldMenu(const QPoint& at);
    void addFilterMenus(QMenu& menu, const QString& title, const QString& expression);
    void useFilter(const QString& expression, const QString& how, bool apply);
    void applyField();
    void copyText();
    void copyJson();
    void copyHex();
    void copyFilter();
    void copyValue(bool name);
    void copyCommandLine();
    QString rowsAsText() const;
    void typeIntoFilter(const QString& text);
    void showRecordsOfExchange();
    void showRecordBytes(const RecordBatchRef& batch, std::uint32_t ordinal);

    Theme& m_theme;
    const Preferences& m_preferences;
    Settings m_settings;
    Actions m_actions;
    JobRunner m_jobs;
    CaptureLoader m_loader;
    ExchangeTableModel m_table;
    OrderKeeper m_order;
    Selection m_selection;
    Capture m_capture;
    std::shared_ptr<const CaptureReport> m_report;
    std::shared_ptr<const CaptureSummary> m_summaryData;
    QString m_openError;
    QStringList m_paths, m_keyLogs;
    QTimer m_tick;
    QElapsedTimer m_sinceSummary, m_sinceFilter;
    QFileSystemWatcher m_watcher;
    QHash<QString, qint64> m_watchedSizes;
    std::optional<std::pair<ExchangeId, QString>> m_selectWish;
    int m_zoomBeforeProjector = 100;
    QFont m_plainFont;

    FilterBar* m_filterBar;
    MessageStrip* m_strip;
    QStackedWidget* m_pages;
    StartPage* m_start;
    QTabWidget* m_tabs;
    SummaryPage* m_summary;
    ExchangePage* m_exchanges;
    RecordsPage* m_records;
    FindBar* m_findBar;
    StatusLine* m_status;
    FocusLine* m_focusLine;
    QToolBar* m_toolBar;
    QMenu* m_recentMenu;
};

} // namespace brokerscope
