// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/join/broker_join.h"
#include "dissector/analysis/join/capture_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::SizeIs;

constexpr std::string_view jsonLine =
    R"([2026-11-29 14:55:01,123] DEBUG Completed request:{"isForwarded":false,"requestHeader":{"requestApiKey":1,)"
    R"("requestApiVersion":17,"correlationId":8,"clientId":"c1","requestApiKeyName":"FETCH"},"request":{},"response":{},)"
    R"("connection":"10.0.0.11:9092-10.0.0.2:4711-0-3","totalTimeMs":5.5,"requestQueueTimeMs":0.5,"localTimeMs":1,)"
    R"("remoteTimeMs":3,"throttleTimeMs":250,"responseQueueTimeMs":0.25,"sendTimeMs":0.75} (kafka.request.logger))";

std::optional<LoggedRequest> read(std::string_view line) {
    return readLoggedRequest(Protocol::builtin(), line);
}

Endpoint at(std::uint8_t last, std::uint16_t port) {
    Endpoint end;
    end.address.bytes = {10, 0, 0, last};
    end.port = port;
    return end;
}

TEST(RequestLog, readsJsonBehindWhatLog4jPutsInFront) {
    const auto logged = read(jsonLine);
    ASSERT_TRUE(logged);
    EXPECT_EQ(logged->broker, at(11, 9092));
    EXPECT_EQ(logged->client, at(2, 4711));
    EXPECT_EQ(logged->apiKey, 1);
    EXPECT_EQ(logged->apiVersion, 17);
    EXPECT_EQ(logged->correlationId, 8);
    EXPECT_EQ(logged->times.total, 5500us);
    EXPECT_EQ(logged->times.responseQueue, 250us);
    EXPECT_FALSE(logged->forwarded);
}

TEST(RequestLog, readsTheTextOf1_1) {
    const auto logged = read(
        "RequestHeader(apiKey=UPDATE_METADATA, apiVersion=4, clientId=1, correlationId=7) -- "
        "{controller_id=1},response:"
        "{error_code=0} from connection 10.0.0.11:19111-10.0.0.2:60150-0;totalTime:17.487,requestQueueTime:4.405,"
        "localTime:11.023,remoteTime:0.0,throttleTime:0.0,responseQueueTime:0.307,sendTime:1.905,principal:User:A");
    ASSERT_TRUE(logged);
    EXPECT_EQ(logged->apiKey, 6);
    EXPECT_EQ(logged->apiVersion, 4);
    EXPECT_EQ(logged->correlationId, 7);
    EXPECT_EQ(logged->times.total, 17487us);
    EXPECT_EQ(logged->times.send, 1905us);
}

TEST(RequestLog, readsTheTextOf0_10And0_8) {
    const auto numbered =
        read("{api_key=14,api_version=0,correlation_id=6,client_id=c} -- {group_id=g} from connection "
             "10.0.0.11:19102-10.0.0.2:35762;totalTime:6,requestQueueTime:1,sendTime:1");
    ASSERT_TRUE(numbered);
    EXPECT_EQ(numbered->apiKey, 14);
    EXPECT_EQ(numbered->times.total, 6ms);
    const auto scala =
        read("Name: ProducerRequest; Version: 0; CorrelationId: 2; ClientId: p; RequiredAcks: 0 from client "
             "/10.0.0.2:49688;totalTime:5,requestQueueTime:1,localTime:1,sendTime:0");
    ASSERT_TRUE(scala);
    EXPECT_EQ(scala->apiKey, 0);
    EXPECT_FALSE(scala->broker);
    EXPECT_EQ(scala->client, at(2, 49688));
    const auto dense =
        read("Name:UpdateMetadataRequest;Version:0;Controller:1;ControllerEpoch:1;CorrelationId:9;ClientId:x "
             "from client /10.0.0.2:49688;totalTime:5,requestQueueTime:1,localTime:1,sendTime:0");
    ASSERT_TRUE(dense);
    EXPECT_EQ(dense->apiKey, 6);
    EXPECT_EQ(dense->correlationId, 9);
}

TEST(RequestLog, refusesWhatIsNoSuchLine) {
    EXPECT_FALSE(read(""));
    EXPECT_FALSE(read("[2026-11-29 14:55:01,123] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)"));
    EXPECT_FALSE(read(jsonLine.substr(0, jsonLine.size() / 2)));
    EXPECT_FALSE(read(R"({"requestHeader":{"requestApiKey":1}})"));
    EXPECT_FALSE(read(";totalTime:5"));
}

BrokerTimes brokerTimes() {
    return read(jsonLine)->times;
}

TEST(SplitTimes, addsUpToTheWhole) {
    const Latency latency{8ms, 1ms, 6ms, 1ms};
    const JoinedTimes joined = splitTimes(latency, brokerTimes(), true);
    EXPECT_EQ(joined.network, 1500us); // 7 ms on the wire after the request, 5.5 ms at the broker
    EXPECT_EQ(joined.excess, Duration{});
    EXPECT_EQ(joined.silence, 250ms);
    const BrokerTimes& parts = joined.broker;
    EXPECT_EQ(joined.requestTransfer + joined.network + parts.requestQueue + parts.local + parts.remote +
                  parts.throttle + parts.responseQueue + parts.send - joined.excess,
              joined.whole);
}

TEST(SplitTimes, countsTheThrottlingOfOldBrokersAsAPart) {
    const JoinedTimes joined = splitTimes({300ms, 0ms, 300ms, 0ms}, brokerTimes(), false);
    EXPECT_EQ(joined.broker.throttle, 250ms);
    EXPECT_EQ(joined.silence, Duration{});
    EXPECT_EQ(joined.network, 44500us);
}

TEST(SplitTimes, showsTheExcessWhereTheBrokerCountedMore) {
    const JoinedTimes joined = splitTimes({5ms, 0ms, 5ms, 0ms}, brokerTimes(), true);
    EXPECT_EQ(joined.network, Duration{});
    EXPECT_EQ(joined.excess, 500us);
}

// One exchange as a capture with this clock would have it.
Exchange exchangeAt(std::uint64_t id, std::int32_t correlation, Duration sent, Duration answered) {
    static const std::array<std::uint8_t, 8> bytes{};
    const Timestamp start{std::chrono::seconds{1'700'000'000}};
    const auto frame = [&](Timestamp time) {
        Frame made;
        made.complete = true;
        made.append({bytes.data(), 8, Hole::None, 6, PacketNumber{1}, time});
        return made;
    };
    Exchange exchange;
    exchange.id = ExchangeId{id};
    exchange.client = at(2, 4711);
    exchange.broker = at(11, 9092);
    exchange.header = RequestHeader{12, 4, correlation, "c"};
    exchange.correlationId = correlation;
    exchange.request = frame(start + sent);
    exchange.status = ExchangeStatus::Unanswered;
    if (answered > Duration{}) {
        exchange.status = ExchangeStatus::Paired;
        exchange.response = frame(start + answered);
    }
    return exchange;
}

TEST(BrokerJoin, joinsByBothEndsIdAndApi) {
    BrokerJoin join;
    join.addLogged(*read(jsonLine));
    LoggedRequest other = *read(jsonLine);
    other.apiKey = 12;
    other.apiVersion = 4;
    join.addLogged(other);
    ExchangeFactsReader reader(Protocol::builtin());
    const Exchange exchange = exchangeAt(1, 8, 0ms, 9ms);
    const auto joined = join.join(reader.read(exchange));
    ASSERT_TRUE(joined);
    EXPECT_EQ(joined->network, 3500us);
    EXPECT_FALSE(join.join(reader.read(exchange))) << "a line is joined once";
    EXPECT_THAT(join.rest().ofCapture, SizeIs(1)); // the Fetch
    const Exchange open = exchangeAt(2, 9, 1ms, 0ms);
    EXPECT_FALSE(join.join(reader.read(open)));
    EXPECT_EQ(BrokerJoin::whyNot(reader.read(open)), NotLogged::NoAnswer);
}

TEST(BrokerJoin, tellsWaitingBehindTheRequestBeforeFromTheNetwork) {
    BrokerJoin join;
    LoggedRequest logged = *read(jsonLine);
    logged.apiKey = 12;
    logged.times = {};
    logged.times.local = 1ms;
    join.addLogged(logged);
    ExchangeFactsReader reader(Protocol::builtin());
    Exchange exchange = exchangeAt(1, 8, 20ms, 103ms);
    exchange.timing.blocked = 80ms;
    const auto joined = join.join(reader.read(exchange));
    ASSERT_TRUE(joined);
    EXPECT_EQ(joined->blocked, 80ms);
    EXPECT_EQ(joined->network, 2ms);
}

TEST(CaptureJoin, worksOutTheOffsetBetweenItsBounds) {
    CaptureJoin join;
    constexpr Duration offset = 3s;
    // ways of 1 and 2 ms, then 4 and 1 ms: the offset is known to within a millisecond
    join.addClientSide(exchangeAt(1, 1, 0ms, 13ms));
    join.addBrokerSide(exchangeAt(1, 1, offset + 1ms, offset + 11ms));
    join.addClientSide(exchangeAt(2, 2, 100ms, 115ms));
    join.addBrokerSide(exchangeAt(2, 2, offset + 104ms, offset + 114ms));
    const CaptureJoin::Result result = join.finish();
    ASSERT_THAT(result.joined, SizeIs(2));
    EXPECT_EQ(result.clock.offset, offset);
    EXPECT_EQ(result.clock.uncertainty, 1ms);
    EXPECT_FALSE(result.clock.contradicts);
    for (const CaptureJoin::Joined& row : result.joined)
        EXPECT_EQ(row.requestTransfer + row.requestPath + row.atBroker + row.responsePath + row.responseTransfer,
                  row.whole);
    EXPECT_EQ(result.joined[0].requestPath, 1ms);
    EXPECT_EQ(result.joined[0].responsePath, 2ms);
    EXPECT_EQ(result.joined[1].requestPath, 4ms);
}

TEST(CaptureJoin, saysWhenNoOffsetFits) {
    CaptureJoin join;
    join.addClientSide(exchangeAt(1, 1, 0ms, 12ms));
    join.addBrokerSide(exchangeAt(1, 1, 1ms, 11ms));
    join.addClientSide(exchangeAt(2, 2, 100ms, 112ms));
    join.addBrokerSide(exchangeAt(2, 2, 151ms, 161ms)); // the clock jumped by 50 ms
    EXPECT_TRUE(join.finish().clock.contradicts);
}

TEST(CaptureJoin, tellsTheFatesOfWhatDidNotCome) {
    using Fate = CaptureJoin::Fate;
    CaptureJoin join;
    join.addClientSide(exchangeAt(1, 1, 0ms, 0ms)); // nowhere at the broker
    join.addClientSide(exchangeAt(2, 2, 1ms, 0ms));
    join.addBrokerSide(exchangeAt(1, 2, 2ms, 9ms)); // answered, the answer was lost
    join.addClientSide(exchangeAt(3, 3, 3ms, 0ms));
    join.addBrokerSide(exchangeAt(2, 3, 4ms, 0ms)); // never answered
    join.addBrokerSide(exchangeAt(3, 4, 5ms, 6ms)); // not in the client's capture
    std::vector<Fate> fates;
    for (const auto& single : join.finish().singles)
        fates.push_back(single.fate);
    EXPECT_THAT(fates,
                testing::ElementsAre(Fate::NeverArrived, Fate::AnswerLost, Fate::NotAnswered, Fate::OnlyAtBroker));
}

TEST(CaptureJoin, noticesCapturesGivenTheOtherWayRound) {
    CaptureJoin join;
    join.addClientSide(exchangeAt(1, 1, 1ms, 11ms));
    join.addBrokerSide(exchangeAt(1, 1, 0ms, 13ms));
    EXPECT_TRUE(join.finish().swapped);
}

} // namespace
} // namespace brokerscope
