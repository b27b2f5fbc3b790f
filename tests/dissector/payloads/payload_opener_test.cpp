// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/payload_opener.h"

#include "dissector/message/message_json.h"
#include "dissector/message/value_text.h"
#include "dissector/records/record_tree.h"
#include "tests/support/message_bytes.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tree_law.h"
#include "tests/support/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;

const Protocol& protocol() {
    return Protocol::builtin();
}

std::string json(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) {
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    writeJson(protocol(), message, bytes, node, {}, writer);
    return buffer.GetString();
}

// Decodes and opens; the law is held on the way.
std::string opened(const MessageBytes& bytes, MessageContext context, const PayloadContext& payload = {}) {
    context.framed = false;
    const ByteChain chain = bytes.chain();
    DecodedMessage message;
    decodeMessage(protocol(), chain, context, message);
    PayloadOpener(protocol()).open(chain, "request", payload, message);
    EXPECT_EQ(brokenLaw(message.tree, 0, chain.size()), "");
    EXPECT_TRUE(message.problems.empty()) << message.problems.front().at << message.problems.front().text;
    return json(message, chain, message.body);
}

// Length and content, as bytes fields have them.
MessageBytes& bytesField(MessageBytes& out, const MessageBytes& content) {
    out.i32(content.size());
    return out.raw({reinterpret_cast<const char*>(content.bytes().data()), content.size()});
}

MessageBytes subscription(const MessageBytes* userData) {
    MessageBytes out;
    out.i16(0).i32(1).string("orders");
    if (userData)
        bytesField(out, *userData);
    else
        out.i32(-1);
    return out;
}

MessageBytes join(std::string_view type, std::string_view assignor, const MessageBytes& metadata) {
    MessageBytes out;
    out.request(11, 0, 1, "c").string("g").i32(10000).string("").string(type).i32(1).string(assignor);
    bytesField(out, metadata);
    return out;
}

TEST(PayloadOpener, theGroupsProtocolDecidesWhatItsMetadataIs) {
    EXPECT_THAT(
        opened(join("consumer", "range", subscription(nullptr)), {}),
        HasSubstr("\"metadata\":{\"type\":\"ConsumerProtocolSubscription\",\"version\":0,\"value\":{\"topics\":["
                  "\"orders\"],\"userData\":null}}"));
    MessageBytes worker;
    worker.i16(0).string("http://w1:8083/").i64(7);
    EXPECT_THAT(opened(join("connect", "default", worker), {}),
                HasSubstr("{\"type\":\"ConnectMetadata\",\"version\":0,\"value\":{\"version\":0,\"url\":"
                          "\"http://w1:8083/\",\"config-offset\":7}}"));
    EXPECT_THAT(opened(join("sr", "v0", worker), {}), HasSubstr("\"metadata\":\"AAAAD2h0"));
}

TEST(PayloadOpener, theAssignorDecidesWhatUserDataIs) {
    MessageBytes generation;
    generation.i32(12);
    EXPECT_THAT(
        opened(join("consumer", "cooperative-sticky", subscription(&generation)), {}),
        HasSubstr("\"userData\":{\"type\":\"CooperativeStickyUserData\",\"version\":0,\"value\":{\"generation\":"
                  "12}}"));
    EXPECT_THAT(opened(join("consumer", "my-own", subscription(&generation)), {}),
                HasSubstr("\"userData\":\"AAAADA==\""));
    MessageBytes foreign; // what the sticky assignor would not write stays closed
    foreign.i32(77);
    EXPECT_THAT(opened(join("consumer", "sticky", subscription(&foreign)), {}), HasSubstr("\"userData\":\"AAAATQ==\""));
}

TEST(PayloadOpener, whatTheGroupSpokeBeforeOrWhatFitsDecidesWhereTheMessageDoesNotSay) {
    MessageBytes assignment, sync;
    assignment.i16(0).i32(1).string("orders").i32(1).i32(3).i32(-1);
    sync.request(14, 0, 1, "c").string("g").i32(1).string("m").i32(1).string("m");
    bytesField(sync, assignment);
    EXPECT_THAT(opened(sync, {}), HasSubstr("\"type\":\"ConsumerProtocolAssignment\""));
    PayloadContext connect;
    connect.protocolType = "unheard-of";
    EXPECT_THAT(opened(sync, {}, connect), HasSubstr("\"assignment\":\"AAAAAAAB"));
}

TEST(PayloadOpener, aForwardedRequestOpensWithHeaderAndBody) {
    MessageBytes inner, envelope;
    inner.request(12, 0, 5, "one").string("g").i32(3).string("m");
    envelope.request(58, 0, 9, "broker-1", true).uvarint(inner.size() + 1);
    envelope.raw({reinterpret_cast<const char*>(inner.bytes().data()), inner.size()});
    envelope.uvarint(0).uvarint(5).i8(10).i8(77).i8(0).i8(2).uvarint(0);
    EXPECT_THAT(
        opened(envelope, {}),
        HasSubstr("\"requestData\":{\"type\":\"HeartbeatRequest\",\"version\":0,\"header\":{\"requestApiKey\":12,"
                  "\"requestApiVersion\":0,\"correlationId\":5,\"clientId\":\"one\"},\"value\":{\"groupId\":\"g\","
                  "\"generationId\":3,\"memberId\":\"m\"}}"));
}

TEST(PayloadOpener, saslTokensOpenWithTheirSecretsMasked) {
    MessageBytes request, token;
    token.raw(std::string_view("\0alice\0wonderland", 17));
    bytesField(request.request(36, 0, 1, "c"), token);
    EXPECT_THAT(opened(request, {}),
                HasSubstr("{\"type\":\"PLAIN message\",\"value\":{\"authorizationId\":\"\",\"user\":\"alice\","
                          "\"password\":\"(masked)\"}}"));
}

// Every vector of the coordinators' topics and the metadata log, as a record of its topic.
TEST(PayloadOpener, opensEveryKeyAndValueOfTheInternalTopics) {
    const RecordPayloads payloads(protocol());
    std::size_t keys = 0, values = 0;
    for (const rapidjson::Document& vector : readVectors("nested.jsonl")) {
        const std::string kind = vector["kind"].GetString();
        if (!vector.HasMember("topic") || vector["topic"].IsNull()) continue;
        const std::string topic = vector["topic"].GetString();
        const auto data = bytesOfHex(vector["hex"].GetString());
        RecordPayload payload;
        SCOPED_TRACE(textOf(vector).substr(0, 200));
        if (kind == "coordinator-key") {
            ASSERT_TRUE(payloads.openKey(topic, false, data, payload));
            ++keys;
        } else {
            const int type = vector["type"].GetInt();
            const std::vector<std::uint8_t> key = {static_cast<std::uint8_t>(type >> 8),
                                                   static_cast<std::uint8_t>(type)};
            const bool keyed = kind == "coordinator-value";
            ASSERT_TRUE(
                payloads.openValue(topic, false, keyed ? std::optional<Bytes>(key) : std::nullopt, data, payload));
            ++values;
        }
        EXPECT_EQ(payload.type.type, vector["name"].GetString());
        EXPECT_EQ(brokenLaw(payload.message.tree, 0, payload.bytes.size()), "");
    }
    EXPECT_GT(keys, 150u);
    EXPECT_GT(values, 500u);
}

TEST(PayloadOpener, anOrdinaryTopicsRecordsStayClosed) {
    const std::vector<std::uint8_t> key = {0, 1, 0, 0};
    RecordPayload payload;
    EXPECT_FALSE(RecordPayloads(protocol()).openKey("orders", false, key, payload));
    EXPECT_FALSE(RecordPayloads(protocol()).openKey("__consumer_offsets", false, Bytes(key).first(1), payload));
    EXPECT_FALSE(RecordPayloads(protocol()).openValue("__consumer_offsets", false, std::nullopt, key, payload));
}

} // namespace
} // namespace brokerscope
