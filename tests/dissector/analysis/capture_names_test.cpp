// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/capture_names.h"

#include "tests/support/made_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

constexpr std::int64_t topicIdFront = 0x614b9e7a3344, topicIdBack = 0x1122334455667788;

class CaptureNamesTest : public testing::Test {
  protected:
    Exchange make(const MessageBytes& request, const MessageBytes& response) {
        return m_maker.make(request, &response);
    }

    Exchange join(const char* group, const char* client, const char* type, const char* assignor) {
        MessageBytes request, response;
        request.request(11, 0, 1, client).string(group).i32(10000).string("").string(type).i32(0);
        response.i32(1).i16(0).i32(1).string(assignor).string("m-1").string("m-1").i32(0);
        return make(request, response);
    }

    ExchangeMaker m_maker;
    CaptureNames m_names{Protocol::builtin()};
};

TEST_F(CaptureNamesTest, aMemberIsNamedByTheClientThatJoins) {
    EXPECT_EQ(m_names.clientOf("m-1"), "");
    m_names.learn(join("g", "billing-1", "consumer", "range"));
    EXPECT_EQ(m_names.clientOf("m-1"), "billing-1");
    EXPECT_EQ(m_names.idNames().member("m-1"), "billing-1");
}

TEST_F(CaptureNamesTest, aProducerIdIsNamedByTheTransactionalIdThatAskedForIt) {
    MessageBytes request, response;
    request.request(22, 0, 1, "c").string("tx-orders").i32(60000);
    response.i32(1).i32(0).i16(0).i64(4000).i16(0);
    m_names.learn(make(request, response));
    EXPECT_EQ(m_names.transactionalIdOf(4000), "tx-orders");
    EXPECT_EQ(m_names.transactionalIdOf(4001), "");
}

TEST_F(CaptureNamesTest, aNodeHasTheAddressThatMetadataTells) {
    MessageBytes request, response;
    request.request(3, 0, 1, "c").i32(0);
    response.i32(1).i32(2).i32(1).string("10.77.0.11").i32(9092).i32(2).string("fd77::12").i32(9097).i32(0);
    m_names.learn(make(request, response));
    EXPECT_EQ(m_names.addressOf(1), "10.77.0.11:9092");
    EXPECT_EQ(m_names.addressOf(2), "[fd77::12]:9097");
    EXPECT_EQ(m_names.addressOf(3), "");
}

TEST_F(CaptureNamesTest, aTopicIdHasTheNameThatStandsBesideIt) {
    MessageBytes request, response;
    request.request(19, 7, 1, "c", true).uvarint(1).i32(1000).i8(0).uvarint(0);
    response.i32(1).uvarint(0).i32(0).uvarint(2).compact("orders").i64(topicIdFront).i64(topicIdBack).i16(0);
    response.uvarint(0).i32(1).i16(1).uvarint(1).uvarint(0).uvarint(0);
    m_names.learn(make(request, response));
    const TopicId id{0, 0, 0x61, 0x4b, 0x9e, 0x7a, 0x33, 0x44, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    EXPECT_EQ(m_names.topics().name(id), "orders");
}

TEST_F(CaptureNamesTest, whatAGroupSpeaksIsRememberedForItsSyncs) {
    MessageBytes sync, answer;
    sync.request(14, 0, 2, "c").string("g").i32(1).string("m-1").i32(0);
    answer.i32(2).i16(0).i32(0);
    const Exchange exchange = make(sync, answer);
    EXPECT_EQ(m_names.payloadContext(exchange, Direction::Response).protocolType, "");
    m_names.learn(join("other", "c", "connect", "default"));
    m_names.learn(join("g", "c", "consumer", "sticky"));
    const PayloadContext context = m_names.payloadContext(exchange, Direction::Response);
    EXPECT_EQ(context.protocolType, "consumer");
    EXPECT_EQ(context.protocolName, "sticky");
}

TEST_F(CaptureNamesTest, anEnvelopesAnswerIsReadByTheRequestInside) {
    MessageBytes inner, envelope, answer;
    inner.request(12, 3, 5, "one");
    envelope.request(58, 0, 9, "broker-1", true).uvarint(inner.size() + 1);
    envelope.raw({reinterpret_cast<const char*>(inner.bytes().data()), inner.size()});
    envelope.uvarint(0).uvarint(5).i32(0x0a4d0002).uvarint(0);
    answer.i32(9).uvarint(0).uvarint(0).i16(0).uvarint(0);
    const PayloadContext context = m_names.payloadContext(make(envelope, answer), Direction::Response);
    EXPECT_EQ(context.innerApi, 12);
    EXPECT_EQ(context.innerVersion, 3);
}

TEST_F(CaptureNamesTest, theMechanismIsTheHandshakes) {
    MessageBytes request;
    request.request(36, 0, 1, "c").i32(0);
    Exchange exchange = m_maker.make(request);
    EXPECT_EQ(m_names.payloadContext(exchange, Direction::Request).mechanism, "");
    auto peer = std::make_shared<PeerInfo>();
    peer->saslMechanism = "PLAIN";
    exchange.peer = peer;
    EXPECT_EQ(m_names.payloadContext(exchange, Direction::Request).mechanism, "PLAIN");
}

} // namespace
} // namespace brokerscope
