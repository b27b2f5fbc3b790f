// SPDX-License-Identifier: Apache-2.0
// Contrast, sizes, names for screen readers, settings, the pictures' own machinery.
#include "gui/widgets/colours.h"
#include "gui/widgets/screenshot.h"
#include "tests/gui/window.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QMenuBar>
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

TEST_F(Window, givesEveryControlAnAccessibleName) {
    open("errors.pcap.zst");
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                             qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractItemView*>(widget) ||
                             qobject_cast<BytePane*>(widget);
        if (!control || widget->objectName().startsWith(QStringLiteral("qt_")) || !widget->isVisible()) continue;
        if (qobject_cast<QAbstractButton*>(widget) && widget->parentWidget()->inherits("QTableView"))
            continue; // corner
        if (widget->inherits("QLineEditIconButton") || widget->inherits("QToolBarExtension") ||
            widget->inherits("QHeaderView") || widget->inherits("QMenuBarExtension"))
            continue;
        if (qobject_cast<QAbstractButton*>(widget) && widget->parentWidget()->inherits("QTabBar")) continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const QString name = !widget->accessibleName().isEmpty() ? widget->accessibleName()
                             : button                            ? button->text() + button->toolTip()
                                                                 : QString();
        EXPECT_FALSE(name.isEmpty()) << widget->metaObject()->className();
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
