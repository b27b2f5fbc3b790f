// SPDX-License-Identifier: Apache-2.0
#include "gui/models/exchange_table_model.h"

#include "gui/models/exchange_sort.h"
#include "tests/gui/index_fixture.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Mode = QAbstractItemModelTester::FailureReportingMode;

struct Table : testing::Test {
    void show() {
        model.setIndex(fixture.index, Protocol::builtin(), noon);
        model.growTo(fixture.index->size());
    }
    std::string text(int row, ExchangeColumn column) { return model.text(row, column).toStdString(); }

    IndexFixture fixture;
    ExchangeTableModel model;
    QAbstractItemModelTester tester{&model, Mode::Fatal};
};

TEST_F(Table, growsByOneInsertionHoweverManyRowsCome) {
    show();
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    for (int i = 0; i < 1000; ++i)
        fixture.add({});
    model.growTo(fixture.index->size());
    EXPECT_EQ(model.rowCount(), 1000);
    EXPECT_EQ(inserted.count(), 1);
}

TEST_F(Table, swapsOrdersInAndOutAndFindsExchangesInEach) {
    for (int i = 0; i < 10; ++i)
        fixture.add({});
    show();
    model.setOrder({7, 2, 5});
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.exchangeAt(0).value, 8U);
    EXPECT_EQ(model.rowOf(ExchangeId{6}), 2);
    EXPECT_EQ(model.rowOf(ExchangeId{1}), -1);
    model.append({9});
    EXPECT_EQ(model.rowOf(ExchangeId{10}), 3);
    model.growTo(10); // means nothing while an order is set
    EXPECT_EQ(model.rowCount(), 4);
    model.clearOrder(fixture.index->size());
    EXPECT_EQ(model.rowCount(), 10);
    EXPECT_EQ(model.rowOf(ExchangeId{1}), 0);
}

TEST_F(Table, forgetsEverythingWhenAnotherCaptureComes) {
    fixture.add({});
    show();
    model.setOrder({0});
    model.setMarked(ExchangeId{1}, true);
    model.setIndex(std::make_shared<ExchangeIndex>(), Protocol::builtin(), noon);
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(model.marks(), 0U);
    EXPECT_FALSE(model.ordered());
    model.setIndex(nullptr, Protocol::builtin(), noon);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Table, writesItsCellsAsPeopleReadThem) {
    fixture.add({.api = 1, .version = 17, .topics = {"orders", "billing", "x"}, .latency = 14730us});
    fixture.add({.api = 0, .version = 13, .client = "", .group = "", .errors = {6, 6, 3}});
    fixture.add(
        {.api = 11, .version = 9, .client = std::nullopt, .group = "billing", .status = ExchangeStatus::Unanswered});
    fixture.add({.api = 10007, .version = 0, .status = ExchangeStatus::NoResponseExpected});
    fixture.add({.api = 3, .version = 13, .topics = {"a"}, .status = ExchangeStatus::Paired, .namesInAnswer = true});
    show();
    using C = ExchangeColumn;
    EXPECT_EQ(text(0, C::Number), "1");
    EXPECT_EQ(text(0, C::Time), "0.001000");
    EXPECT_EQ(text(0, C::Client), "c1");
    EXPECT_EQ(text(0, C::Broker), "10.77.0.11:9092");
    EXPECT_EQ(text(0, C::Api), "Fetch v17");
    EXPECT_EQ(text(0, C::Subject), "orders +2");
    EXPECT_EQ(text(0, C::Request), "101");
    EXPECT_EQ(text(0, C::Response), "200");
    EXPECT_EQ(text(0, C::Latency), "14.730");
    EXPECT_EQ(text(0, C::Error), "");
    EXPECT_EQ(text(0, C::Packets), "1 → 2");
    EXPECT_EQ(text(1, C::Client), "\"\"");
    EXPECT_EQ(text(1, C::Error), "6 NOT_LEADER_OR_FOLLOWER ↻ +2");
    EXPECT_EQ(text(1, C::State), "E");
    EXPECT_EQ(text(2, C::Client), "10.77.0.2");
    EXPECT_EQ(text(2, C::Subject), "group billing");
    EXPECT_EQ(text(2, C::Response), "");
    EXPECT_EQ(text(2, C::Error), "no answer");
    EXPECT_EQ(text(2, C::State), "U");
    EXPECT_EQ(text(3, C::Api), "key 10007 v0");
    EXPECT_EQ(text(3, C::Error), "acks=0: none expected");
    EXPECT_EQ(text(4, C::Subject), "all topics");
}

TEST_F(Table, writesTimesInEveryStyle) {
    fixture.add({});
    fixture.add({});
    show();
    const auto time = [&](TimeStyle style) {
        model.setTimeStyle(style);
        return text(1, ExchangeColumn::Time);
    };
    EXPECT_EQ(time(TimeStyle::Relative), "0.002000");
    EXPECT_EQ(time(TimeStyle::Utc), "12:00:00.002000");
    EXPECT_EQ(time(TimeStyle::Epoch), "1764417600.002000");
    EXPECT_EQ(time(TimeStyle::Delta), "0.001000");
    model.setTimeStyle(TimeStyle::Relative);
    model.setTimeZero(noon + 2ms);
    EXPECT_EQ(text(0, ExchangeColumn::Time), "-0.001000");
}

TEST_F(Table, saysWhatIsNotThereYet) {
    fixture.beginOnly({});
    show();
    EXPECT_EQ(text(0, ExchangeColumn::Status), "waiting");
    EXPECT_EQ(text(0, ExchangeColumn::Error), "");
    EXPECT_EQ(model.data(model.index(0, 0), Qt::ToolTipRole).toString().toStdString(), "No answer yet");
}

TEST_F(Table, speaksWholeSentencesToScreenReaders) {
    fixture.add({.api = 3, .version = 13, .topics = {"no-such-topic"}, .errors = {3}, .latency = 1450us});
    show();
    EXPECT_EQ(model.data(model.index(0, 0), Qt::AccessibleTextRole).toString().toStdString(),
              "error, exchange 1, Metadata version 13, no-such-topic, 3 UNKNOWN_TOPIC_OR_PARTITION ↻, "
              "1.45 milliseconds");
}

TEST_F(Table, givesTheFirstStateThatFits) {
    fixture.add({.errors = {3}, .latency = 2s, .cut = true});
    fixture.add({.errors = {3}, .latency = 2s});
    fixture.add({.latency = 2s});
    fixture.add({.status = ExchangeStatus::Open});
    fixture.add({});
    show();
    std::string letters;
    for (int row = 0; row < 5; ++row)
        letters += text(row, ExchangeColumn::State) + "|";
    EXPECT_EQ(letters, "D|E|S|…||");
    EXPECT_EQ(model.data(model.index(0, 0), Qt::ToolTipRole).toString().count(u'\n'), 2);
    model.setSlowAbove(3s);
    EXPECT_EQ(text(2, ExchangeColumn::State), "");
}

// ---- sorting

struct Sort : Table {
    std::vector<std::uint32_t> by(ExchangeColumn column, bool descending = false) {
        std::vector<std::uint32_t> rows(fixture.index->size());
        std::iota(rows.begin(), rows.end(), 0U);
        SortWish wish;
        wish.column = column;
        wish.descending = descending;
        return *sorted(*fixture.index, Protocol::builtin(), std::move(rows), wish, {});
    }
};

TEST_F(Sort, comparesNamesNaturallyAndPutsEmptyCellsLastBothWays) {
    fixture.add({.topics = {"t-10"}});
    fixture.add({});
    fixture.add({.topics = {"t-2"}});
    fixture.add({.topics = {"T-3"}});
    EXPECT_THAT(by(ExchangeColumn::Subject), ElementsAre(2, 3, 0, 1));
    EXPECT_THAT(by(ExchangeColumn::Subject, true), ElementsAre(0, 3, 2, 1));
}

TEST_F(Sort, comparesNumbersAndKeepsTheOrderOfTheCaptureAmongEquals) {
    fixture.add({.latency = 5ms});
    fixture.add({.status = ExchangeStatus::Open});
    fixture.add({.latency = 1ms});
    fixture.add({.latency = 5ms});
    EXPECT_THAT(by(ExchangeColumn::Latency), ElementsAre(2, 0, 3, 1));
    EXPECT_THAT(by(ExchangeColumn::Latency, true), ElementsAre(0, 3, 2, 1));
    EXPECT_THAT(by(ExchangeColumn::Number, true), ElementsAre(3, 2, 1, 0));
}

TEST_F(Sort, agreesWithTheCellsForEveryColumnOfText) {
    fixture.add({.api = 3, .version = 13, .client = "b", .topics = {"z"}, .errors = {3}});
    fixture.add({.api = 1, .version = 4, .client = "a", .group = "g", .errors = {29}});
    fixture.add({.api = 1, .version = 17, .client = std::nullopt, .status = ExchangeStatus::Unanswered});
    fixture.add({.api = 0, .version = 9, .client = "a", .topics = {"z"}, .connection = 3});
    show();
    for (ExchangeColumn column : {ExchangeColumn::Client, ExchangeColumn::Broker, ExchangeColumn::Api,
                                  ExchangeColumn::Subject, ExchangeColumn::Error, ExchangeColumn::ClientAddress}) {
        QStringList cells;
        for (std::uint32_t row : by(column))
            if (QString cell = model.text(static_cast<int>(row), column); !cell.isEmpty()) cells << cell;
        QStringList expected = cells;
        std::stable_sort(expected.begin(), expected.end(),
                         [](const QString& a, const QString& b) { return texts::naturalOrder(a, b) < 0; });
        EXPECT_EQ(cells, expected) << static_cast<int>(column);
    }
}

TEST_F(Sort, sortsEveryColumnWithoutLosingARow) {
    for (int i = 0; i < 50; ++i)
        fixture.add({.api = static_cast<std::int16_t>(i % 5),
                     .topics = {std::to_string(i % 7)},
                     .errors = i % 6 ? std::vector<std::int16_t>{} : std::vector<std::int16_t>{3},
                     .status = i % 9 ? ExchangeStatus::Paired : ExchangeStatus::Unanswered,
                     .cut = i % 11 == 0});
    for (const ExchangeColumnRow& column : exchangeColumns())
        for (bool descending : {false, true}) {
            std::vector<std::uint32_t> order = by(column.column, descending);
            std::sort(order.begin(), order.end());
            std::vector<std::uint32_t> all(50);
            std::iota(all.begin(), all.end(), 0U);
            EXPECT_EQ(order, all) << column.key;
        }
}

TEST_F(Sort, stopsWhenAsked) {
    fixture.add({});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(sorted(*fixture.index, Protocol::builtin(), {0}, {}, stop.get_token()));
}

} // namespace
} // namespace brokerscope
