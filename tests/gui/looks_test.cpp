// SPDX-License-Identifier: Apache-2.0
// Contrast, sizes, names for screen readers, settings, the pictures' own machinery.
#include "gui/widgets/colours.h"
#include "gui/widgets/screenshot.h"
#include "tests/gui/window.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextEdit>

#include <gmock/gmock.h>

namespace brokerscope {
namespace {

TEST(Colours, leaveEnoughContrastForEveryPair) {
    for (const Colours* colours : {&Colours::light(), &Colours::darkOnes()})
        for (const Colours::Pair& pair : colours->pairs())
            EXPECT_GE(contrast(pair.front, pair.back), pair.least)
                << (colours->dark ? "dark: " : "light: ") << pair.what;
}

TEST(Colours, knowContrastAsWcagDefinesIt) {
    EXPECT_NEAR(contrast(QColor(Qt::black), QColor(Qt::white)), 21, 0.01);
    EXPECT_NEAR(contrast(QColor(Qt::white), QColor(Qt::white)), 1, 0.01);
    EXPECT_NEAR(contrast(QColor(0x767676), QColor(Qt::white)), 4.54, 0.02);
}

bool isControl(const QWidget& widget) {
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QTextEdit*>(&widget) ||
           qobject_cast<const QPlainTextEdit*>(&widget) || qobject_cast<const QTabBar*>(&widget) ||
           qobject_cast<const QProgressBar*>(&widget) || qobject_cast<const BytePane*>(&widget);
}

// What Qt itself puts into its controls speaks for them.
bool isQtsOwn(const QWidget& widget) {
    for (const char* name : {"QLineEditIconButton", "QToolBarExtension", "QHeaderView", "QMenuBarExtension",
                             "QComboBoxPrivateContainer", "QComboBoxListView", "QExpandingLineEdit"})
        if (widget.inherits(name)) return true;
    const QWidget* above = widget.parentWidget();
    return widget.objectName().startsWith(QStringLiteral("qt_")) ||
           (above && (above->inherits("QTabBar") || above->inherits("QTableView") ||
                      above->inherits("QAbstractSpinBox") || above->inherits("QComboBox")));
}

bool hasBuddy(const QWidget& widget) {
    for (const QLabel* label : widget.window()->findChildren<QLabel*>())
        if (label->buddy() == &widget && !label->text().isEmpty()) return true;
    return false;
}

// The controls below a widget that a screen reader could not name, by their classes.
std::vector<std::string> namelessIn(const QWidget& root) {
    std::vector<std::string> nameless;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!isControl(*widget) || isQtsOwn(*widget)) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const QString name = !widget->accessibleName().isEmpty() ? widget->accessibleName()
                             : button                            ? button->text() + button->toolTip()
                                                                 : QString();
        if (name.isEmpty() && !hasBuddy(*widget)) nameless.emplace_back(widget->metaObject()->className());
    }
    return nameless;
}

TEST_F(Window, givesEveryControlAnAccessibleName) {
    EXPECT_THAT(namelessIn(window), testing::IsEmpty());
    open("errors.pcap.zst");
    for (Tab tab : {Tab::Summary, Tab::Exchanges, Tab::Records}) {
        window.showTab(tab);
        ASSERT_TRUE(settle());
        EXPECT_THAT(namelessIn(window), testing::IsEmpty());
    }
    for (Act act : {Act::Preferences, Act::GoTo, Act::TreatPort, Act::Keys, Act::FilterLanguage, Act::About}) {
        window.actions()[act]->trigger();
        const auto* dialog = window.findChild<QDialog*>();
        ASSERT_NE(dialog, nullptr);
        EXPECT_THAT(namelessIn(*dialog), testing::IsEmpty()) << dialog->windowTitle().toStdString();
        EXPECT_FALSE(dialog->windowTitle().isEmpty());
        delete dialog;
    }
}

TEST_F(Window, leadsTheTabKeyThroughEveryPaneAndBack) {
    open("produce-acks.pcap");
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    FilterEdit& edit = window.filterBar().edit();
    edit.setFocus();
    std::vector<const QWidget*> visited;
    do {
        visited.push_back(QApplication::focusWidget());
        press(Qt::Key_Tab);
        ASSERT_LT(visited.size(), 60U);
    } while (QApplication::focusWidget() != &edit);
    const auto place = [&](const QWidget& widget) {
        return std::find(visited.begin(), visited.end(), &widget) - visited.begin();
    };
    EXPECT_LT(place(edit), place(window.filterBar().chip(RowState::Error)));
    EXPECT_LT(place(window.filterBar().chip(RowState::Error)), place(window.exchangePage().view()));
    EXPECT_LT(place(window.exchangePage().view()), place(window.exchangePage().fields()));
    EXPECT_LT(place(window.exchangePage().fields()), place(bytes()));
    EXPECT_LT(place(bytes()), static_cast<std::ptrdiff_t>(visited.size()));
}

TEST_F(Window, showsWhichPaneHasTheKeyboard) {
    open("produce-acks.pcap");
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    window.exchangePage().view().setFocus();
    EXPECT_EQ(window.focusLine().pane(), &window.exchangePage().view());
    press(Qt::Key_F6);
    EXPECT_EQ(window.focusLine().pane(), &window.exchangePage().fields());
    EXPECT_TRUE(window.focusLine().isVisible());
    EXPECT_EQ(window.focusLine().width(), window.exchangePage().fields().width());
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.focusLine().pane(), &window.recordsPage().table());
    window.filterBar().edit().setFocus();
    EXPECT_FALSE(window.focusLine().isVisible());
}

TEST_F(Window, neverGrowsWiderThanItIsWithTheZoom) {
    open("errors.pcap.zst");
    for (int zoom : {60, 100, 160, 200, 300})
        for (Tab tab : {Tab::Summary, Tab::Exchanges, Tab::Records}) {
            window.setZoom(zoom);
            window.showTab(tab);
            ASSERT_TRUE(settle());
            if (tab == Tab::Exchanges) window.findBar().open();
            window.resize(1280, 800);
            QApplication::processEvents();
            EXPECT_EQ(window.width(), 1280) << zoom << " %";
            EXPECT_LE(window.minimumSizeHint().width(), 1280) << zoom << " %";
        }
}

TEST_F(Window, enlargesScrollBarsAndBoxesWithTheZoom) {
    open("errors.pcap.zst");
    const auto extent = [&] { return window.exchangePage().view().verticalScrollBar()->width(); };
    const auto box = [&] { return window.style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, &window); };
    window.setZoom(100);
    QApplication::processEvents();
    const int plainExtent = extent(), plainBox = box();
    window.setZoom(200);
    QApplication::processEvents();
    EXPECT_EQ(extent(), 2 * plainExtent);
    EXPECT_EQ(box(), 2 * plainBox);
    window.setZoom(100);
    QApplication::processEvents();
    EXPECT_EQ(extent(), plainExtent);
}

TEST_F(Window, givesTheSearchOfRecordsALineOfItsOwnWhereItIsNarrow) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    window.setZoom(200);
    window.resize(1280, 800);
    ASSERT_TRUE(settle());
    QApplication::processEvents();
    const QLineEdit& search = window.recordsPage().search();
    EXPECT_GT(search.width(), 30 * search.fontMetrics().averageCharWidth());
    EXPECT_GT(search.mapTo(&window, QPoint()).y(),
              window.recordsPage().findChild<QComboBox*>()->mapTo(&window, QPoint()).y());
    window.setZoom(100);
    for (int turn = 0; turn < 3; ++turn) // fonts, then sizes, then places
        QApplication::processEvents();
    EXPECT_NEAR(search.mapTo(&window, QPoint()).y(),
                window.recordsPage().findChild<QComboBox*>()->mapTo(&window, QPoint()).y(), 8);
}

TEST_F(Window, showsWhoseRecordsTheseAreAndHowMany) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    window.resize(1000, 640);
    ASSERT_TRUE(settle());
    QApplication::processEvents();
    const auto* topic = window.recordsPage().findChild<QComboBox*>();
    EXPECT_GE(topic->width(), topic->fontMetrics().horizontalAdvance(QStringLiteral("events-codec")) + 20);
    const auto labels = window.recordsPage().findChildren<ElidedLabel*>();
    ASSERT_EQ(labels.size(), 1);
    EXPECT_EQ(labels.front()->text().toStdString(), "1,500 records");
    EXPECT_GE(labels.front()->width(), labels.front()->sizeHint().width());
}

TEST_F(Window, drawsOutlinesThatCanBeSeen) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    for (ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        window.setTheme(choice);
        QApplication::processEvents();
        const auto boxes = window.recordsPage().findChildren<QCheckBox*>();
        ASSERT_FALSE(boxes.isEmpty());
        QCheckBox& box = *boxes.front();
        box.setChecked(false);
        const QImage empty = box.grab().toImage();
        double best = 1; // of the outline against the ground
        for (int x = 0; x < empty.height(); ++x)
            best = std::max(best, contrast(empty.pixelColor(x, empty.height() / 2), theme.colours().window));
        EXPECT_GE(best, 2.8) << (theme.colours().dark ? "dark" : "light");
        box.setChecked(true);
    }
}

TEST_F(Window, staysUsableSmallAndLarge) {
    open("errors.pcap.zst");
    window.resize(900, 600);
    EXPECT_EQ(window.size(), QSize(900, 600));
    window.setZoom(200);
    window.resize(1280, 800);
    QApplication::processEvents();
    EXPECT_LE(window.minimumSizeHint().width(), 1280);
    EXPECT_EQ(window.size(), QSize(1280, 800));
    EXPECT_GT(window.exchangePage().view().viewport()->height(), window.exchangePage().view().rowHeight(0) * 4);
    EXPECT_GT(bytes().viewport()->height(), 80);
}

TEST(Theme, followsTheSystemWhenTheDesktopSaysThatItChanged) {
    Theme theme;
    theme.choose(ThemeChoice::System);
    const int slot = theme.metaObject()->indexOfSlot("settingChanged(QString,QString,QDBusVariant)");
    ASSERT_GE(slot, 0);
    // The bus connects to a slot only when it knows the types of its parameters.
    for (int parameter = 0; parameter < 3; ++parameter)
        EXPECT_TRUE(theme.metaObject()->method(slot).parameterMetaType(parameter).isValid()) << parameter;
    const auto say = [&](const char* key, uint value) {
        return QMetaObject::invokeMethod(
            &theme, "settingChanged", Q_ARG(QString, QStringLiteral("org.freedesktop.appearance")),
            Q_ARG(QString, QString::fromLatin1(key)), Q_ARG(QDBusVariant, QDBusVariant(QVariant(value))));
    };
    EXPECT_TRUE(say("color-scheme", 1));
    EXPECT_TRUE(theme.colours().dark);
    EXPECT_TRUE(say("accent-color", 0));
    EXPECT_TRUE(theme.colours().dark);
    EXPECT_TRUE(say("color-scheme", 2)); // light wished
    EXPECT_FALSE(theme.colours().dark);
    theme.choose(ThemeChoice::Dark);
    EXPECT_TRUE(say("color-scheme", 0));
    EXPECT_TRUE(theme.colours().dark); // what is chosen here holds
}

TEST_F(Window, switchesThemesAtOnce) {
    open("first-steps.pcap");
    window.setTheme(ThemeChoice::Dark);
    EXPECT_TRUE(theme.colours().dark);
    QApplication::processEvents();
    const QImage dark = pictureOf(window);
    window.setTheme(ThemeChoice::Light);
    QApplication::processEvents();
    const QImage light = pictureOf(window);
    const auto brightness = [](const QImage& picture) {
        long sum = 0;
        for (int y = 0; y < picture.height(); y += 8)
            for (int x = 0; x < picture.width(); x += 8)
                sum += qGray(picture.pixel(x, y));
        return sum / ((picture.width() / 8) * (picture.height() / 8));
    };
    EXPECT_GT(brightness(light), brightness(dark) + 60);
}

TEST_F(Window, putsPopupsIntoItsPicture) {
    open("first-steps.pcap");
    window.filterBar().edit().setFocus();
    const QImage before = pictureOf(window);
    window.filterBar().edit().type(QStringLiteral("lat"));
    ASSERT_TRUE(window.filterBar().edit().completionOpen());
    const QImage after = pictureOf(window);
    EXPECT_EQ(before.size(), after.size());
    const QRect popup(window.filterBar().edit().popup()->mapToGlobal(QPoint(0, 0)) - window.mapToGlobal(QPoint(0, 0)),
                      window.filterBar().edit().popup()->size());
    EXPECT_NE(before.copy(popup), after.copy(popup));
}

TEST(Preferences, comeBackAsTheyWereSaved) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    Settings settings;
    settings.time = TimeStyle::Epoch;
    settings.zoom = 140;
    settings.theme = ThemeChoice::Dark;
    settings.slowMs = 250;
    settings.bytes = BytesPlace::Below;
    settings.ports = {9092, 19092};
    settings.addRecent({QStringLiteral("/a.pcap"), QStringLiteral("/b.pcap")});
    settings.addRecent({QStringLiteral("/c.pcap")});
    settings.filters = {QStringLiteral("error")};
    Preferences(false, file).save(settings);
    const Settings again = Preferences(false, file).load();
    EXPECT_EQ(again.time, settings.time);
    EXPECT_EQ(again.zoom, 140);
    EXPECT_EQ(again.theme, ThemeChoice::Dark);
    EXPECT_EQ(again.slowMs, 250);
    EXPECT_EQ(again.bytes, BytesPlace::Below);
    EXPECT_EQ(again.ports, settings.ports);
    EXPECT_EQ(again.recentFiles, settings.recentFiles);
    EXPECT_EQ(again.recentFiles.front(), QStringLiteral("/c.pcap"));
    EXPECT_EQ(again.filters, settings.filters);
}

TEST(Preferences, areHeldAgainstTheirBounds) {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("settings.ini")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[view]\nzoom=99999\ntheme=17\n[table]\nslowMs=-5\ntime=abc\n[capture]\nports=0, 70000, 9092\n");
    file.close();
    const Settings settings = Preferences(false, file.fileName()).load();
    EXPECT_EQ(settings.zoom, Settings::mostZoom);
    EXPECT_EQ(settings.theme, ThemeChoice::System);
    EXPECT_EQ(settings.slowMs, Settings::leastSlowMs);
    EXPECT_EQ(settings.time, TimeStyle::Relative);
}

TEST(Preferences, neitherReadNorWriteWhenFresh) {
    QTemporaryDir folder;
    Settings settings;
    settings.zoom = 200;
    const Preferences fresh(true, folder.filePath(QStringLiteral("settings.ini")));
    fresh.save(settings);
    EXPECT_EQ(fresh.load().zoom, 100);
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("settings.ini"))));
}

TEST(Samples, haveTheirWordsInTheEmptyWindow) {
    std::size_t files = 0;
    for (const std::string& path : allSamples()) {
        ++files;
        bool shown = false;
        for (const Sample& sample : shippedSamples())
            shown |= QFileInfo(sample.path).fileName() == QFileInfo(QString::fromStdString(path)).fileName();
        EXPECT_TRUE(shown) << path;
    }
    EXPECT_EQ(shippedSamples().size(), files);
}

} // namespace
} // namespace brokerscope
