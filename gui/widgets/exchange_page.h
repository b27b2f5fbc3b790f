// SPDX-License-Identifier: Apache-2.0
// The three panes: the exchange table above, field tree and bytes below. Listens to the shared selection and tells it;
// decodes what is selected on the detail thread and keeps showing the old tree until the new one is there.
// Threads: the GUI's.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/loader/detail_maker.h"
#include "gui/loader/job_runner.h"
#include "gui/models/exchange_table_model.h"
#include "gui/models/field_tree_model.h"
#include "gui/models/selection.h"
#include "gui/widgets/bytes_tabs.h"
#include "gui/widgets/exchange_view.h"
#include "gui/widgets/field_view.h"
#include "gui/widgets/preferences.h"

#include <QSplitter>
#include <QTimer>
#include <QWidget>

#include <deque>
#include <optional>

class QLabel;
class QStackedLayout;

namespace brokerscope {

class ExchangePage : public QWidget {
    Q_OBJECT

  public:
    ExchangePage(ExchangeTableModel& table, Selection& selection, JobRunner& jobs, const Theme& theme,
                 QWidget* parent = nullptr);

    ExchangeView& view() { return *m_view; }
    FieldView& fields() { return *m_fields; }
    FieldTreeModel& fieldModel() { return m_fieldModel; }
    BytesTabs& bytes() { return *m_bytes; }
    void setCapture(Capture capture); // null: none
    void setBytesPlace(BytesPlace place);
    void setRevealed(bool revealed);
    QByteArray rowsState() const { return m_rows->saveState(); }
    QByteArray sidesState() const { return m_sides->saveState(); }
    void restoreSplitters(const QByteArray& rows, const QByteArray& sides);
    void resetSplitters();
    void zoomTo(const QFont& plain, const QFont& fixed);
    bool detailShown() const; // the selected exchange is decoded and on screen
    // Selected as soon as the exchange is shown: a field by its path, or the first error.
    void selectWhenShown(const QString& path) { m_pathWish = path; }
    // A record, by its batch in the bytes of a message.
    void selectRecordWhenShown(PartNumber message, ByteRange batch, std::uint32_t ordinal) {
        m_recordWish = {message, batch, ordinal};
    }
    void selectErrorWhenShown() { m_errorWish = true; }
    void selectFieldWhenShown(FieldRef field, ByteRange bytes); // the bytes, when there are some, else the field
    void showWishedField() { applyWishes(); }                   // when it is shown already
    QString currentFieldText() const;                           // as fieldText() said
    void setShowLengths(bool show);
    void openRecords(FieldRef field); // as if it were expanded

  Q_SIGNALS:
    void fieldText(QString text);                          // what is selected, for the status line
    void hoverText(QString text);                          // empty: what is selected again
    void hiddenExchange(brokerscope::ExchangeId exchange); // the filter hides the one that is shown
    void typed(QString text);
    void expandedSome(int shown, int all);

  private:
    void wire();
    void showExchange(ExchangeId exchange, Selection::Origin origin);
    void startDetail();
    void showDetail(const std::shared_ptr<const Detail>& detail);
    void applyWishes();
    void wishRecords(FieldRef field);
    void openNext();
    void fieldChanged(FieldRef field, Selection::Origin origin);
    QString describe(FieldRef field) const;

    ExchangeTableModel& m_table;
    FieldTreeModel m_fieldModel;
    Selection& m_selection;
    JobRunner& m_jobs;
    Capture m_capture;
    ExchangeView* m_view;
    FieldView* m_fields;
    BytesTabs* m_bytes;
    QLabel* m_decoding;
    QSplitter *m_rows, *m_sides;
    QTimer m_slow;      // says "Decoding" when a tree takes its time
    ExchangeId m_shown; // whose tree is on screen
    bool m_shownEnded = false;
    bool m_onLength = false;
    std::pair<ExchangeId, int> m_beforeReset;
    std::deque<FieldRef> m_toOpen; // record sets and batches that were expanded
    std::optional<QString> m_pathWish;
    struct RecordWish {
        PartNumber message;
        ByteRange batch;
        std::uint32_t ordinal;
    };
    std::optional<RecordWish> m_recordWish;
    bool m_errorWish = false;
    std::optional<std::pair<FieldRef, ByteRange>> m_fieldWish;
};

} // namespace brokerscope
