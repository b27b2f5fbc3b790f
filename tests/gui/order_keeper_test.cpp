// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/order_keeper.h"

#include "tests/gui/loaded.h"

#include <QAbstractItemModelTester>
#include <QThread>

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace brokerscope {
namespace {

FilterWish wishFor(const char* text) {
    FilterWish wish;
    wish.text = QString::fromUtf8(text);
    wish.filter = std::make_shared<const Filter>(std::get<Filter>(Filter::compile(text, Protocol::builtin())));
    return wish;
}

struct Orders : testing::Test {
    Orders() : capture(loadSample("errors.pcap.zst")) { order.setCapture(capture); }
    bool settle() {
        return waitFor([this] { return jobs.idle(); });
    }
    std::vector<std::uint64_t> shown() const {
        std::vector<std::uint64_t> numbers;
        for (int row = 0; row < table.rowCount(); ++row)
            numbers.push_back(table.exchangeAt(row).value);
        return numbers;
    }

    Capture capture;
    JobRunner jobs;
    ExchangeTableModel table;
    OrderKeeper order{table, jobs};
    QAbstractItemModelTester tester{&table, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(Orders, showsAllInTheOrderOfTheCaptureWithoutAWish) {
    order.grow();
    EXPECT_EQ(table.rowCount(), static_cast<int>(capture->index.size()));
    EXPECT_FALSE(table.ordered());
}

TEST_F(Orders, filtersSortsAndComesBack) {
    order.grow();
    order.setFilter(wishFor("error"));
    ASSERT_TRUE(settle());
    EXPECT_EQ(table.rowCount(), static_cast<int>(capture->index.counts().errors));
    order.setSort(ExchangeColumn::Latency, true);
    ASSERT_TRUE(settle());
    EXPECT_EQ(table.rowCount(), static_cast<int>(capture->index.counts().errors));
    for (int row = 1; row < table.rowCount(); ++row) {
        const auto above = capture->index.row(*table.indexRowAt(row - 1)).latency();
        const auto here = capture->index.row(*table.indexRowAt(row)).latency();
        if (!here) continue;
        ASSERT_TRUE(above);
        EXPECT_GE(*above, *here);
    }
    order.setFilter({});
    order.setSort(ExchangeColumn::Number, false);
    ASSERT_TRUE(settle());
    EXPECT_FALSE(table.ordered());
    EXPECT_EQ(table.rowCount(), static_cast<int>(capture->index.size()));
}

TEST_F(Orders, chipsAreOredAndHoldTogetherWithTheText) {
    FilterWish chips;
    chips.errors = chips.unanswered = true;
    order.setFilter(chips);
    ASSERT_TRUE(settle());
    const int both = table.rowCount();
    FilterWish same = wishFor("error or status == unanswered");
    order.setFilter(same);
    ASSERT_TRUE(settle());
    EXPECT_EQ(table.rowCount(), both);
    FilterWish narrowed = wishFor("api == Metadata");
    narrowed.errors = true;
    EXPECT_EQ(narrowed.expression().toStdString(), "(api == Metadata) and (error)");
    order.setFilter(narrowed);
    ASSERT_TRUE(settle());
    const std::vector<std::uint64_t> narrow = shown();
    order.setFilter(wishFor("(api == Metadata) and (error)"));
    ASSERT_TRUE(settle());
    EXPECT_EQ(shown(), narrow);
    EXPECT_FALSE(narrow.empty());
}

TEST_F(Orders, aCaptureThatGrowsUnderAFilterEndsAsIfItHadBeenThereFromTheStart) {
    order.setFilter(wishFor("error and not retriable"));
    ASSERT_TRUE(settle());
    const std::vector<std::uint64_t> wanted = shown();
    order.setCapture(nullptr);

    CaptureLoader loader;
    bool ended = false;
    QObject::connect(&loader, &CaptureLoader::opened, &loader,
                     [&](const Capture& growing) { order.setCapture(growing); });
    QObject::connect(&loader, &CaptureLoader::finished, &loader, [&] { ended = true; });
    OpenWish wish;
    wish.paths = {samplePath("errors.pcap.zst")};
    loader.open(std::move(wish));
    ASSERT_TRUE(waitFor([&] {
        order.grow();
        return ended;
    }));
    order.loadingEnded();
    ASSERT_TRUE(settle());
    EXPECT_EQ(shown(), wanted);
}

TEST_F(Orders, onlyTheLastOfManyWishesWins) {
    std::mt19937 random(3);
    const char* const texts[] = {"error", "api == Fetch", "response.throttleTimeMs >= 0", "latency > 1ms"};
    for (int round = 0; round < 20; ++round) {
        order.setFilter(wishFor(texts[random() % 4]));
        order.setSort(static_cast<ExchangeColumn>(random() % exchangeColumnCount), random() % 2);
        QThread::usleep(random() % 3000);
        if (round % 4 == 0) QCoreApplication::processEvents();
    }
    order.setSort(ExchangeColumn::Number, false);
    order.setFilter(wishFor("api == Metadata"));
    ASSERT_TRUE(settle());
    const auto filter = std::get<Filter>(Filter::compile("api == Metadata", Protocol::builtin()));
    IndexedSubject subject(capture->index, capture->protocol, {});
    std::vector<std::uint64_t> wanted;
    for (std::uint32_t row = 0; row < capture->index.size(); ++row)
        if (subject.assign(row) && filter.matches(subject)) wanted.push_back(row + std::uint64_t{1});
    EXPECT_EQ(shown(), wanted);
}

TEST_F(Orders, aStoppedFilterShowsWhatWasFound) {
    int percent = -1;
    QObject::connect(&order, &OrderKeeper::stopped, &order, [&](int at) { percent = at; });
    order.setFilter(wishFor("response.throttleTimeMs >= 0"));
    order.stop();
    ASSERT_TRUE(settle());
    EXPECT_LE(table.rowCount(), static_cast<int>(capture->index.size()));
    EXPECT_LT(percent, 100);
}

// Enough rows for several threads: nothing is lost, doubled or out of order where their parts meet.
TEST_F(Orders, filtersManyRowsInTheirOrder) {
    constexpr std::uint32_t rows = 400'000;
    const auto large = std::make_shared<CaptureData>(OpenWish{});
    Exchange exchange;
    exchange.connection = {1};
    exchange.request.emplace();
    static const std::array<std::uint8_t, 4> bytes{};
    Slice slice;
    slice.data = bytes.data();
    slice.length = bytes.size();
    exchange.request->append(slice);
    for (std::uint32_t row = 0; row < rows; ++row) {
        exchange.id = {row + 1};
        exchange.header = RequestHeader{static_cast<std::int16_t>(row % 7 == 0 ? 3 : 1), 12, 0, "c"};
        large->index.requestSeen(exchange, {});
    }
    order.setCapture(large);
    order.setFilter(wishFor("api == Metadata"));
    ASSERT_TRUE(settle());
    ASSERT_EQ(table.rowCount(), static_cast<int>((rows + 6) / 7));
    for (int row = 0; row < table.rowCount(); ++row)
        ASSERT_EQ(table.exchangeAt(row).value, static_cast<std::uint64_t>(row) * 7 + 1);
}

} // namespace
} // namespace brokerscope
