// SPDX-License-Identifier: Apache-2.0
// Every action of the window in one table: what it is called, where it stands, which keys it has. Menus, tool bar,
// shortcuts and the page of keys are all made from it; a test holds that no key is given twice.
#pragma once

#include "gui/widgets/icons.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace brokerscope {

enum class Act : std::uint8_t {
    // File
    Open,
    Reload,
    Close,
    TreatPort,
    KeyLog,
    ExportExchanges,
    ExportRecords,
    Quit,
    // Edit
    CopyText,
    CopyJson,
    CopyHex,
    CopyFilter,
    CopyValue,
    CopyName,
    CopyCommandLine,
    Find,
    FindNext,
    FindPrevious,
    Mark,
    MarkAll,
    UnmarkAll,
    NextMark,
    PreviousMark,
    Preferences,
    // View
    SizeColumns,
    BytesBeside,
    BytesBelow,
    BytesHidden,
    ShowToolBar,
    TimeRelative,
    TimeUtc,
    TimeLocal,
    TimeEpoch,
    TimeDelta,
    TimeZero,
    Colours,
    LengthFields,
    TypeColumns,
    ExpandSubtree,
    CollapseSubtree,
    ExpandAll,
    CollapseAll,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    Projector,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    ResetLayout,
    FullScreen,
    // Go
    GoTo,
    PreviousExchange,
    NextExchange,
    PreviousInConnection,
    NextInConnection,
    PreviousError,
    NextError,
    Back,
    Forward,
    First,
    Last,
    JumpMessage,
    NextPane,
    PreviousPane,
    SummaryTab,
    ExchangesTab,
    RecordsTab,
    // Filter
    FocusFilter,
    ApplyField,
    ClearFilter,
    CompleteFilter,
    FilterHistory,
    ChipErrors,
    ChipSlow,
    ChipUnanswered,
    // Records
    ShowRecords,
    RevealSecrets,
    // Help
    Keys,
    FilterLanguage,
    About,
};

struct ActionRow {
    Act act;
    const char* menu; // tr(); a menu in a menu is written behind a bar: "&View|&Time"
    const char* text; // tr()
    const char* keys; // one or several, separated by "; "
    std::optional<Glyph> glyph;
    int group = 0;          // actions of one menu are divided where the number changes
    bool checkable = false; // alone; see `exclusive`
    int exclusive = 0;      // of the checkable ones with the same number one is on
};

std::span<const ActionRow> actionTable();

// The actions themselves, owned by a window.
class Actions {
  public:
    explicit Actions(QWidget* window);

    QAction* operator[](Act act) const { return m_actions.at(static_cast<int>(act)); }
    void on(Act act, std::function<void()> what);
    void onToggled(Act act, std::function<void(bool)> what);
    // Adds the actions of the table to the menus of the bar, in the table's order.
    void fill(QMenuBar& bar);
    QMenu* menuOf(Act act) const; // after fill()

  private:
    QMenu* menuNamed(QMenuBar& bar, const ActionRow& row);
    QMenu* divided(QMenu* menu, int group);

    QWidget* m_window;
    std::unordered_map<int, QAction*> m_actions;
    std::vector<std::pair<const char*, QMenu*>> m_menus;
    std::map<QMenu*, int> m_lastGroups;
};

QString keysPage(); // HTML: what Help > Keys shows

} // namespace brokerscope
