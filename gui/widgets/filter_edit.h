// SPDX-License-Identifier: Apache-2.0
// The line in which a filter is typed: completes names and values at the cursor, draws a wavy line under the place of
// an error, a sign for its state at the left and a bar while the filter runs. It compiles what is typed and says how it
// stands; applying is for whoever listens.
// Threads: the GUI's.
#pragma once

#include "dissector/filter/filter.h"
#include "gui/models/filter_completion.h"
#include "gui/widgets/theme.h"

#include <QLineEdit>
#include <QStandardItemModel>

#include <memory>
#include <optional>

class QAbstractItemView;
class QCompleter;

namespace brokerscope {

enum class FilterState : std::uint8_t { Empty, Valid, Running, Invalid, Doubtful };

class FilterEdit : public QLineEdit {
    Q_OBJECT

  public:
    FilterEdit(const Theme& theme, QWidget* parent = nullptr);

    void setSeenValues(SeenValues seen);
    FilterState state() const { return m_state; }
    const QString& words() const { return m_words; }                  // why it is invalid or doubtful
    std::shared_ptr<const Filter> filter() const { return m_filter; } // null: empty or invalid
    void setRunning(std::optional<int> percent);                      // nullopt: not running
    void openCompletion();
    void type(const QString& text); // as from the keyboard
    bool completionOpen() const;
    // The fault is the word that is being typed, and completion knows how it may go on: too early to call it wrong.
    bool wordUnfinished() const;
    QAbstractItemView* popup() const;

  Q_SIGNALS:
    void stateChanged();
    void applyWished();
    void revertWished();
    void historyWished();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;

  private:
    void check();
    void applyColours();
    void completeAtCursor(bool called);
    void insertSuggestion(const QModelIndex& index);
    int xOf(int position) const;

    const Theme& m_theme;
    SeenValues m_seen;
    FilterState m_state = FilterState::Empty;
    QString m_words;
    std::optional<std::pair<int, int>> m_place; // of the error, in characters
    std::shared_ptr<const Filter> m_filter;
    std::optional<int> m_percent;
    QCompleter* m_completer;
    QStandardItemModel* m_suggestions;
    Completion m_completion;
    bool m_inserting = false;
};

} // namespace brokerscope
