// SPDX-License-Identifier: Apache-2.0
// What clients and brokers do that the protocol's description does not lead to expect. Quirks that need a capture
// around them are in tests/cases, those of record batches in tests/dissector/records.
#include "tests/support/exchange_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace brokerscope::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Status = ExchangeStatus;

const std::string kPlain = octets({{5, 2}}) + "PLAIN";

std::string saslHandshake(int id) {
    return request(17, 1, id, kPlain);
}
std::string mechanisms(int id) {
    return response(id, octets({{0, 2}, {1, 4}}) + kPlain);
}
std::string authenticate(int id) {
    return request(36, 1, id, octets({{4, 4}}) + std::string("\0a\0b", 4));
}
std::string authenticated(int id) {
    return response(id, octets({{0, 2}, {-1, 2}, {0, 4}, {4000, 8}}));
}

// The Java client takes ids from 2147483640 on for authentication; some count from 0 or wrap to negative ones.
TEST(Quirks, correlationIdsAreAnyNumber) {
    Wire wire;
    for (const int id : {0, -1, std::numeric_limits<int>::min(), 2147483640, std::numeric_limits<int>::max()})
        wire.client(heartbeat(id)).broker(beat(id));
    wire.end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), testing::AllOf(SizeIs(5), testing::Each(Status::Paired)));
    EXPECT_EQ(wire.seen.exchanges[2].correlationId, std::numeric_limits<int>::min());
}

TEST(Quirks, clientIdsMayBeNullOrEmpty) {
    const std::string body = octets({{1, 2}}) + "g" + octets({{7, 4}, {1, 2}}) + "m";
    Wire wire;
    wire.client(framed(octets({{12, 2}, {0, 2}, {1, 4}, {-1, 2}}) + body)).broker(beat(1));
    wire.client(request(12, 0, 2, body, "")).broker(beat(2)).end(StreamEnd::Fin);
    ASSERT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired));
    EXPECT_EQ(wire.seen.exchanges[0].header->clientId, std::nullopt);
    EXPECT_EQ(wire.seen.exchanges[1].header->clientId, "");
}

TEST(Quirks, aConnectionIsAuthenticatedAnewBetweenItsRequests) { // KIP-368
    Wire wire;
    wire.client(saslHandshake(2147483640)).broker(mechanisms(2147483640));
    wire.client(authenticate(2147483641)).broker(authenticated(2147483641));
    wire.client(heartbeat(3)); // still under way when authentication begins again
    wire.client(saslHandshake(2147483640)).broker(beat(3)).broker(mechanisms(2147483640));
    wire.client(authenticate(2147483641)).broker(authenticated(2147483641));
    wire.client(heartbeat(4)).broker(beat(4)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), testing::AllOf(SizeIs(6), testing::Each(Status::Paired)));
}

TEST(Quirks, kerberosClientsOfKafka09BeginWithBareTokens) {
    Wire wire;
    wire.client(framed("\x60" + std::string(60, 'k'))).broker(framed(std::string(40, 'r')));
    wire.client(framed("\x05\x04" + std::string(30, 'k'))).broker(framed(""));
    wire.client(heartbeat(1)).broker(beat(1)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::SaslToken, Status::SaslToken, Status::Paired));
    EXPECT_EQ(wire.seen.exchanges.back().header->apiKey, 12);
}

TEST(Quirks, oneRequestMayComeInThreeThousandPackets) {
    const std::string bytes = request(0, 3, 1,
                                      octets({{-1, 2}, {1, 2}, {1000, 4}, {1, 4}, {1, 2}}) + "t" +
                                          octets({{1, 4}, {0, 4}, {3000, 4}}) + std::string(3000, 'r'));
    Wire wire;
    for (const char byte : bytes)
        wire.client(std::string(1, byte));
    wire.client(heartbeat(2)).broker(beat(2)).end(StreamEnd::Fin);
    ASSERT_THAT(wire.seen.exchanges, SizeIs(2));
    const auto produce = std::ranges::find(wire.seen.exchanges, 1, &Exchange::correlationId);
    EXPECT_EQ(produce->request->bytes.size(), bytes.size());
    EXPECT_EQ(produce->request->bytes.pieces().size(), bytes.size());
}

TEST(Quirks, anUnknownApiIsFollowedByKnownOnes) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1));
    wire.client(request(10001, 3, 2, "what only a vendor knows")).broker(response(2, "as the answer"));
    wire.client(request(12, 90, 3, "of the future")).broker(response(3, octets({{35, 2}})));
    wire.client(heartbeat(4)).broker(beat(4)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), testing::AllOf(SizeIs(4), testing::Each(Status::Paired)));
}

// Brokers refuse more than 100 MB by default, and close the connection.
TEST(Quirks, aLengthOfMoreThanAHundredMegabytesIsAFrameThatNobodyFinished) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1));
    std::string large = heartbeat(2);
    large.replace(0, 4, octets({{120 << 20, 4}}));
    wire.client(large).end(StreamEnd::Reset);
    ASSERT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Unanswered));
    EXPECT_EQ(wire.seen.exchanges[1].request->bytes.size(), (120u << 20) + 4);
    EXPECT_FALSE(wire.seen.exchanges[1].request->complete);
}

TEST(Quirks, aLengthThatNoFrameHasIsPassedOver) {
    Wire wire;
    wire.client(heartbeat(1)).broker(beat(1));
    wire.client(octets({{-1, 4}}) + "????").client(heartbeat(2)).broker(beat(2)).end(StreamEnd::Fin);
    EXPECT_THAT(wire.seen.statuses(), ElementsAre(Status::Paired, Status::Paired));
    EXPECT_EQ(wire.seen.passedOver, 8u);
}

} // namespace
} // namespace brokerscope::test
