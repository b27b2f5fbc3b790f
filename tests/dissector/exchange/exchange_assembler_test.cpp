// SPDX-License-Identifier: Apache-2.0
#include "tests/support/exchange_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace brokerscope::test {
namespace {

using testing::ElementsAre;
using Status = ExchangeStatus;

TEST(ExchangeAssembler, pairsByCorrelationId) {
    Wire wire;
    wire.client(heartbeat(5)).broker(beat(5)).client(heartbeat(6)).broker(beat(6, 27)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired));
    EXPECT_EQ(wire.seen.exchanges[0].header->clientId, "cli");
    EXPECT_EQ(latency(wire.seen.exchanges[0])->total, std::chrono::milliseconds(1));
}

TEST(ExchangeAssembler, tlsThatStayedClosedIsForeignAndIsToldOnceInItsLastState) {
    TlsFacts facts;
    Wire wire;
    wire.tls(facts);
    facts.cipherName = "latest";
    wire.tls(facts).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.foreign, ElementsAre("TLS"));
    EXPECT_THAT(wire.seen.tls, ElementsAre(std::pair(0, "latest")));
}

TEST(ExchangeAssembler, tlsWithKafkaInsideIsToldWithItsConnection) {
    Wire wire;
    wire.tls({}).client(heartbeat(5)).broker(beat(5)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.foreign, ElementsAre());
    ASSERT_EQ(wire.seen.tls.size(), 1u);
    EXPECT_EQ(wire.seen.tls[0].first, 1u);
}

TEST(ExchangeAssembler, answersOutOfOrderBelongToTheirRequests) {
    Wire wire;
    wire.client(heartbeat(1) + heartbeat(2) + heartbeat(3))
        .broker(beat(2) + beat(3))
        .broker(beat(1))
        .end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired, Status::Paired));
    EXPECT_EQ(wire.seen.exchanges[2].id.value, 1u);
}

TEST(ExchangeAssembler, anIdThatIsUsedAgainPairsWithTheOldestRequest) {
    Wire wire;
    wire.client(heartbeat(0)).client(heartbeat(0)).broker(beat(0)).broker(beat(0, 27)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired));
    EXPECT_EQ(wire.seen.exchanges[0].id.value, 1u);
}

TEST(ExchangeAssembler, saysWhyThereIsNoAnswer) {
    Wire reset;
    reset.client(heartbeat(1)).end(StreamEnd::Reset);
    EXPECT_EQ(reset.seen.exchanges[0].reason, NoAnswerReason::ConnectionReset);
    EXPECT_EQ(reset.seen.exchanges[0].status, Status::Unanswered);
    Wire ended;
    ended.client(heartbeat(1)).end(StreamEnd::CaptureEnded);
    EXPECT_EQ(ended.seen.exchanges[0].status, Status::Open);
    Wire passed;
    passed.client(heartbeat(1) + heartbeat(2)).broker(beat(2)).end(StreamEnd::CaptureEnded);
    EXPECT_THAT(passed.seen.statuses(), ElementsAre(Status::Paired, Status::Unanswered));
    EXPECT_EQ(passed.seen.exchanges[1].reason, NoAnswerReason::LaterAnswered);
}

TEST(ExchangeAssembler, anAnswerBeforeItsRequestIsPairedAndMarked) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1)).broker(beat(2)).client(heartbeat(2)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired));
    ASSERT_EQ(wire.seen.exchanges[1].problems.size(), 1u);
    EXPECT_EQ(wire.seen.exchanges[1].problems[0].kind, ProblemKind::Clock);
    EXPECT_FALSE(latency(wire.seen.exchanges[1]));
}

TEST(ExchangeAssembler, behindLostRequestsAnEarlierAnswerIsNotPairedWithTheNextOfItsId) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1)).broker(beat(2)).lost(Side::First, 18).client(heartbeat(2));
    wire.broker(beat(2)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Inferred, Status::Paired));
    EXPECT_TRUE(wire.seen.exchanges[2].problems.empty());
}

// Some clients give no name, and the last request on a connection has none behind it to speak for it.
TEST(ExchangeAssembler, aNamelessRequestBehindLostOnesIsKnownByItsIdGoingOn) {
    const auto nameless = [](int id) { return request(18, 0, id, "", ""); };
    for (const int id : {4, 5000}) {
        Wire wire;
        wire.client(heartbeat(1)).broker(beat(1)).lost(Side::First, 40).client(nameless(id)).end(StreamEnd::Fin);
        EXPECT_EQ(wire.seen.exchanges.size(), id == 4 ? 2u : 1u) << id;
    }
}

TEST(ExchangeAssembler, anAnswerWaitsForARequestWhoseIdIsLowerThanTheLast) {
    Wire wire;
    wire.client(heartbeat(5)).broker(beat(5)).broker(beat(0)).client(heartbeat(0)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired));
}

TEST(ExchangeAssembler, behindLostAnswersAnIdUsedAgainMeansTheLaterRequest) {
    Wire wire;
    wire.client(heartbeat(0)).lost(Side::Second, 10).client(heartbeat(0)).broker(beat(0)).end(StreamEnd::Fin);
    ASSERT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Unanswered));
    EXPECT_EQ(wire.seen.exchanges[0].id.value, 2u);
    EXPECT_EQ(wire.seen.exchanges[1].reason, NoAnswerReason::LaterAnswered);
}

TEST(ExchangeAssembler, anAnswerThatContradictsTheOnlyRequestOfItsIdBehindLostBytesIsNotItsOwn) {
    Wire wire;
    wire.client(heartbeat(1)).client(heartbeat(2)).lost(Side::Second, 10).broker(beat(2)).broker(response(1, "x"));
    wire.end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Unanswered, Status::OrphanResponse));
}

TEST(ExchangeAssembler, answersThatWouldPassForRequestsOfTheFutureAreNone) {
    Wire wire(false);
    const std::string fetched = std::string(10, '\0'); // throttle time, error, session
    for (int id = 140; id < 160; ++id)
        wire.broker(response(id, std::string(1, '\0') + fetched + octets({{1, 1}, {0, 1}})));
    wire.end(StreamEnd::CaptureEnded);
    EXPECT_TRUE(wire.seen.exchanges.empty());
}

TEST(ExchangeAssembler, rawTokensFollowSaslHandshakeOfVersion0) {
    const std::string plain = octets({{5, 2}}) + "PLAIN";
    Wire wire;
    wire.client(request(17, 0, 1, plain)).broker(response(1, octets({{0, 2}, {1, 4}}) + plain));
    wire.client(framed(std::string("\0alice\0secret", 13))).broker(framed(""));
    wire.client(heartbeat(2)).broker(beat(2)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::SaslToken, Status::Paired));
    EXPECT_TRUE(wire.seen.exchanges[1].response);
    EXPECT_EQ(wire.seen.exchanges[1].peer->saslMechanism, "PLAIN");
}

TEST(ExchangeAssembler, behindLostBytesAnswersDoNotGoToTokens) {
    const std::string plain = octets({{5, 2}}) + "PLAIN";
    Wire wire;
    wire.client(request(17, 0, 1, plain)).broker(response(1, octets({{0, 2}, {1, 4}}) + plain));
    wire.client(framed(std::string("\0alice\0secret", 13))).lost(Side::Second, 4);
    wire.client(heartbeat(2)).broker(beat(2)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired, Status::SaslToken));
    EXPECT_FALSE(wire.seen.exchanges[2].response);
}

TEST(ExchangeAssembler, aVendorsApiIsPairedWithoutBeingUnderstood) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1)).client(request(10001, 0, 2, "whatever")).broker(response(2, "anything"));
    wire.client(heartbeat(3)).broker(beat(3)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired, Status::Paired));
    EXPECT_EQ(wire.seen.exchanges[1].header->apiKey, 10001);
}

TEST(ExchangeAssembler, whatIsCutByTheEndOfTheConnectionWasNotAnswered) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1).substr(0, 9)).end(StreamEnd::Fin);
    EXPECT_EQ(wire.seen.exchanges[0].status, Status::Unanswered);
    EXPECT_EQ(wire.seen.exchanges[0].response->bytes.size(), 10u);
    EXPECT_FALSE(wire.seen.exchanges[0].response->complete);
}

TEST(ExchangeAssembler, otherProtocolsGiveNoExchanges) {
    Wire http;
    http.client("GET / HTTP/1.1\r\nHost: x\r\n\r\n").end(StreamEnd::Fin);
    EXPECT_THAT(http.seen.foreign, ElementsAre("HTTP"));
    // ZooKeeper: length, xid, type, path; read as Kafka's header these are Produce v1, v2, ...
    Wire zookeeper;
    for (int xid = 1; xid < 9; ++xid)
        zookeeper.client(framed(octets({{xid, 4}, {4, 4}, {8, 4}}) + "/brokers" + octets({{0, 1}})))
            .broker(framed(octets({{xid, 4}, {xid, 8}, {0, 4}})));
    zookeeper.end(StreamEnd::Fin);
    EXPECT_TRUE(zookeeper.seen.exchanges.empty());
    Wire forced(true, {9092});
    forced.client(heartbeat(1)).broker(beat(1)).end(StreamEnd::Fin);
    EXPECT_EQ(forced.seen.exchanges.size(), 1u);
}

TEST(ExchangeAssembler, aCaptureThatBeginsInsideAMessageFindsWhatFollows) {
    Wire wire(false);
    wire.client(heartbeat(1).substr(9)).broker(beat(0).substr(3));
    for (int id = 2; id < 5; ++id)
        wire.client(heartbeat(id)).broker(beat(id));
    wire.end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired, Status::Paired));
}

TEST(ExchangeAssembler, afterLostBytesTheNextFramesAreFoundInBothDirections) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1));
    wire.client(heartbeat(2).substr(0, 10)).lost(Side::First, 40).client(heartbeat(4).substr(12));
    wire.lost(Side::Second, 20);
    for (int id = 5; id < 8; ++id)
        wire.client(heartbeat(id)).broker(beat(id));
    wire.end(StreamEnd::Fin);
    const auto statuses = wire.seen.statuses();
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), Status::Paired), 4);
    EXPECT_GT(wire.seen.passedOver, 0u);
}

TEST(ExchangeAssembler, everySegmentationGivesTheSameExchanges) {
    std::string client, broker;
    for (int id = 0; id < 6; ++id) {
        client += heartbeat(id);
        broker += beat(id);
    }
    for (std::size_t step = 1; step < 40; ++step) {
        Wire wire;
        for (std::size_t at = 0; at < client.size(); at += step)
            wire.client(client.substr(at, step));
        for (std::size_t at = 0; at < broker.size(); at += step)
            wire.broker(broker.substr(at, step));
        wire.end(StreamEnd::Fin);
        EXPECT_EQ(wire.seen.statuses(), std::vector<Status>(6, Status::Paired)) << step;
    }
}

TEST(ExchangeAssembler, tellsWhatTcpDidWithTheExchangeThatItHappenedIn) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1)).sentAgain();
    wire.roundTrip(std::chrono::milliseconds(3));
    wire.client(heartbeat(2)).sentAgain().client(heartbeat(3)).sentAgain().broker(beat(2)).broker(beat(3));
    wire.client(heartbeat(4)).broker(beat(4)).end(StreamEnd::Fin);
    std::vector<std::uint32_t> again;
    for (const Exchange& exchange : wire.seen.exchanges)
        again.push_back(exchange.timing.sentAgain);
    EXPECT_THAT(again, ElementsAre(0, 2, 1, 0));
    EXPECT_EQ(wire.seen.exchanges[0].timing.roundTrip, std::nullopt);
    EXPECT_EQ(wire.seen.exchanges[3].timing.roundTrip, std::chrono::milliseconds(3));
}

TEST(ExchangeAssembler, tellsHowAnExchangeLiesAmongThoseOfItsConnection) {
    Wire wire;
    wire.client(heartbeat(1)).client(heartbeat(2)).broker(beat(1)).broker(beat(2)); // at 1, 2, 3, 4 ms
    wire.client(heartbeat(3)).broker(beat(3)).end(StreamEnd::Fin);
    const auto& exchanges = wire.seen.exchanges;
    EXPECT_EQ(exchanges[1].timing.inFlight, 2u);
    EXPECT_EQ(exchanges[1].timing.blocked, std::chrono::milliseconds(1));
    EXPECT_EQ(exchanges[2].timing.think, std::chrono::milliseconds(1));
}

} // namespace
} // namespace brokerscope::test
