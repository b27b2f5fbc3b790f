// SPDX-License-Identifier: Apache-2.0
// All records of the capture, of a topic or of one exchange, in one table; the current one's value in a side pane as
// pretty JSON, text or hex. Searches keys and values.
// Threads: the GUI's; scanning, opening batches and searching are jobs.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/loader/job_runner.h"
#include "gui/loader/record_scanner.h"
#include "gui/models/capture_summary.h"
#include "gui/models/record_texts.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>
#include <QWidget>

#include <optional>
#include <set>

namespace brokerscope {

enum class RecordsOf : std::uint8_t { Capture, Topic, Exchange };
enum class RecordCopy : std::uint8_t { Row, Key, Value, Json, Hex };

class RecordsPage : public QWidget {
    Q_OBJECT

  public:
    RecordsPage(JobRunner& jobs, const Theme& theme, QWidget* parent = nullptr);

    void setCapture(Capture capture); // null: none
    void setTopics(const SeenValues::Counted& topics);
    void setExchange(ExchangeId exchange); // what "exchange N" means from now on
    void showRecordsOf(RecordsOf what, const QString& topic = {});
    void refresh(); // the capture has grown, or the page is shown for the first time
    void refreshIfStale();
    void loadingEnded(); // there is more now than when it was read
    RecordTableModel& model() { return m_model; }
    QTableView& table() { return *m_table; }
    QLineEdit& search() { return *m_search; }
    QPlainTextEdit& side() { return *m_side; }
    void find(int direction);
    void setRevealed(bool revealed);       // secrets in the side pane and in what is copied
    QString copied(RecordCopy what) const; // of the current record; empty: there is no such thing
    void sayCurrent();                     // where it stands
    QTabBar& forms() { return *m_form; }
    void zoomTo(const QFont& plain, const QFont& fixed);
    bool settled() const;

  Q_SIGNALS:
    void exchangeWished(brokerscope::ExchangeId exchange);
    void bytesWished(const brokerscope::RecordBatchRef& batch, std::uint32_t ordinal); // of a record of it
    void filterWished(QString expression);
    void exportWished();
    void said(QString text);
    void limitReached();

  private:
    void layOut();
    void wire();
    void openBatches();
    void showSide();
    void showCount();
    std::optional<RecordTexts> currentTexts() const; // nothing: none is current, or it is not open yet
    void showHit(RecordTableModel::Place place, const QString& words);
    void tableMenu(const QPoint& at);
    void updateChoice();

    JobRunner& m_jobs;
    const Theme& m_theme;
    Capture m_capture;
    RecordTableModel m_model;
    RecordsOf m_what = RecordsOf::Capture;
    ExchangeId m_exchange;
    bool m_stale = true;
    bool m_revealed = false;
    bool m_scanning = false;
    std::set<std::size_t> m_wanted;
    std::uint64_t m_scan = 0; // batches of an older scan are dropped

    QRadioButton *m_ofCapture, *m_ofTopic, *m_ofExchange;
    QComboBox* m_topic;
    QLineEdit* m_search;
    QCheckBox *m_inKeys, *m_inValues;
    ElidedLabel* m_count;
    QSplitter* m_split;
    QTableView* m_table;
    QTabBar* m_form;
    QPlainTextEdit* m_side;
};

} // namespace brokerscope
