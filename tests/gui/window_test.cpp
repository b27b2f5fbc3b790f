// SPDX-License-Identifier: Apache-2.0
// What a person does with the window, offscreen: open, filter, from fields to bytes and back, batches, sort, export.
#include "tests/gui/window.h"

#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QHeaderView>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QThread>

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// ---- opening

TEST_F(Window, showsHowToBeginWhenNothingIsOpen) {
    EXPECT_FALSE(window.actions()[Act::Reload]->isEnabled());
    EXPECT_GE(shippedSamples().size(), 10U);
}

TEST_F(Window, opensACaptureAndSelectsTheFirstExchange) {
    open("produce-acks.pcap");
    EXPECT_EQ(window.table().rowCount(), 60);
    EXPECT_EQ(selected(), 1U);
    EXPECT_THAT(window.windowTitle().toStdString(), StartsWith("produce-acks.pcap"));
    EXPECT_EQ(window.statusLine().exchanges().text().toStdString(), "60 exchanges");
}

TEST_F(Window, saysInABarWhatIsNoCapture) {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("notes.txt")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("Hello, this is text");
    file.close();
    open("first-steps.pcap");
    window.openFiles({file.fileName()});
    ASSERT_TRUE(settle());
    EXPECT_THAT(window.strip().textOf(QStringLiteral("open")).toStdString(), HasSubstr("notes.txt"));
    EXPECT_EQ(window.table().rowCount(), 0);
}

TEST_F(Window, saysWhatADamagedFileLost) {
    QTemporaryDir folder;
    QFile whole(QString::fromStdString(samplePath("produce-acks.pcap"))),
        cut(folder.filePath(QStringLiteral("cut.pcap")));
    ASSERT_TRUE(whole.open(QIODevice::ReadOnly) && cut.open(QIODevice::WriteOnly));
    cut.write(whole.read(60'000));
    cut.close();
    window.openFiles({cut.fileName()});
    ASSERT_TRUE(settle());
    EXPECT_GT(window.table().rowCount(), 20);
    EXPECT_TRUE(window.strip().says(QStringLiteral("damage")));
}

TEST_F(Window, saysThatThereIsNoKafkaAndOffersToNameAPort) {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("empty.pcap")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QFile whole(QString::fromStdString(samplePath("produce-acks.pcap")));
    ASSERT_TRUE(whole.open(QIODevice::ReadOnly));
    file.write(whole.read(24)); // the file header alone
    file.close();
    window.openFiles({file.fileName()});
    ASSERT_TRUE(settle());
    EXPECT_THAT(window.strip().textOf(QStringLiteral("no-kafka")).toStdString(), HasSubstr("no Kafka"));
}

TEST_F(Window, takesFilesThatAreDropped) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(samplePath("first-steps.pcap")))});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &drop);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 33);
}

TEST_F(Window, takesFilesThatAreDroppedOnItsTextFields) {
    QMimeData files, text;
    files.setUrls({QUrl::fromLocalFile(QString::fromStdString(samplePath("first-steps.pcap")))});
    files.setText(files.urls().front().toString()); // as file managers do
    text.setText(QStringLiteral("error"));
    for (QWidget* field :
         {static_cast<QWidget*>(&window.filterBar().edit()), static_cast<QWidget*>(&window.findBar().edit()),
          static_cast<QWidget*>(&window.recordsPage().search())}) {
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &files, Qt::LeftButton, {});
        QApplication::sendEvent(field, &enter); // the field passes it on to the window
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &files, Qt::LeftButton, {});
        QApplication::sendEvent(field, &drop);
        ASSERT_TRUE(settle());
        EXPECT_EQ(window.table().rowCount(), 33) << field->accessibleName().toStdString();
        EXPECT_TRUE(field->property("text").toString().isEmpty());
        window.closeCapture();
    }
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &text, Qt::LeftButton, {});
    QApplication::sendEvent(&window.filterBar().edit(), &enter);
    EXPECT_TRUE(enter.isAccepted());
}

TEST_F(Window, opensSamplesAndRecentCapturesWithOneClickOrEnter) {
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    auto* samples = qobject_cast<QListWidget*>(QApplication::focusWidget()); // nothing recent yet
    ASSERT_NE(samples, nullptr);
    EXPECT_EQ(samples->accessibleName().toStdString(), "Samples");
    QTest::mouseClick(samples->viewport(), Qt::LeftButton, {}, samples->visualItemRect(samples->item(0)).center());
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 33);
    window.closeCapture();
    const auto* recent = qobject_cast<QListWidget*>(QApplication::focusWidget());
    ASSERT_NE(recent, nullptr);
    EXPECT_EQ(recent->item(0)->text().toStdString(), "first-steps.pcap");
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 33);
}

TEST_F(Window, saysWhatHappenedToItsFileOnDisk) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("capture.pcap"));
    ASSERT_TRUE(QFile::copy(QString::fromStdString(samplePath("first-steps.pcap")), path));
    window.openFiles({path});
    ASSERT_TRUE(settle());
    const auto said = [this] { return window.strip().textOf(QStringLiteral("changed")).toStdString(); };
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::Append) && file.write("x") == 1);
    file.close();
    ASSERT_TRUE(waitFor([&] { return said() == "capture.pcap has changed on disk."; }, 5000)) << said();
    ASSERT_TRUE(file.resize(200));
    ASSERT_TRUE(waitFor([&] { return said().find("has become shorter") != std::string::npos; }, 5000)) << said();
    ASSERT_TRUE(file.remove());
    ASSERT_TRUE(waitFor([&] { return said().find("was removed or renamed") != std::string::npos; }, 5000)) << said();
}

TEST_F(Window, canBeClosedReopenedAndStoppedAtAnyMoment) {
    std::mt19937 random(17);
    const QString large = QString::fromStdString(samplePath("errors.pcap.zst"));
    for (int round = 0; round < 20; ++round) {
        window.openFiles({large});
        waitFor([] { return false; }, static_cast<int>(random() % 12));
        switch (random() % 3) {
        case 0:
            window.closeCapture();
            break;
        case 1:
            press(Qt::Key_Escape);
            break;
        default:
            break;
        }
    }
    window.openFiles({QString::fromStdString(samplePath("first-steps.pcap"))});
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 33);
}

TEST_F(Window, goesOnWithALoadThatWasStopped) {
    open("errors.pcap.zst");
    const int all = window.table().rowCount();
    for (int wait = 0; wait < 12; ++wait) {
        window.openFiles({QString::fromStdString(samplePath("errors.pcap.zst"))});
        waitFor([] { return false; }, wait);
        press(Qt::Key_Escape);
        ASSERT_TRUE(settle());
        if (!window.strip().says(QStringLiteral("stopped"))) continue; // it was faster
        EXPECT_TRUE(window.report()->stopped);
    }
    window.openFiles({QString::fromStdString(samplePath("errors.pcap.zst"))});
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), all);
}

// ---- filter

TEST_F(Window, appliesAFilterOnEnterAndNotBefore) {
    open("errors.pcap.zst");
    const int all = window.table().rowCount();
    press(Qt::Key_Slash, Qt::ControlModifier);
    type("api == Metadata");
    EXPECT_EQ(window.filterBar().edit().state(), FilterState::Valid);
    EXPECT_EQ(window.table().rowCount(), all);
    press(Qt::Key_Escape); // closes the suggestions
    window.filterBar().edit().setText(QStringLiteral("api == Metadata"));
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_LT(window.table().rowCount(), all);
    EXPECT_GT(window.table().rowCount(), 0);
    EXPECT_THAT(window.statusLine().exchanges().text().toStdString(), HasSubstr(" of "));
}

TEST_F(Window, keepsTheLastGoodFilterUnderABadOneAndSaysWhereItIsWrong) {
    open("errors.pcap.zst");
    window.applyFilter(QStringLiteral("error"));
    ASSERT_TRUE(settle());
    const int errors = window.table().rowCount();
    window.filterBar().edit().setFocus();
    window.filterBar().edit().setText(QStringLiteral("latncy > 1ms"));
    EXPECT_EQ(window.filterBar().edit().state(), FilterState::Invalid);
    EXPECT_THAT(window.filterBar().words().text().toStdString(), HasSubstr("column 1"));
    EXPECT_THAT(window.filterBar().words().text().toStdString(), HasSubstr("latency"));
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), errors);
    press(Qt::Key_Escape);
    EXPECT_EQ(window.filterBar().edit().text().toStdString(), "error");
}

TEST_F(Window, completesNamesAndValuesOfTheCapture) {
    open("errors.pcap.zst");
    window.filterBar().edit().setFocus();
    type("ap");
    ASSERT_TRUE(window.filterBar().edit().completionOpen());
    press(Qt::Key_Tab);
    EXPECT_EQ(window.filterBar().edit().text().toStdString(), "api ");
    type("== Meta");
    ASSERT_TRUE(window.filterBar().edit().completionOpen());
    EXPECT_FALSE(window.filterBar().words().isVisible()); // "Meta" is no api, but it may become one
    press(Qt::Key_Return);
    EXPECT_EQ(window.filterBar().edit().text().trimmed().toStdString(), "api == Metadata");
    press(Qt::Key_Return);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.filterBar().applied().text.toStdString(), "api == Metadata");
}

TEST_F(Window, doubtsAFilterThatNamesWhatIsNotThere) {
    open("produce-acks.pcap");
    window.filterBar().edit().setText(QStringLiteral("topic == \"order\""));
    EXPECT_EQ(window.filterBar().edit().state(), FilterState::Doubtful);
    EXPECT_THAT(window.filterBar().words().text().toStdString(), HasSubstr("No topic is called \"order\""));
}

TEST_F(Window, takesChipsTogetherWithTheText) {
    open("errors.pcap.zst");
    press(Qt::Key_1, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_TRUE(window.filterBar().chip(RowState::Error).isChecked());
    const auto errors = static_cast<int>(window.table().exchanges()->counts().errors);
    EXPECT_EQ(window.table().rowCount(), errors);
    press(Qt::Key_1, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_GT(window.table().rowCount(), errors);
}

TEST_F(Window, appliesAFieldAsAFilter) {
    open("produce-acks.pcap");
    select(6, "request.acks");
    window.exchangePage().fields().setFocus();
    press(Qt::Key_Return, Qt::AltModifier);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.filterBar().applied().text.toStdString(), "request.acks == 0");
    EXPECT_EQ(window.table().rowCount(), 9);
    EXPECT_EQ(selected(), 6U);
}

// ---- selection

TEST_F(Window, keepsTheCurrentExchangeThroughFilterAndSort) {
    open("errors.pcap.zst");
    select(40);
    window.applyFilter(QStringLiteral("time >= 0s"));
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.exchangePage().view().currentExchange().value, 40U);
    QHeaderView* header = window.exchangePage().view().horizontalHeader();
    const int latency = static_cast<int>(ExchangeColumn::Latency);
    Q_EMIT header->sectionClicked(latency);
    ASSERT_TRUE(settle());
    EXPECT_TRUE(window.table().ordered());
    EXPECT_EQ(window.exchangePage().view().currentExchange().value, 40U);
    Q_EMIT header->sectionClicked(latency);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.exchangePage().view().currentExchange().value, 40U);
    window.applyFilter(QStringLiteral("api == Metadata and time < 0s"));
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), 40U); // the tree keeps what the table hides
    EXPECT_EQ(status(), "Exchange 40 is hidden by the filter");
}

TEST_F(Window, keepsTheSelectedFieldOnTheNextExchangeOfItsApi) {
    open("produce-acks.pcap");
    select(6, "request.timeoutMs");
    EXPECT_EQ(selectedField(), "TimeoutMs");
    select(7);
    EXPECT_EQ(selectedField(), "TimeoutMs");
}

TEST_F(Window, marksTheBytesOfTheFieldThatIsSelected) {
    open("produce-acks.pcap");
    select(6, "request.timeoutMs");
    EXPECT_EQ(bytes().markedField().end - bytes().markedField().begin, 4U);
    EXPECT_THAT(status(), StartsWith("TimeoutMs: int32, 4 bytes at "));
}

TEST_F(Window, selectsTheFieldOfAByteThatIsClicked) {
    open("produce-acks.pcap");
    select(6, "request.timeoutMs");
    const ByteRange timeout = bytes().markedField();
    clickByte(10); // the correlation id
    EXPECT_EQ(selectedField(), "CorrelationId");
    clickByte(timeout.begin + 1);
    EXPECT_EQ(selectedField(), "TimeoutMs");
    EXPECT_EQ(bytes().markedField(), timeout);
}

TEST_F(Window, marksTheLengthWhenALengthByteIsClicked) {
    open("produce-acks.pcap");
    select(6);
    clickByte(13); // of the client id's two bytes of length
    EXPECT_EQ(selectedField(), "ClientId");
    EXPECT_EQ(bytes().markedField(), (ByteRange{12, 14}));
    EXPECT_THAT(status(), StartsWith("length of ClientId: 10"));
}

TEST_F(Window, marksFieldsAcrossSegments) {
    open("kraft-cluster.pcap.zst");
    const ExchangeIndex& index = *window.table().exchanges();
    for (std::uint32_t row = 0; row < index.size(); ++row) {
        const Exchange exchange = index.exchange(row);
        if (!exchange.response || exchange.response->bytes.pieces().size() < 2) continue;
        select(row + 1);
        QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier);
        const std::uint32_t border = bytes().bytes()->pieces()[1].offset;
        clickByte(border - 1);
        clickByte(border);
        EXPECT_TRUE(bytes().markedField().contains(border));
        return;
    }
    FAIL() << "no response in two segments";
}

TEST_F(Window, opensACompressedBatchInATabOfItsOwnWithTheSameLinkBothWays) {
    open("codecs.pcap");
    const ExchangeIndex& index = *window.table().exchanges();
    for (std::uint32_t row = 0; row < index.size(); ++row) {
        if (!index.row(row).hasHeader() || index.row(row).apiKey() != 0) continue;
        select(row + 1, "request.topicData[0].partitionData[0].records[0].records[1].value");
        if (window.exchangePage().bytes().shownPart() < firstOpenedPart) continue;
        EXPECT_EQ(selectedField(), "Value");
        const ByteRange value = bytes().markedField();
        EXPECT_FALSE(value.empty());
        EXPECT_GE(window.exchangePage().bytes().tabs().count(), 3);
        clickByte(value.begin - 4); // the key, or its length
        EXPECT_NE(selectedField(), "Value");
        clickByte(value.begin + 6);
        EXPECT_EQ(selectedField(), "Value");
        clickByte(0);
        window.exchangePage().bytes().tabs().setCurrentIndex(0);
        EXPECT_EQ(window.exchangePage().bytes().shownPart(), requestPart);
        return;
    }
    FAIL() << "no compressed batch";
}

TEST_F(Window, opensAllRecordSetsThatAreExpandedAtOnce) {
    open("codecs.pcap");
    const ExchangeIndex& index = *window.table().exchanges();
    const FieldTreeModel& model = window.exchangePage().fieldModel();
    for (std::uint32_t row = 0; row < index.size(); ++row) {
        if (!index.row(row).hasHeader() || index.row(row).apiKey() != 1) continue;
        select(row + 1);
        const auto first = model.findPathText(QStringLiteral("response.responses[0].partitions[0].records[0]")).closed;
        const auto second = model.findPathText(QStringLiteral("response.responses[0].partitions[1].records[0]")).closed;
        if (!first || !second) continue;
        window.exchangePage().openRecords(first);
        window.exchangePage().openRecords(second);
        ASSERT_TRUE(settle());
        EXPECT_TRUE(model.opened(first));
        EXPECT_TRUE(model.opened(second));
        return;
    }
    FAIL() << "no Fetch with two record sets";
}

// ---- records, export, copying

TEST_F(Window, showsTheRecordsOfTheCaptureAndOfAnExchange) {
    open("codecs.pcap");
    press(Qt::Key_3, Qt::AltModifier);
    ASSERT_TRUE(settle());
    const int all = window.recordsPage().model().rowCount();
    EXPECT_GT(all, 50);
    EXPECT_THAT(window.recordsPage().side().toPlainText().toStdString(), HasSubstr("{\n  \""));
    press(Qt::Key_2, Qt::AltModifier);
    const ExchangeIndex& index = *window.table().exchanges();
    for (std::uint32_t row = 0; row < index.size(); ++row)
        if (index.row(row).hasHeader() && index.row(row).apiKey() == 0) {
            select(row + 1);
            break;
        }
    press(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(settle());
    EXPECT_GT(window.recordsPage().model().rowCount(), 0);
    EXPECT_LT(window.recordsPage().model().rowCount(), all);
}

TEST_F(Window, findsTextInRecords) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    window.recordsPage().search().setText(QStringLiteral("orderId"));
    window.recordsPage().find(1);
    ASSERT_TRUE(settle());
    EXPECT_TRUE(window.recordsPage().table().currentIndex().isValid());
    window.recordsPage().search().setText(QStringLiteral("this is nowhere"));
    window.recordsPage().find(1);
    ASSERT_TRUE(settle());
    EXPECT_EQ(status(), "\"this is nowhere\" is in no record");
}

TEST_F(Window, showsTheBytesOfARecord) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    RecordTableModel& records = window.recordsPage().model();
    int compressed = 0;
    for (int row = 0; row < records.rowCount(); row += 97) {
        const RecordBatchRef batch = records.batches()[records.placeOf(row)->batch];
        window.showTab(Tab::Records);
        window.recordsPage().table().setCurrentIndex(records.index(row, 0));
        ASSERT_TRUE(settle());
        const OpenedRecord record = *records.record(row);
        Q_EMIT window.recordsPage().bytesWished(batch, records.placeOf(row)->ordinal);
        ASSERT_TRUE(settle());
        EXPECT_EQ(window.tabs().currentIndex(), static_cast<int>(Tab::Exchanges));
        EXPECT_EQ(selected(), batch.exchange + 1U);
        const ByteRange marked = bytes().markedField();
        ASSERT_FALSE(marked.empty()) << row;
        std::vector<std::uint8_t> shown;
        bytes().bytes()->copyAvailable(marked.begin, marked.end - marked.begin, shown);
        const auto value = std::search(shown.begin(), shown.end(), record.value->begin(), record.value->end());
        EXPECT_NE(value, shown.end()) << row;
        EXPECT_LT(shown.size(), record.value->size() + 64) << row; // this record, not its batch
        compressed += batch.codec != Codec::None;
    }
    EXPECT_GT(compressed, 3);
}

TEST_F(Window, revealsTheSecretsOfRecordsToo) {
    open("kraft-cluster.pcap.zst");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    RecordsPage& page = window.recordsPage();
    int secret = -1;
    for (int row = 0; row < page.model().rowCount() && secret < 0; ++row) {
        page.model().record(row);
        ASSERT_TRUE(settle());
        if (const OpenedRecord* record = page.model().record(row); record && record->secret) secret = row;
    }
    ASSERT_GE(secret, 0);
    page.table().setCurrentIndex(page.model().index(secret, 0));
    page.forms().setCurrentIndex(static_cast<int>(RecordForm::Hex));
    EXPECT_THAT(page.side().toPlainText().toStdString(), StartsWith("(masked"));
    window.actions()[Act::CopyHex]->trigger();
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(), StartsWith("(masked"));
    window.actions()[Act::RevealSecrets]->trigger();
    ASSERT_TRUE(settle());
    EXPECT_THAT(page.side().toPlainText().toStdString(), testing::Not(StartsWith("(masked")));
    window.actions()[Act::CopyHex]->trigger();
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(), testing::Not(StartsWith("(masked")));
    open("kraft-cluster.pcap.zst"); // another capture, other secrets
    EXPECT_FALSE(window.actions()[Act::RevealSecrets]->isChecked());
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    page.table().setCurrentIndex(page.model().index(secret, 0));
    ASSERT_TRUE(settle());
    EXPECT_THAT(page.side().toPlainText().toStdString(), StartsWith("(masked"));
}

TEST_F(Window, copiesRecordsWhereRecordsAreShown) {
    open("codecs.pcap");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    const auto copied = [&](Act act) {
        window.actions()[act]->trigger();
        return QApplication::clipboard()->text().toStdString();
    };
    EXPECT_THAT(copied(Act::CopyJson), StartsWith("{\n  \""));
    EXPECT_THAT(copied(Act::CopyValue), StartsWith("{\""));
    EXPECT_THAT(copied(Act::CopyHex), StartsWith("7b 22 "));
    EXPECT_THAT(copied(Act::CopyText), StartsWith("events-codec\t"));
    EXPECT_THAT(status(), StartsWith("Record 0 of events-codec, partition 0, exchange "));
    window.showTab(Tab::Exchanges);
    EXPECT_THAT(status(), testing::Not(StartsWith("Record")));
}

TEST_F(Window, linksTheSummaryToFiltersThatShowItsNumbers) {
    open("errors.pcap.zst");
    window.filterBar().chip(RowState::Error).click();
    window.showTab(Tab::Summary);
    ASSERT_TRUE(settle());
    EXPECT_THAT(window.summaryPage().toPlainText().toStdString(), HasSubstr("MESSAGE_TOO_LARGE"));
    // "Slow 5" of Produce, whatever chips were on.
    Q_EMIT window.summaryPage().filterWished(QStringLiteral("api == Produce and slow"));
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 5);
    EXPECT_FALSE(window.filterBar().chip(RowState::Error).isChecked());
    EXPECT_EQ(window.tabs().currentIndex(), static_cast<int>(Tab::Exchanges));
}

TEST_F(Window, answersWithTheButtonsOfItsStatusLine) {
    open("errors.pcap.zst");
    StatusLine& line = window.statusLine();
    const auto button = [&](const char* name) -> QPushButton& {
        for (QPushButton* one : line.findChildren<QPushButton*>())
            if (one->accessibleName() == QLatin1String(name)) return *one;
        return *line.findChild<QPushButton*>();
    };
    EXPECT_EQ(button("Errors").text().toStdString(), "415 errors");
    EXPECT_EQ(window.filterBar().chip(RowState::Error).accessibleName().toStdString(), "Errors, 415 exchanges");
    button("Errors").click();
    ASSERT_TRUE(settle());
    EXPECT_EQ(selected(), 3U);
    window.applyFilter(QStringLiteral("error"));
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 415);
    EXPECT_EQ(button("Exchanges shown").text().toStdString(), "415 of 1,486 exchanges");
    button("Exchanges shown").click();
    ASSERT_TRUE(settle());
    EXPECT_EQ(window.table().rowCount(), 1486);
    button("Time span").click();
    EXPECT_EQ(window.tabs().currentIndex(), static_cast<int>(Tab::Summary));
    button("Damage").click();
    const auto* dialog = window.findChild<QDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->windowTitle().toStdString(), "Damage");
}

TEST_F(Window, exportsWhatItShows) {
    QTemporaryDir folder;
    open("errors.pcap.zst");
    window.applyFilter(QStringLiteral("error"));
    ASSERT_TRUE(settle());
    for (const char* name : {"shown.ndjson", "shown.csv"}) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        window.exportExchangesTo(file.fileName());
        ASSERT_TRUE(settle());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        const int head = QString::fromLatin1(name).endsWith(QStringLiteral("csv"));
        EXPECT_EQ(file.readAll().count('\n'), window.table().rowCount() + head);
    }
    window.exportExchangesTo(folder.filePath(QStringLiteral("no/such/folder/x.csv")));
    ASSERT_TRUE(settle());
    EXPECT_THAT(window.strip().textOf(QStringLiteral("export")).toStdString(), HasSubstr("was not written"));
}

TEST_F(Window, exportsRecords) {
    QTemporaryDir folder;
    open("codecs.pcap");
    window.showTab(Tab::Records);
    ASSERT_TRUE(settle());
    QFile file(folder.filePath(QStringLiteral("records.ndjson")));
    window.exportRecordsTo(file.fileName());
    ASSERT_TRUE(settle());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().count('\n'), window.recordsPage().model().rowCount());
}

TEST_F(Window, copiesFieldsInEveryForm) {
    open("produce-acks.pcap");
    select(6, "request.timeoutMs");
    window.exchangePage().fields().setFocus();
    const auto copied = [&](Act act) {
        window.actions()[act]->trigger();
        return QApplication::clipboard()->text().toStdString();
    };
    EXPECT_EQ(copied(Act::CopyText), "TimeoutMs: 30000 ms (30 s)");
    EXPECT_EQ(copied(Act::CopyValue), "30000");
    EXPECT_EQ(copied(Act::CopyName), "request.timeoutMs");
    EXPECT_EQ(copied(Act::CopyHex), "00 00 75 30");
    EXPECT_EQ(copied(Act::CopyFilter), "request.timeoutMs == 30000");
    EXPECT_EQ(copied(Act::CopyJson), "30000");
    window.applyFilter(QStringLiteral("api == Produce"));
    ASSERT_TRUE(settle());
    EXPECT_THAT(copied(Act::CopyCommandLine), StartsWith("brokerscope list -Y 'api == Produce' '"));
}

TEST_F(Window, doesNotGiveSecretsAwayByCopyingTheirBytes) {
    open("sasl.pcap");
    const ExchangeIndex& index = *window.table().exchanges();
    for (std::uint32_t row = 0; row < index.size(); ++row)
        if (index.row(row).hasHeader() && index.row(row).apiKey() == 36) {
            select(row + 1, "request.authBytes");
            break;
        }
    ASSERT_EQ(selectedField(), "AuthBytes");
    window.actions()[Act::CopyHex]->trigger();
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(), StartsWith("(masked, "));
    window.actions()[Act::RevealSecrets]->trigger();
    ASSERT_TRUE(settle());
    window.actions()[Act::CopyHex]->trigger();
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(), testing::Not(StartsWith("(masked, ")));
}

} // namespace
} // namespace brokerscope
