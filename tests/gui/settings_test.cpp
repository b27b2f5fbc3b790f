// SPDX-License-Identifier: Apache-2.0
// What the window remembers: columns and their order, sorting; the widths of columns at every zoom.
#include "tests/gui/window.h"

#include <QHeaderView>
#include <QTemporaryDir>

namespace brokerscope {
namespace {

constexpr int clientColumn = static_cast<int>(ExchangeColumn::Client),
              apiColumn = static_cast<int>(ExchangeColumn::Api),
              brokerColumn = static_cast<int>(ExchangeColumn::Broker),
              latencyColumn = static_cast<int>(ExchangeColumn::Latency),
              connectionColumn = static_cast<int>(ExchangeColumn::Connection);

struct Remembering : testing::Test {
    // A window as it is when the program starts, and closed as by a person.
    void use(const std::function<void(MainWindow&)>& how) {
        const PlainFont plain;
        const Preferences preferences(false, folder.filePath(QStringLiteral("settings.ini")));
        MainWindow window(theme, preferences);
        window.show();
        how(window);
        window.close();
    }
    static QHeaderView& header(MainWindow& window) { return *window.exchangePage().view().horizontalHeader(); }
    static QAction* columnAction(QMenu& menu, ExchangeColumn column) {
        for (QAction* action : menu.actions())
            if (action->text() == title(column)) return action;
        return nullptr;
    }

    QTemporaryDir folder;
    Theme theme;
};

TEST_F(Remembering, keepsOrderWidthsAndChoiceOfColumns) {
    use([](MainWindow& window) {
        header(window).moveSection(header(window).visualIndex(apiColumn), 1);
        header(window).resizeSection(clientColumn, 231);
        QMenu menu;
        window.exchangePage().view().fillColumnMenu(menu);
        columnAction(menu, ExchangeColumn::Broker)->trigger();
        columnAction(menu, ExchangeColumn::Connection)->trigger();
    });
    use([](MainWindow& window) {
        EXPECT_EQ(header(window).visualIndex(apiColumn), 1);
        EXPECT_EQ(header(window).sectionSize(clientColumn), 231);
        EXPECT_TRUE(header(window).isSectionHidden(brokerColumn));
        EXPECT_FALSE(header(window).isSectionHidden(connectionColumn));
        window.exchangePage().view().resetColumns();
        EXPECT_EQ(header(window).visualIndex(apiColumn), apiColumn);
        EXPECT_FALSE(header(window).isSectionHidden(brokerColumn));
    });
}

TEST_F(Remembering, keepsWhatTheRowsAreSortedBy) {
    use([](MainWindow& window) {
        Q_EMIT header(window).sectionClicked(latencyColumn);
        Q_EMIT header(window).sectionClicked(latencyColumn); // the longest first
    });
    use([](MainWindow& window) {
        window.openFiles({QString::fromStdString(samplePath("produce-acks.pcap"))});
        ASSERT_TRUE(waitFor([&] { return window.settled(); }));
        EXPECT_EQ(header(window).sortIndicatorSection(), latencyColumn);
        ASSERT_TRUE(window.table().ordered());
        const ExchangeIndex& index = *window.table().exchanges();
        const auto latencyAt = [&](int row) { return index.row(*window.table().indexRowAt(row)).latency(); };
        EXPECT_GT(*latencyAt(0), *latencyAt(1));
        Q_EMIT header(window).sectionClicked(latencyColumn); // and back to the capture's order
        ASSERT_TRUE(waitFor([&] { return window.settled(); }));
        EXPECT_EQ(window.table().exchangeAt(0).value, 1U);
    });
    use([](MainWindow& window) { EXPECT_FALSE(header(window).isSortIndicatorShown()); });
}

TEST_F(Remembering, keepsWidthsOfTheUsualZoomWhenItIsClosedOnTheProjector) {
    int usual = 0;
    use([&](MainWindow& window) {
        usual = header(window).sectionSize(apiColumn);
        window.actions()[Act::Projector]->trigger();
        EXPECT_GT(header(window).sectionSize(apiColumn), usual + usual / 3);
    });
    use([&](MainWindow& window) {
        EXPECT_NEAR(header(window).sectionSize(apiColumn), usual, 2);
        EXPECT_FALSE(window.actions()[Act::Projector]->isChecked());
    });
}

TEST_F(Remembering, forgetsRecentFilesOnRequest) {
    use([](MainWindow& window) {
        window.openFiles({QString::fromStdString(samplePath("first-steps.pcap"))});
        ASSERT_TRUE(waitFor([&] { return window.settled(); }));
    });
    use([](MainWindow& window) {
        QMenu& recent = window.recentMenu();
        Q_EMIT recent.aboutToShow();
        ASSERT_GE(recent.actions().size(), 3);
        EXPECT_EQ(recent.actions().front()->text().toStdString(), "first-steps.pcap");
        EXPECT_TRUE(recent.actions().front()->toolTip().endsWith(QStringLiteral("samples/first-steps.pcap")));
        recent.actions().back()->trigger();
    });
    EXPECT_TRUE(Preferences(false, folder.filePath(QStringLiteral("settings.ini"))).load().recentFiles.isEmpty());
}

// ---- widths

TEST_F(Window, widensColumnsWithTheZoomAndBack) {
    ExchangeView& view = window.exchangePage().view();
    window.setZoom(100);
    const int width = view.columnWidth(apiColumn), row = view.verticalHeader()->defaultSectionSize();
    window.setZoom(200);
    EXPECT_NEAR(view.columnWidth(apiColumn), 2 * width, 2);
    EXPECT_GT(view.verticalHeader()->defaultSectionSize(), row * 3 / 2);
    window.setZoom(100);
    EXPECT_NEAR(view.columnWidth(apiColumn), width, 2);
}

TEST_F(Window, showsAColumnThatWasHiddenInTheWidthOfTheZoom) {
    ExchangeView& view = window.exchangePage().view();
    window.setZoom(200);
    QMenu menu;
    view.fillColumnMenu(menu);
    for (QAction* action : menu.actions())
        if (action->text() == title(ExchangeColumn::Software)) action->trigger();
    const auto software = static_cast<std::size_t>(ExchangeColumn::Software);
    EXPECT_GT(view.columnWidth(static_cast<int>(software)), exchangeColumns()[software].width * 3 / 2);
}

TEST_F(Window, fitsColumnsToWhatStandsInThem) {
    open("errors.pcap.zst");
    ExchangeView& view = window.exchangePage().view();
    view.setColumnWidth(apiColumn, 30);
    view.setColumnWidth(latencyColumn, 30);
    window.actions()[Act::SizeColumns]->trigger();
    int widest = 0;
    for (int row = 0; row < window.table().rowCount() && row < 1000; ++row)
        widest = std::max(widest, view.fontMetrics().horizontalAdvance(window.table().text(row, ExchangeColumn::Api)));
    EXPECT_GE(view.columnWidth(apiColumn), widest);
    EXPECT_LE(view.columnWidth(apiColumn), widest + 40);
    EXPECT_GT(view.columnWidth(latencyColumn), 80 + view.fontMetrics().horizontalAdvance(QStringLiteral("836.512")));
}

TEST_F(Window, givesTheValuesOfRecordsTheRoomThatIsLeft) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    QTableView& table = window.recordsPage().table();
    constexpr int value = static_cast<int>(RecordColumn::Value);
    window.resize(2400, 800);
    ASSERT_TRUE(settle());
    EXPECT_EQ(table.horizontalHeader()->length(), table.viewport()->width());
    const int wide = table.columnWidth(value);
    window.resize(1000, 800);
    ASSERT_TRUE(settle());
    EXPECT_LT(table.columnWidth(value), wide);
    EXPECT_GE(table.columnWidth(value), 30 * table.fontMetrics().averageCharWidth());
    EXPECT_GT(table.horizontalHeader()->length(), table.viewport()->width()); // the rest is scrolled to
}

} // namespace
} // namespace brokerscope
