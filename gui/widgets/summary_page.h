// SPDX-License-Identifier: Apache-2.0
// The first tab: what is in the capture, as tables; every number is a link to the exchanges behind it.
// Threads: the GUI's.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/models/capture_summary.h"
#include "gui/widgets/theme.h"

#include <QTextBrowser>
#include <QTimer>

#include <memory>

namespace brokerscope {

class SummaryPage : public QTextBrowser {
    Q_OBJECT

  public:
    SummaryPage(const Theme& theme, QWidget* parent = nullptr);

    void showNothing();
    // `report` is null while the capture loads.
    void show(const Capture& capture, std::shared_ptr<const CaptureSummary> summary,
              std::shared_ptr<const CaptureReport> report);
    bool settled() const { return !m_makeMore.isActive(); } // what it was told to show is shown

  Q_SIGNALS:
    void filterWished(QString expression); // empty: all exchanges
    void damageWished();

  private:
    void render();
    void addPart();
    QString head() const;
    QString apiTable() const;
    QString errorTable() const;
    QString notShorter(const QString& filter, const std::optional<Duration>& time) const;
    QString nameTable(const QString& title, const std::vector<CaptureSummary::NamedLine>& lines,
                      const QString& detail) const;
    QString damageList() const;
    QString link(const QString& filter, const QString& text) const;

    const Theme& m_theme;
    Capture m_capture;
    std::shared_ptr<const CaptureSummary> m_summary;
    std::shared_ptr<const CaptureReport> m_report;
    QStringList m_parts;               // still to be laid out
    QTextDocument* m_making = nullptr; // where they go; a child of this
    QTextDocument* m_made = nullptr;   // what is shown, once something was made; a child of this
    QTimer m_makeMore;
};

// What was lost and where, one line each, for the summary and for Details.
QStringList damageLines(const CaptureReport& report, const ExchangeIndex::Counts& counts);

} // namespace brokerscope
