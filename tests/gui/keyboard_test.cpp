// SPDX-License-Identifier: Apache-2.0
// The ten commonest things, by keys alone; and the table of actions behind them.
#include "gui/widgets/go_to_dialog.h"
#include "tests/gui/window.h"

#include <QAbstractButton>
#include <QLabel>
#include <QMenuBar>

#include <gmock/gmock.h>

#include <map>

namespace brokerscope {
namespace {

TEST(Actions, giveNoKeyTwice) {
    std::map<QString, int> uses;
    for (const ActionRow& row : actionTable())
        for (const QString& key : QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
            EXPECT_FALSE(QKeySequence(key, QKeySequence::PortableText).isEmpty()) << key.toStdString();
            EXPECT_EQ(++uses[key], 1) << key.toStdString();
        }
}

TEST(Actions, standInOneRowEachInTheOrderOfTheirMenus) {
    std::map<int, int> rows;
    std::vector<std::string> menus;
    for (const ActionRow& row : actionTable()) {
        EXPECT_EQ(++rows[static_cast<int>(row.act)], 1) << row.text;
        const std::string menu = std::string(row.menu).substr(0, std::string(row.menu).find('|'));
        if (menus.empty() || menus.back() != menu) menus.push_back(menu);
    }
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(Act::About) + 1);
    EXPECT_EQ(menus, (std::vector<std::string>{"&File", "&Edit", "&View", "&Go", "Fi&lter", "&Records", "&Help"}));
}

std::vector<QMenu*> menusOf(QMenuBar& bar) {
    std::vector<QMenu*> menus;
    for (QMenu* menu : bar.findChildren<QMenu*>())
        menus.push_back(menu);
    return menus;
}

QString mnemonicOf(const QAction& action) {
    return QKeySequence::mnemonic(action.text()).toString();
}

TEST_F(Window, reachesEveryEntryOfAMenuByALetterOfItsOwn) {
    open("errors.pcap.zst");
    ASSERT_GE(menusOf(*window.menuBar()).size(), 11U);
    std::map<QString, int> ofBar;
    for (const QAction* action : window.menuBar()->actions())
        EXPECT_EQ(++ofBar[mnemonicOf(*action)], 1) << action->text().toStdString();
    for (const QMenu* menu : menusOf(*window.menuBar())) {
        std::map<QString, int> letters;
        for (const QAction* action : menu->actions()) {
            if (action->isSeparator()) continue;
            EXPECT_FALSE(mnemonicOf(*action).isEmpty()) << action->text().toStdString();
            EXPECT_EQ(++letters[mnemonicOf(*action)], 1) << action->text().toStdString();
        }
    }
    // Nor do controls beside the menus want the same letters.
    for (const QWidget* widget : window.centralWidget()->findChildren<QWidget*>()) {
        const QString text = widget->property("text").toString();
        if (!qobject_cast<const QLabel*>(widget) && !qobject_cast<const QAbstractButton*>(widget)) continue;
        EXPECT_FALSE(ofBar.contains(QKeySequence::mnemonic(text).toString())) << text.toStdString();
    }
}

TEST_F(Window, endsWithAnEllipsisWhatAsksForMore) {
    for (Act act : {Act::Open, Act::TreatPort, Act::KeyLog, Act::ExportExchanges, Act::ExportRecords, Act::Find,
                    Act::Preferences, Act::GoTo})
        EXPECT_TRUE(window.actions()[act]->text().endsWith(u'…')) << window.actions()[act]->text().toStdString();
    for (const ActionRow& row : actionTable())
        EXPECT_FALSE(QString::fromUtf8(row.text).contains(QStringLiteral("..."))) << row.text;
}

TEST_F(Window, offersOnlyWhatMakesSense) {
    const auto enabled = [this](Act act) { return window.actions()[act]->isEnabled(); };
    for (Act act : {Act::CopyText, Act::CopyCommandLine, Act::Mark, Act::Reload, Act::RevealSecrets, Act::CopyJson})
        EXPECT_FALSE(enabled(act)) << window.actions()[act]->text().toStdString();
    open("codecs.pcap");
    for (Act act : {Act::CopyText, Act::CopyCommandLine, Act::Mark, Act::Reload, Act::RevealSecrets, Act::CopyJson})
        EXPECT_TRUE(enabled(act)) << window.actions()[act]->text().toStdString();
    window.showTab(Tab::Summary);
    EXPECT_TRUE(enabled(Act::CopyText));
    for (Act act : {Act::Mark, Act::CopyJson, Act::ApplyField, Act::ExpandAll, Act::SizeColumns})
        EXPECT_FALSE(enabled(act)) << window.actions()[act]->text().toStdString();
    window.showTab(Tab::Records);
    EXPECT_TRUE(enabled(Act::CopyJson));
    EXPECT_FALSE(enabled(Act::CopyFilter));
}

TEST_F(Window, ticksTheChipsInItsMenuToo) {
    open("errors.pcap.zst");
    window.filterBar().chip(RowState::Slow).click();
    ASSERT_TRUE(settle());
    EXPECT_TRUE(window.actions()[Act::ChipSlow]->isChecked());
    EXPECT_FALSE(window.actions()[Act::ChipErrors]->isChecked());
    press(Qt::Key_2, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_FALSE(window.actions()[Act::ChipSlow]->isChecked());
    EXPECT_FALSE(window.filterBar().chip(RowState::Slow).isChecked());
}

TEST_F(Window, isUsedByKeysAlone) {
    open("errors.pcap.zst");
    // 1, 2: next and previous exchange
    window.exchangePage().view().setFocus();
    press(Qt::Key_F8);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), 2U);
    press(Qt::Key_F7);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), 1U);
    // 3: next error, with its field selected
    press(Qt::Key_F4);
    ASSERT_TRUE(settle());
    const std::uint64_t error = selected();
    EXPECT_TRUE(window.table().exchanges()->row(static_cast<std::uint32_t>(error - 1)).hasErrors());
    EXPECT_EQ(selectedField(), "ErrorCode");
    // 4: back
    press(Qt::Key_Left, Qt::AltModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), 1U);
    press(Qt::Key_Right, Qt::AltModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), error);
    // 5: from table to tree to bytes
    window.exchangePage().view().setFocus();
    press(Qt::Key_Return);
    EXPECT_TRUE(window.exchangePage().fields().hasFocus());
    press(Qt::Key_F6);
    EXPECT_TRUE(bytes().hasFocus());
    press(Qt::Key_Home, Qt::ControlModifier);
    EXPECT_EQ(bytes().cursor(), 0U);
    EXPECT_EQ(selected(), error); // the pane's own key, not the table's
    press(Qt::Key_BracketRight);
    EXPECT_GT(bytes().cursor(), 0U);
    // 6: request and response
    press(Qt::Key_J, Qt::ControlModifier);
    EXPECT_EQ(window.exchangePage().bytes().shownPart(), requestPart);
    // 7: mark, and the way to the mark
    press(Qt::Key_M, Qt::ControlModifier);
    EXPECT_TRUE(window.table().marked(ExchangeId{error}));
    press(Qt::Key_F8);
    ASSERT_TRUE(settle());
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), error);
    // 8: typing anywhere lands in the filter
    window.exchangePage().view().setFocus();
    type("l");
    EXPECT_TRUE(window.filterBar().edit().hasFocus());
    EXPECT_EQ(window.filterBar().edit().text().toStdString(), "l");
    press(Qt::Key_Escape); // the suggestions
    press(Qt::Key_Escape); // back to the applied text
    EXPECT_EQ(window.filterBar().edit().text().toStdString(), "");
    press(Qt::Key_Escape); // back to the table
    EXPECT_TRUE(window.exchangePage().view().hasFocus());
    // 9: find
    press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(window.findBar().isVisible());
    type("Metadata");
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_THAT(window.table().text(window.table().rowOf(ExchangeId{selected()}), ExchangeColumn::Api).toStdString(),
                testing::HasSubstr("Metadata"));
    press(Qt::Key_Escape);
    EXPECT_FALSE(window.findBar().isVisible());
    // 10: tabs, the ends, zoom
    window.activateWindow(); // offscreen, popups take that away and do not give it back
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    window.exchangePage().view().setFocus();
    press(Qt::Key_1, Qt::AltModifier);
    EXPECT_EQ(window.tabs().currentIndex(), 0);
    press(Qt::Key_2, Qt::AltModifier);
    EXPECT_EQ(window.tabs().currentIndex(), 1);
    EXPECT_TRUE(window.exchangePage().view().hasFocus());
    press(Qt::Key_End, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), window.table().exchanges()->size());
    press(Qt::Key_Home, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), 1U);
    const int height = window.exchangePage().view().rowHeight(0);
    press(Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_GT(window.exchangePage().view().rowHeight(0), height);
    press(Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(window.exchangePage().view().rowHeight(0), height);
}

TEST_F(Window, stepsAlongTheConnection) {
    open("errors.pcap.zst");
    const ExchangeIndex& index = *window.table().exchanges();
    const auto connectionOf = [&](std::uint64_t exchange) {
        return index.row(static_cast<std::uint32_t>(exchange - 1)).connection();
    };
    std::uint64_t first = 1; // one that is not the last of its connection, with another one in between
    while (connectionOf(first) == connectionOf(first + 1) || connectionOf(first) != connectionOf(first + 2))
        ASSERT_LT(++first + 2, index.size());
    select(first);
    press(Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), first + 2);
    press(Qt::Key_Comma, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), first);
}

TEST_F(Window, goesToExchangesPacketsAndTimes) {
    open("produce-acks.pcap");
    const ExchangeIndex& index = *window.table().exchanges();
    const Timestamp start = index.row(0).time();
    EXPECT_EQ(goToPlace(QStringLiteral("17"), index, start).exchange.value, 17U);
    EXPECT_FALSE(goToPlace(QStringLiteral("1700"), index, start).exchange);
    const Exchange sixth = index.exchange(5);
    const std::uint64_t packet = sixth.request->bytes.pieces().front().slice.packet.value;
    EXPECT_EQ(goToPlace(QStringLiteral("p%1").arg(packet), index, start).exchange.value, 6U);
    EXPECT_EQ(goToPlace(QStringLiteral("0s"), index, start).exchange.value, 1U);
    EXPECT_GT(goToPlace(QStringLiteral("0.2s"), index, start).exchange.value, 6U);
    EXPECT_FALSE(goToPlace(QStringLiteral("nonsense"), index, start).exchange);
    EXPECT_FALSE(goToPlace(QStringLiteral("nonsense"), index, start).words.isEmpty());
}

TEST_F(Window, saysAtWhichEndASearchWentOn) {
    open("produce-acks.pcap");
    select(1);
    press(Qt::Key_F, Qt::ControlModifier);
    window.findBar().edit().setText(QStringLiteral("Metadata"));
    press(Qt::Key_Return, Qt::ShiftModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.findBar().words().toStdString(), "Wrapped to the end");
    EXPECT_GT(selected(), 1U);
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.findBar().words().toStdString(), "Wrapped to the top");
}

TEST_F(Window, findsInFieldsAndBytes) {
    open("produce-acks.pcap");
    select(1);
    press(Qt::Key_F, Qt::ControlModifier);
    window.findBar().where().setCurrentIndex(1);
    window.findBar().edit().setText(QStringLiteral("30000"));
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selectedField(), "TimeoutMs");
    window.findBar().where().setCurrentIndex(3);
    window.findBar().edit().setText(QStringLiteral("00 00 75 30"));
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_EQ(selectedField(), "TimeoutMs");
    EXPECT_EQ(bytes().markedField().end - bytes().markedField().begin, 4U);
    window.findBar().edit().setText(QStringLiteral("xyz"));
    EXPECT_FALSE(window.findBar().valid());
}

} // namespace
} // namespace brokerscope
