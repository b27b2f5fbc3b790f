// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/exchange_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

std::array<std::uint8_t, 256> memory{};
const Timestamp noon{1764429301s};

Frame frameOf(std::uint32_t length, std::uint64_t packet, Timestamp time) {
    Slice slice;
    slice.data = memory.data();
    slice.length = length;
    slice.packet = {packet};
    slice.time = time;
    Frame frame;
    frame.append(slice);
    frame.complete = true;
    return frame;
}

Exchange request(std::uint64_t id, std::uint64_t connection = 1) {
    Exchange exchange;
    exchange.id = {id};
    exchange.connection = {connection};
    exchange.tcpConnection = {connection + 100};
    exchange.client.address.bytes = {10, 77, 0, 2};
    exchange.client.port = static_cast<std::uint16_t>(40000 + connection);
    exchange.broker.address.bytes = {10, 77, 0, 11};
    exchange.broker.port = 9092;
    exchange.header = RequestHeader{1, 17, static_cast<std::int32_t>(id * 2), "c1"};
    exchange.correlationId = static_cast<std::int32_t>(id * 2);
    exchange.responseVersion = 17;
    exchange.request = frameOf(120, id * 10, noon + id * 1ms);
    return exchange;
}

Exchange paired(std::uint64_t id, std::uint64_t connection = 1) {
    Exchange exchange = request(id, connection);
    exchange.status = ExchangeStatus::Paired;
    exchange.response = frameOf(200, id * 10 + 1, noon + id * 1ms + 300us);
    return exchange;
}

Skim naming(std::vector<std::string> topics) {
    Skim skim;
    skim.topicCount = static_cast<std::uint32_t>(topics.size());
    skim.topics = std::move(topics);
    return skim;
}

std::vector<std::string> topics(const ExchangeIndex& index, std::uint32_t row) {
    std::vector<std::string> names;
    for (Subject::Topic topic : index.row(row).subject().topics)
        names.emplace_back(index.topicName(topic));
    return names;
}

TEST(ExchangeIndex, showsARequestBeforeItsAnswerAndTheAnswerOnce) {
    ExchangeIndex index;
    index.requestSeen(request(1), naming({"orders"}));
    ASSERT_EQ(index.size(), 1U);
    EXPECT_TRUE(index.row(0).known());
    EXPECT_FALSE(index.row(0).ended());
    EXPECT_FALSE(index.row(0).latency());
    EXPECT_FALSE(index.row(0).hasResponse());

    Skim answer;
    answer.errors = {{3, "a"}, {6, "b"}, {3, "c"}};
    answer.throttleMs = 40;
    index.ended(paired(1), naming({"orders"}), answer);
    const ExchangeRow row = index.row(0);
    EXPECT_TRUE(row.ended());
    EXPECT_EQ(row.status(), ExchangeStatus::Paired);
    EXPECT_EQ(row.apiKey(), 1);
    EXPECT_EQ(row.apiVersion(), 17);
    EXPECT_EQ(index.text(row.clientId()), "c1");
    EXPECT_EQ(row.requestBytes(), 120U);
    EXPECT_EQ(row.responseBytes(), 200U);
    EXPECT_EQ(*row.latency(), 300us);
    EXPECT_THAT(row.outcome().errors, ElementsAre(Outcome::Code{3, 2}, Outcome::Code{6, 1}));
    EXPECT_EQ(row.outcome().throttleMs, 40);
    EXPECT_THAT(topics(index, 0), ElementsAre("orders"));
    EXPECT_EQ(index.counts().errors, 1U);
}

TEST(ExchangeIndex, leavesARowUnknownUntilItsOwnRequestIsThere) {
    ExchangeIndex index;
    index.requestSeen(request(2), {});
    ASSERT_EQ(index.size(), 2U);
    EXPECT_FALSE(index.row(0).known());
    EXPECT_TRUE(index.row(1).known());
    index.ended(paired(1), {}, {});
    EXPECT_TRUE(index.row(0).ended());
    EXPECT_EQ(index.counts().exchanges, 2U);
}

TEST(ExchangeIndex, rebuildsTheExchangeItWasGiven) {
    ExchangeIndex index;
    Exchange before = paired(1);
    before.problems = {{ProblemKind::Clock, "response", 0, "the answer stands before its request"}};
    before.responseVersion = 0;
    index.ended(before, {}, {});
    const Exchange after = index.exchange(0);
    EXPECT_EQ(after.id, before.id);
    EXPECT_EQ(after.connection, before.connection);
    EXPECT_EQ(after.tcpConnection, before.tcpConnection);
    EXPECT_EQ(after.client, before.client);
    EXPECT_EQ(after.broker, before.broker);
    EXPECT_EQ(after.header->clientId, before.header->clientId);
    EXPECT_EQ(after.responseVersion, 0);
    EXPECT_EQ(after.request->begin, before.request->begin);
    EXPECT_EQ(after.response->end, before.response->end);
    EXPECT_EQ(after.problems.at(0).text, before.problems[0].text);
}

TEST(ExchangeIndex, keepsANullClientIdApartFromAnEmptyOne) {
    ExchangeIndex index;
    Exchange none = request(1), empty = request(2);
    none.header->clientId.reset();
    empty.header->clientId = "";
    index.requestSeen(none, {});
    index.requestSeen(empty, {});
    EXPECT_FALSE(index.row(0).hasClientId());
    EXPECT_TRUE(index.row(1).hasClientId());
    EXPECT_FALSE(index.exchange(0).header->clientId);
    EXPECT_EQ(index.exchange(1).header->clientId, "");
}

TEST(ExchangeIndex, joinsTheTopicsOfRequestAndAnswer) {
    ExchangeIndex index;
    index.ended(paired(1), naming({"a"}), naming({"a", "b"}));
    index.ended(paired(2), {}, naming({"a", "b"}));
    EXPECT_THAT(topics(index, 0), ElementsAre("a", "b"));
    EXPECT_THAT(topics(index, 1), ElementsAre("a", "b"));
    EXPECT_TRUE(index.row(1).subject().topicsOfResponse);
}

TEST(ExchangeIndex, namesTopicIdsAlsoForEarlierExchanges) {
    ExchangeIndex index;
    Skim skim;
    skim.topicIds = {{1, 2, 3}};
    skim.topicCount = 1;
    index.requestSeen(request(1), skim);
    EXPECT_THAT(topics(index, 0), ElementsAre(""));
    EXPECT_TRUE(index.topicId(index.row(0).subject().topics[0]));
    index.nameTopics([](const auto&) { return ""; });
    EXPECT_THAT(topics(index, 0), ElementsAre(""));
    index.nameTopics([](const auto& id) { return id[2] == 3 ? "orders" : ""; });
    EXPECT_THAT(topics(index, 0), ElementsAre("orders"));
}

TEST(ExchangeIndex, doesNotCallWaitingByDesignSlow) {
    ExchangeIndex index(100us);
    Skim longPoll, nothingCame;
    longPoll.maxWaitMs = 500;
    longPoll.minBytes = 1;
    Exchange waited = paired(2);
    waited.response = frameOf(200, 21, noon + 2ms + 300ms);
    index.ended(paired(1), {}, {});
    index.ended(waited, longPoll, nothingCame);
    EXPECT_TRUE(index.row(0).slow(100us));
    EXPECT_EQ(index.row(1).waitReason(), WaitReason::LongPoll);
    EXPECT_FALSE(index.row(1).slow(100us));
    EXPECT_EQ(index.counts().slow, 1U);
}

TEST(ExchangeIndex, callsLostBytesAndMalformedBodiesDamage) {
    ExchangeIndex index;
    Exchange cut = paired(1);
    Slice missing;
    missing.length = 40;
    missing.hole = Hole::Lost;
    cut.response->append(missing);
    Skim malformed, trailing;
    malformed.problems = {{ProblemKind::Malformed, "", 0, ""}};
    trailing.problems = {{ProblemKind::Trailing, "", 0, ""}};
    index.ended(cut, {}, {});
    index.ended(paired(2), {}, malformed);
    index.ended(paired(3), {}, trailing);
    EXPECT_TRUE(index.row(0).damaged());
    EXPECT_TRUE(index.row(1).damaged());
    EXPECT_FALSE(index.row(2).damaged());
    EXPECT_EQ(index.counts().damaged, 2U);
}

TEST(ExchangeIndex, learnsTheSoftwareOfAConnectionLate) {
    ExchangeIndex index;
    index.requestSeen(request(1), {});
    EXPECT_EQ(index.software(1).first, 0U);
    Exchange told = paired(1);
    told.peer = std::make_shared<PeerInfo>(PeerInfo{"apache-kafka-java", "4.4.0", ""});
    index.ended(told, {}, {});
    EXPECT_EQ(index.text(index.software(1).first), "apache-kafka-java");
    EXPECT_EQ(index.text(index.software(1).second), "4.4.0");
}

TEST(ExchangeIndex, keepsAMillionExchangesInAHundredMegabytes) {
    ExchangeIndex index;
    for (std::uint64_t id = 1; id <= 1'000'000; ++id)
        index.ended(paired(id, 1 + id % 900), naming({id % 3 ? "orders" : "billing"}), {});
    EXPECT_EQ(index.size(), 1'000'000U);
    EXPECT_LT(index.memoryBytes(), 105U * 1000 * 1000);
    EXPECT_EQ(index.exchange(999'999).correlationId, 2'000'000);
}

TEST(ExchangeIndex, isReadWithoutLocksWhileItGrows) {
    ExchangeIndex index;
    constexpr std::uint32_t rows = 10'000;
    std::vector<std::string> names;
    for (int i = 0; i < 256; ++i)
        names.push_back("topic-" + std::to_string(i));
    std::thread writer([&] {
        for (std::uint64_t id = 1; id <= rows; ++id) {
            Skim asked = naming({"topic-" + std::to_string(id % 100)});
            if (id % 7 == 0) asked.topics.clear(), asked.topicIds = {{static_cast<std::uint8_t>(id % 100)}};
            index.requestSeen(request(id, 1 + id % 50), asked);
            index.nameTopics([&](const auto& topic) -> std::string_view { return names[topic[0]]; });
            Skim answer;
            answer.errors = {{static_cast<std::int16_t>(1 + id % 40), "x"}};
            if (id > 3) index.ended(paired(id - 3, 1 + (id - 3) % 50), {}, answer);
        }
    });
    std::uint64_t errors = 0;
    bool consistent = true;
    for (std::uint32_t seen = 0; seen < rows;) {
        const std::uint32_t now = index.size();
        for (std::uint32_t at = seen > 50 ? seen - 50 : 0; at < now; ++at) {
            const ExchangeRow row = index.row(at);
            consistent &= row.known() && index.text(row.clientId()) == "c1" && row.connection() == 1 + (at + 1) % 50;
            const std::string_view topic = index.topicName(row.subject().topics[0]);
            consistent &= topic == names[(at + 1) % 100] || (topic.empty() && (at + 1) % 7 == 0);
            if (row.ended()) {
                errors += row.outcome().errors.size();
                consistent &= *row.latency() == 300us && index.exchange(at).response.has_value();
            }
        }
        seen = now;
    }
    writer.join();
    EXPECT_TRUE(consistent);
    EXPECT_GT(errors, 0U);
}

} // namespace
} // namespace brokerscope
