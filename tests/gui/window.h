// SPDX-License-Identifier: Apache-2.0
// A window for tests: fresh settings, shown offscreen, and short words for what a person does with it.
#pragma once

#include "gui/widgets/main_window.h"
#include "tests/gui/loaded.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>

#include <gtest/gtest.h>

namespace brokerscope {

// Windows zoom the application's font: each test begins with the plain one.
struct PlainFont {
    PlainFont() {
        static const QFont plain = QApplication::font();
        QApplication::setFont(plain);
    }
};

struct Window : testing::Test {
    Window() {
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
    }

    bool settle() {
        return waitFor([this] { return window.settled(); });
    }
    void open(const std::string& sample) {
        window.openFiles({QString::fromStdString(samplePath(sample))});
        ASSERT_TRUE(settle());
    }
    void select(std::uint64_t exchange, const char* field = "") {
        window.selectExchange(ExchangeId{exchange}, QString::fromLatin1(field));
        ASSERT_TRUE(settle());
    }
    // A key for whoever has the focus.
    void press(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
        QWidget* at = QApplication::focusWidget();
        QTest::keyClick(at ? at : &window, key, with);
    }
    void type(const char* text) { QTest::keyClicks(QApplication::focusWidget(), QString::fromLatin1(text)); }
    std::string selectedField() {
        FieldView& fields = window.exchangePage().fields();
        return fields.fields().name(fields.currentIndex()).toStdString();
    }
    std::uint64_t selected() { return window.selection().exchange().value; }
    std::string status() { return window.statusLine().text().toStdString(); }
    BytePane& bytes() { return window.exchangePage().bytes().pane(); }
    void clickByte(std::uint32_t offset) {
        QTest::mouseClick(bytes().viewport(), Qt::LeftButton, {}, bytes().rectOf(offset).center());
    }

    PlainFont plainFont;
    Theme theme;
    Preferences preferences{true};
    MainWindow window{theme, preferences};
};

} // namespace brokerscope
