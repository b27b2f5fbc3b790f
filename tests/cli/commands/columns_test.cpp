// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/column_names.h"
#include "cli/commands/list_columns.h"
#include "cli/commands/record_columns.h"
#include "cli/options/option_table.h"
#include "cli/commands/stats_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace brokerscope {
namespace {

using testing::ElementsAre;

Bytes bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template<class Columns, class Names>
void expectSameNames(const Columns& columns, const Names& names) {
    ASSERT_EQ(columns.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(columns[i].name, names[i]);
}

TEST(Columns, haveTheNamesThatTheOptionOffers) {
    expectSameNames(allListColumns(), listColumnNames);
    expectSameNames(allRecordColumns(), recordColumnNames);
    expectSameNames(allStatsColumns(), statsColumnNames);
}

TEST(ValueFormats, haveTheNamesThatTheOptionOffers) {
    const auto option = std::ranges::find(optionRows(), "value-format", &OptionRow::name);
    ASSERT_NE(option, optionRows().end());
    std::vector<std::string_view> names;
    for (const ValueFormatRow& row : valueFormats())
        names.push_back(row.name);
    EXPECT_THAT(wordsOf(*option), testing::ElementsAreArray(names));
}

TEST(Columns, leaveOnlyTheTimeToTheOutput) {
    for (const ListColumn& column : allListColumns())
        EXPECT_EQ(column.value == nullptr, column.name == "time") << column.name;
    for (const RecordColumn& column : allRecordColumns())
        EXPECT_EQ(column.value == nullptr, column.name == "time") << column.name;
}

TEST(Columns, comeInTheOrderTyped) {
    const auto columns = listColumns({"error", "exchange"}, Reader::Person);
    ASSERT_EQ(columns.size(), 2u);
    EXPECT_EQ(columns[0]->name, "error");
    EXPECT_EQ(columns[1]->name, "exchange");
    EXPECT_EQ(listColumns({}, Reader::Program).size(), listColumnNames.size());
    EXPECT_LT(listColumns({}, Reader::Person).size(), listColumnNames.size());
}

TEST(BytesCell, showsTextAsTextAndTheRestAsWhatItMostProbablyIs) {
    EXPECT_EQ(bytesCell(bytesOf("k1")).text, "k1");
    EXPECT_EQ(bytesCell(bytesOf("zwölf\nMonate")).text, "zwölf\\nMonate");
    EXPECT_EQ(bytesCell(bytesOf(std::string_view("\0\1\xff", 3))).text, "0x0001ff");
    EXPECT_EQ(bytesCell(bytesOf("\033[2J")).text, "458961482 (int)");
    EXPECT_EQ(bytesCell(bytesOf("\033[2J"), ValueFormat::Hex).text, "0x1b5b324a");
    EXPECT_EQ(bytesCell(bytesOf("k1"), ValueFormat::Hex).text, "0x6b31");
    EXPECT_EQ(bytesCell(bytesOf("{\"a\": 1}"), ValueFormat::Json).text, "{\"a\":1}");
}

TEST(BytesCell, tellsNullFromEmpty) {
    EXPECT_EQ(bytesCell(std::nullopt).text, "null");
    EXPECT_EQ(bytesCell(bytesOf("")).text, "(empty)");
    EXPECT_EQ(bytesForPrograms(std::nullopt), "");
    EXPECT_EQ(bytesForPrograms(bytesOf(std::string_view("\0\1", 2))), "base64:AAE=");
}

TEST(ControlType, readsTheKeyOfAControlRecord) {
    Batch batch;
    Record record;
    record.key = bytesOf(std::string_view("\0\0\0\1", 4));
    EXPECT_EQ(controlType(batch, record), "");
    batch.isControl = true;
    EXPECT_EQ(controlType(batch, record), "COMMIT");
    record.key = bytesOf(std::string_view("\0\0\0\x63", 4));
    EXPECT_EQ(controlType(batch, record), "control record 99");
    record.key = bytesOf("x");
    EXPECT_EQ(controlType(batch, record), "");
}

TEST(Remark, namesTheFirstErrorAndCountsTheOtherCodes) {
    Exchange exchange;
    ExchangeFacts facts;
    facts.protocol = &Protocol::builtin();
    facts.exchange = &exchange;
    exchange.status = ExchangeStatus::Paired;
    EXPECT_EQ(remark(facts).text, "");
    facts.response.errors = {{6, "a"}, {6, "b"}, {3, "c"}};
    EXPECT_EQ(remark(facts).text, "6 NOT_LEADER_OR_FOLLOWER ↻ +1");
    EXPECT_EQ(remark(facts).role, Role::Error);
    facts.response.errors = {{-321, "a"}};
    EXPECT_EQ(remark(facts).text, "-321 (unknown error)");
}

TEST(Remark, saysWhyThereIsNoAnswer) {
    Exchange exchange;
    ExchangeFacts facts;
    facts.exchange = &exchange;
    exchange.status = ExchangeStatus::Unanswered;
    exchange.reason = NoAnswerReason::ConnectionReset;
    EXPECT_EQ(remark(facts).text, "no answer: connection reset");
    exchange.status = ExchangeStatus::NoResponseExpected;
    EXPECT_EQ(remark(facts).text, "acks=0: no answer expected");
    exchange.status = ExchangeStatus::Paired;
    facts.response.throttleMs = 250;
    EXPECT_EQ(remark(facts).text, "throttled 250 ms");
}

TEST(PacketsOf, namesEachPacketOnceAndNoneThatOnlyShowedALoss) {
    const std::uint8_t data[4] = {};
    Frame frame;
    const auto append = [&](std::uint64_t packet, Hole hole) {
        Slice slice;
        slice.length = 4;
        slice.hole = hole;
        slice.data = hole == Hole::None ? data : nullptr;
        slice.packet = PacketNumber{packet};
        frame.append(slice);
    };
    append(7, Hole::None);
    append(5, Hole::None);
    append(7, Hole::None);
    append(9, Hole::Lost);
    append(8, Hole::Cut);
    std::vector<std::uint64_t> packets = {1, 2, 3};
    packetsOf(frame, packets);
    EXPECT_THAT(packets, ElementsAre(5, 7, 8));
}

} // namespace
} // namespace brokerscope
