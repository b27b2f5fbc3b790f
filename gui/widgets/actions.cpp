// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/actions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QKeySequence>

#include <array>
#include <cstring>
#include <map>

namespace brokerscope {

namespace {

#define MENU(text) QT_TRANSLATE_NOOP("menus", text)
#define ACTION(text) QT_TRANSLATE_NOOP("actions", text)

constexpr const char* file = MENU("&File");
constexpr const char* edit = MENU("&Edit");
constexpr const char* view = MENU("&View");
// A menu in a menu: its name after the bar.
constexpr const char* viewBytes = MENU("&View|&Bytes");
constexpr const char* viewTime = MENU("&View|&Time");
constexpr const char* viewZoom = MENU("&View|&Zoom");
constexpr const char* viewTheme = MENU("&View|T&heme");
constexpr const char* go = MENU("&Go");
constexpr const char* filter = MENU("Fi&lter");
constexpr const char* records = MENU("&Records");
constexpr const char* help = MENU("&Help");

const std::vector<ActionRow>& rows() {
    static const std::vector<ActionRow> table = {
        {Act::Open, file, ACTION("&Open…"), "Ctrl+O", Glyph::Open, 1},
        {Act::Reload, file, ACTION("&Reload"), "Ctrl+R", Glyph::Reload, 1},
        {Act::Close, file, ACTION("&Close"), "Ctrl+W", Glyph::Close, 1},
        {Act::TreatPort, file, ACTION("Treat &port as Kafka…"), "", {}, 2},
        {Act::KeyLog, file, ACTION("TLS &key log…"), "", {}, 2},
        {Act::ExportExchanges, file, ACTION("&Export shown exchanges…"), "Ctrl+Shift+X", Glyph::Export, 3},
        {Act::ExportRecords, file, ACTION("Export shown recor&ds…"), "", {}, 3},
        {Act::Quit, file, ACTION("&Quit"), "Ctrl+Q", {}, 4},

        {Act::CopyText, edit, ACTION("&Copy as text"), "Ctrl+C", {}, 1},
        {Act::CopyJson, edit, ACTION("Copy as &JSON"), "Ctrl+Shift+J", {}, 1},
        {Act::CopyHex, edit, ACTION("Copy as &hex"), "Ctrl+Shift+H", {}, 1},
        {Act::CopyFilter, edit, ACTION("Copy as &filter"), "Ctrl+Shift+C", {}, 1},
        {Act::CopyValue, edit, ACTION("Copy &value"), "Ctrl+Alt+Shift+V", {}, 1},
        {Act::CopyName, edit, ACTION("Copy field n&ame"), "Ctrl+Alt+Shift+F", {}, 1},
        {Act::CopyCommandLine, edit, ACTION("Copy filter as command &line"), "", {}, 1},
        {Act::Find, edit, ACTION("F&ind…"), "Ctrl+F", Glyph::Find, 2},
        {Act::FindNext, edit, ACTION("Find &next"), "Ctrl+N; F3", {}, 2},
        {Act::FindPrevious, edit, ACTION("Find &previous"), "Ctrl+B; Shift+F3", {}, 2},
        {Act::Mark, edit, ACTION("&Mark or unmark"), "Ctrl+M", Glyph::Mark, 3},
        {Act::MarkAll, edit, ACTION("Mar&k all shown"), "Ctrl+Shift+M", {}, 3},
        {Act::UnmarkAll, edit, ACTION("&Unmark all shown"), "Ctrl+Alt+M", {}, 3},
        {Act::NextMark, edit, ACTION("Ne&xt mark"), "Ctrl+Shift+N", {}, 3},
        {Act::PreviousMark, edit, ACTION("Previou&s mark"), "Ctrl+Shift+B", {}, 3},
        {Act::Preferences, edit, ACTION("Pr&eferences…"), "Ctrl+Shift+P", {}, 4},

        {Act::SizeColumns, view, ACTION("&Size columns to contents"), "Ctrl+Shift+R", {}, 1},
        {Act::BytesBeside, viewBytes, ACTION("B&eside the fields"), "", {}, 2, true, 1},
        {Act::BytesBelow, viewBytes, ACTION("&Below the fields"), "", {}, 2, true, 1},
        {Act::BytesHidden, viewBytes, ACTION("&Hidden"), "", {}, 2, true, 1},
        {Act::TimeUtc, viewTime, ACTION("Time of day (&UTC)"), "Ctrl+Alt+1", {}, 2, true, 2},
        {Act::TimeLocal, viewTime, ACTION("Time of day (&local)"), "", {}, 2, true, 2},
        {Act::TimeEpoch, viewTime, ACTION("Seconds since &1970"), "Ctrl+Alt+2", {}, 2, true, 2},
        {Act::TimeRelative, viewTime, ACTION("Seconds since the &start"), "Ctrl+Alt+3", {}, 2, true, 2},
        {Act::TimeDelta, viewTime, ACTION("Seconds since the &row above"), "Ctrl+Alt+4", {}, 2, true, 2},
        {Act::TimeZero, viewTime, ACTION("Count time from &here"), "Ctrl+T", {}, 3},
        {Act::ZoomIn, viewZoom, ACTION("Zoom &in"), "Ctrl++; Ctrl+=", Glyph::ZoomIn, 2},
        {Act::ZoomOut, viewZoom, ACTION("Zoom &out"), "Ctrl+-", Glyph::ZoomOut, 2},
        {Act::ZoomReset, viewZoom, ACTION("&Normal size"), "Ctrl+0", {}, 2},
        {Act::Projector, viewZoom, ACTION("&Projector"), "Shift+F11", {}, 2, true},
        {Act::ThemeSystem, viewTheme, ACTION("As the &system"), "", {}, 2, true, 3},
        {Act::ThemeLight, viewTheme, ACTION("&Light"), "", {}, 2, true, 3},
        {Act::ThemeDark, viewTheme, ACTION("&Dark"), "", {}, 2, true, 3},
        {Act::ShowToolBar, view, ACTION("Tool ba&r"), "", {}, 3, true},
        {Act::Colours, view, ACTION("Colour rows by st&ate"), "", {}, 3, true},
        {Act::LengthFields, view, ACTION("Show len&gth fields"), "", {}, 3, true},
        {Act::TypeColumns, view, ACTION("Show t&ype, offset and length"), "", {}, 3, true},
        {Act::ExpandSubtree, view, ACTION("E&xpand subtree"), "Shift+Right", {}, 4},
        {Act::CollapseSubtree, view, ACTION("C&ollapse subtree"), "Shift+Left", {}, 4},
        {Act::ExpandAll, view, ACTION("Expan&d all"), "Ctrl+Right", {}, 4},
        {Act::CollapseAll, view, ACTION("Co&llapse all"), "Ctrl+Left", {}, 4},
        {Act::ResetLayout, view, ACTION("Reset layo&ut"), "Ctrl+Shift+W", {}, 5},
        {Act::FullScreen, view, ACTION("&Full screen"), "F11", {}, 5, true},

        {Act::GoTo, go, ACTION("&Go to…"), "Ctrl+G", Glyph::GoTo, 1},
        {Act::PreviousExchange, go, ACTION("&Previous exchange"), "F7; Ctrl+Up", {}, 2},
        {Act::NextExchange, go, ACTION("&Next exchange"), "F8; Ctrl+Down", {}, 2},
        {Act::PreviousInConnection, go, ACTION("Previous of this &connection"), "Ctrl+,", {}, 2},
        {Act::NextInConnection, go, ACTION("Next of this c&onnection"), "Ctrl+.", {}, 2},
        {Act::PreviousError, go, ACTION("P&revious error"), "Shift+F4", Glyph::PreviousError, 3},
        {Act::NextError, go, ACTION("Next &error"), "F4", Glyph::NextError, 3},
        {Act::Back, go, ACTION("&Back"), "Alt+Left", Glyph::Back, 4},
        {Act::Forward, go, ACTION("&Forward"), "Alt+Right", Glyph::Forward, 4},
        {Act::First, go, ACTION("F&irst exchange"), "Ctrl+Home", {}, 5},
        {Act::Last, go, ACTION("&Last exchange"), "Ctrl+End", {}, 5},
        {Act::JumpMessage, go, ACTION("Re&quest ↔ response"), "Ctrl+J", Glyph::Jump, 6},
        {Act::NextPane, go, ACTION("Next p&ane"), "F6", {}, 7},
        {Act::PreviousPane, go, ACTION("Pre&vious pane"), "Shift+F6", {}, 7},
        {Act::SummaryTab, go, ACTION("&Summary"), "Alt+1", Glyph::Summary, 8},
        {Act::ExchangesTab, go, ACTION("E&xchanges"), "Alt+2", Glyph::Table, 8},
        {Act::RecordsTab, go, ACTION("Recor&ds"), "Alt+3", Glyph::Records, 8},

        {Act::FocusFilter, filter, ACTION("&Type a filter"), "Ctrl+/", Glyph::Filter, 1},
        {Act::CompleteFilter, filter, ACTION("&Complete"), "Ctrl+Space", {}, 1},
        {Act::FilterHistory, filter, ACTION("Earlier &filters"), "Alt+Down", {}, 1},
        {Act::ApplyField, filter, ACTION("&Apply field as filter"), "Alt+Return", {}, 2},
        {Act::ClearFilter, filter, ACTION("C&lear"), "Ctrl+Shift+Backspace", {}, 2},
        {Act::ChipErrors, filter, ACTION("Only &errors"), "Ctrl+1", {}, 3, true},
        {Act::ChipSlow, filter, ACTION("Only &slow"), "Ctrl+2", {}, 3, true},
        {Act::ChipUnanswered, filter, ACTION("Only &unanswered"), "Ctrl+3", {}, 3, true},

        {Act::ShowRecords, records, ACTION("&Records of this exchange"), "Ctrl+Return", Glyph::Records, 1},
        {Act::RevealSecrets, records, ACTION("Re&veal secrets"), "", {}, 2, true},

        {Act::Keys, help, ACTION("&Keys"), "F1", {}, 1},
        {Act::FilterLanguage, help, ACTION("&Filter language"), "", {}, 1},
        {Act::About, help, ACTION("&About Brokerscope"), "", {}, 2},
    };
    return table;
}

#undef MENU
#undef ACTION

QString textOf(const ActionRow& row) {
    return QCoreApplication::translate("actions", row.text);
}

QList<QKeySequence> keysOf(const ActionRow& row) {
    QList<QKeySequence> keys;
    for (const QString& one : QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
        keys << QKeySequence(one, QKeySequence::PortableText);
    return keys;
}

} // namespace

std::span<const ActionRow> actionTable() {
    return rows();
}

Actions::Actions(QWidget* window) : m_window(window) {
    std::map<int, QActionGroup*> groups;
    for (const ActionRow& row : rows()) {
        auto* action = new QAction(textOf(row), window);
        action->setShortcuts(keysOf(row));
        action->setCheckable(row.checkable);
        if (row.glyph) action->setIcon(icon(*row.glyph));
        if (row.exclusive) {
            QActionGroup*& group = groups[row.exclusive];
            if (!group) group = new QActionGroup(window);
            group->addAction(action);
        }
        QString tip = textOf(row).remove(u'&').remove(u'…');
        if (!action->shortcut().isEmpty())
            tip += QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
        action->setToolTip(tip);
        window->addAction(action);
        m_actions.emplace(static_cast<int>(row.act), action);
    }
}

void Actions::on(Act act, std::function<void()> what) {
    QObject::connect((*this)[act], &QAction::triggered, m_window, [what = std::move(what)] { what(); });
}

void Actions::onToggled(Act act, std::function<void(bool)> what) {
    QObject::connect((*this)[act], &QAction::triggered, m_window, [what = std::move(what)](bool on) { what(on); });
}

// Divided from what stands there already when the number of its group is another one.
QMenu* Actions::divided(QMenu* menu, int group) {
    const auto [last, first] = m_lastGroups.emplace(menu, group);
    if (!first && last->second != group) menu->addSeparator();
    last->second = group;
    return menu;
}

QMenu* Actions::menuNamed(QMenuBar& bar, const ActionRow& row) {
    for (const auto& [name, menu] : m_menus)
        if (std::strcmp(name, row.menu) == 0) return menu;
    const QStringList names = QCoreApplication::translate("menus", row.menu).split(u'|');
    QMenu* menu = nullptr;
    for (QMenu* above : bar.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
        if (above->title() == names.front()) menu = above;
    if (!menu) menu = bar.addMenu(names.front());
    if (names.size() > 1) menu = divided(menu, row.group)->addMenu(names.back());
    m_menus.emplace_back(row.menu, menu);
    return menu;
}

void Actions::fill(QMenuBar& bar) {
    for (const ActionRow& row : rows())
        divided(menuNamed(bar, row), row.group)->addAction((*this)[row.act]);
}

QMenu* Actions::menuOf(Act act) const {
    for (const auto& [name, menu] : m_menus)
        if (menu->actions().contains((*this)[act])) return menu;
    return nullptr;
}

QString keysPage() {
    QString page, heading;
    for (const ActionRow& row : rows()) {
        if (!*row.keys) continue;
        const QString menu =
            QCoreApplication::translate("menus", row.menu).section(u'|', 0, 0).remove(u'&').toHtmlEscaped();
        if (menu != heading) {
            if (!heading.isEmpty()) page += QStringLiteral("</table>");
            heading = menu;
            page += QStringLiteral("<h3>%1</h3><table cellspacing='0' cellpadding='3'>").arg(menu);
        }
        QStringList keys;
        for (const QKeySequence& key : keysOf(row))
            keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
        page += QStringLiteral("<tr><td width='190'><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.join(QCoreApplication::translate("actions", " or ")),
                         textOf(row).remove(u'&').remove(u'…').toHtmlEscaped());
    }
    return page + QStringLiteral("</table>");
}

} // namespace brokerscope
