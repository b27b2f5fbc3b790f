// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/message_json.h"

#include "dissector/message/secrets.h"
#include "tests/support/message_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <limits>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string jsonOf(const ByteChain& bytes, MessageContext context, JsonOptions options = {}) {
    context.framed = false;
    DecodedMessage message;
    decodeMessage(Protocol::builtin(), bytes, context, message);
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    writeJson(Protocol::builtin(), message, bytes, message.body, options, writer);
    rapidjson::Document check;
    check.Parse<rapidjson::kParseValidateEncodingFlag>(buffer.GetString());
    EXPECT_FALSE(check.HasParseError()) << buffer.GetString();
    return buffer.GetString();
}

MessageContext response(std::int16_t apiKey, std::int16_t apiVersion) {
    return {.direction = Direction::Response, .apiKey = apiKey, .apiVersion = apiVersion};
}

TEST(MessageJson, textThatIsNoUtf8IsRepairedAndControlsAreEscaped) {
    MessageBytes heartbeat;
    heartbeat.request(12, 0, 1, "c")
        .string("a\xff"
                "b\xc3\xa9")
        .i32(1)
        .string("\x01\n\"");
    EXPECT_EQ(jsonOf(heartbeat.chain(), {}), "{\"groupId\":\"a\xef\xbf\xbd"
                                             "b\xc3\xa9\",\"generationId\":1,\"memberId\":\"\\u0001\\n\\\"\"}");
}

TEST(MessageJson, whatIsNoNumberIsAText) {
    MessageBytes quotas; // DescribeClientQuotas 0: one entry with three values
    quotas.i32(1).i32(0).i16(0).i16(-1).i32(1).i32(0).i32(3);
    for (const double value : {0.5, std::nan(""), -std::numeric_limits<double>::infinity()})
        quotas.string("k").i64(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value)));
    EXPECT_THAT(jsonOf(quotas.chain(), response(48, 0)),
                HasSubstr(R"([{"key":"k","value":0.5},{"key":"k","value":"NaN"},{"key":"k","value":"-Infinity"}])"));
}

TEST(MessageJson, taggedFieldsAtTheirDefaultAreLeftOutEvenWhenSent) {
    MessageBytes fetch;
    fetch.request(1, 15, 8, "c", true).i32(500).i32(7).i32(1024).i8(1).i32(0).i32(-1).uvarint(1).uvarint(1).compact("");
    MessageBytes atDefault = fetch; // ClusterId null, ReplicaState -1, -1
    atDefault.uvarint(2).uvarint(0).uvarint(1).uvarint(0).uvarint(1).uvarint(13).i32(-1).i64(-1).uvarint(0);
    EXPECT_THAT(jsonOf(atDefault.chain(), {}), Not(HasSubstr("clusterId")));
    EXPECT_THAT(jsonOf(atDefault.chain(), {}), Not(HasSubstr("replicaState")));
    MessageBytes withTag = fetch; // the same, but something unknown hangs on it
    withTag.uvarint(1).uvarint(1).uvarint(16).i32(-1).i64(-1).uvarint(1).uvarint(77).uvarint(1).i8(1);
    EXPECT_THAT(jsonOf(withTag.chain(), {}), HasSubstr(R"("replicaState":{"replicaId":-1,"replicaEpoch":-1})"));
}

TEST(MessageJson, secretsAreMaskedUnlessAskedFor) {
    MessageBytes authenticate;
    authenticate.request(36, 1, 1, "c").i32(13).raw(std::string_view("\0alice\0secret", 13));
    EXPECT_EQ(jsonOf(authenticate.chain(), {}), R"x({"authBytes":"(masked)"})x");
    EXPECT_EQ(jsonOf(authenticate.chain(), {}, {.showSecrets = true}), R"({"authBytes":"AGFsaWNlAHNlY3JldA=="})");

    MessageBytes empty;
    empty.request(36, 1, 1, "c").i32(0);
    EXPECT_EQ(jsonOf(empty.chain(), {}), R"({"authBytes":""})");
}

TEST(MessageJson, configValuesAreSecretByTheirName) {
    MessageBytes alter; // IncrementalAlterConfigs 0
    alter.request(44, 0, 1, "c").i32(1).i8(4).string("1").i32(3);
    alter.string("listener.name.internal.ssl.key.password").i8(0).string("hunter2");
    alter.string("ssl.key.password").i8(1).i16(-1).string("log.retention.ms").i8(0).string("1000").i8(0);
    const std::string json = jsonOf(alter.chain(), {});
    EXPECT_THAT(json, HasSubstr(R"x("value":"(masked)")x"));
    EXPECT_THAT(json, Not(HasSubstr("hunter2")));
    EXPECT_THAT(json, HasSubstr(R"("configOperation":1,"value":null)"));
    EXPECT_THAT(json, HasSubstr(R"("value":"1000")"));
}

TEST(MessageJson, aConfigValueThatTheBrokerCallsSensitiveIsSecret) {
    MessageBytes configs; // DescribeConfigs 0
    configs.i32(1).i32(0).i32(1).i16(0).i16(-1).i8(4).string("1").i32(1);
    configs.string("harmless").string("not-so").i8(0).i8(0).i8(1);
    EXPECT_THAT(jsonOf(configs.chain(), response(32, 0)), Not(HasSubstr("not-so")));
}

TEST(MessageJson, aForwardedRequestIsMaskedWhenItsApiCarriesSecrets) {
    const auto envelope = [](const MessageBytes& inner) {
        MessageBytes out;
        out.request(58, 0, 1, "c", true).uvarint(inner.size() + 1);
        out.raw({reinterpret_cast<const char*>(inner.bytes().data()), inner.size()});
        out.uvarint(0).uvarint(5).raw("\x0a\x4d\x01\x02").uvarint(0);
        return out;
    };
    MessageBytes scram, topics;
    scram.request(51, 0, 1, "c", true).raw("whatever");
    topics.request(20, 1, 1, "c").i32(0).i32(0);
    EXPECT_THAT(jsonOf(envelope(scram).chain(), {}), HasSubstr(R"x("requestData":"(masked)")x"));
    EXPECT_THAT(jsonOf(envelope(topics).chain(), {}), HasSubstr(R"("requestData":"ABQAAQ)"));
}

TEST(SecretConfigs, areKnownByParts) {
    for (const char* name : {"ssl.keystore.password", "sasl.jaas.config", "SSL.KEY.PASSWORD", "ssl.keystore.key",
                             "sasl.oauthbearer.client.credentials.client.secret", "delegation.token.secret.key"})
        EXPECT_TRUE(isSecretConfig(name)) << name;
    for (const char* name : {"log.retention.ms", "cleanup.policy", "ssl.keystore.location", "key.converter"})
        EXPECT_FALSE(isSecretConfig(name)) << name;
}

TEST(MessageJson, damagedFieldsAreAbsentAndTheRestIsThere) {
    MessageBytes heartbeat;
    heartbeat.request(12, 0, 1, "c").string("billing").i32(1).string("member");
    const std::uint32_t groupAt = 11 + 2;
    EXPECT_EQ(jsonOf(withHole(heartbeat.bytes(), groupAt, 3, Hole::Lost), {}),
              R"({"generationId":1,"memberId":"member"})");
    EXPECT_EQ(jsonOf(heartbeat.chain().part(0, heartbeat.size() - 2), {}), R"({"groupId":"billing","generationId":1})");
}

class Opener : public JsonExpander {
  public:
    bool opens(const DecodedMessage& message, const ByteChain&, NodeIndex node) override {
        return message.tree.nodes[node].field->schema->name == m_name;
    }
    void write(const DecodedMessage& message, const ByteChain&, NodeIndex node, JsonWriter& out) override {
        out.StartObject();
        out.plainKey("opened");
        out.Uint(message.tree.nodes[node].contentLength());
        out.EndObject();
    }
    std::string m_name;
};

TEST(MessageJson, anExpanderWritesInPlaceOfRecordsAndBytes) {
    MessageBytes produce;
    produce.request(0, 3, 1, "c").i16(-1).i16(1).i32(1).i32(1).string("t").i32(2);
    produce.i32(0).i32(3).raw("abc").i32(1).i32(-1);
    Opener opener;
    opener.m_name = "Records";
    EXPECT_THAT(jsonOf(produce.chain(), {}),
                HasSubstr(R"([{"index":0,"recordsSizeInBytes":3},{"index":1,"records":null}])"));
    EXPECT_THAT(jsonOf(produce.chain(), {}, {.expander = &opener}),
                HasSubstr(R"([{"index":0,"records":{"opened":3}},{"index":1,"records":null}])"));
    MessageBytes authenticate;
    authenticate.request(36, 1, 1, "c").i32(4).raw("abcd");
    opener.m_name = "AuthBytes";
    EXPECT_EQ(jsonOf(authenticate.chain(), {}, {.expander = &opener}), R"({"authBytes":{"opened":4}})");
}

TEST(UnknownTags, areNamedByThePathOfTheirStruct) {
    MessageBytes versions;
    versions.request(18, 3, 1, "c").uvarint(1).uvarint(5).uvarint(2).raw("\xca\xfe");
    versions.compact("lib").compact("1.0").uvarint(1).uvarint(7).uvarint(0);
    MessageContext context;
    context.framed = false;
    DecodedMessage message;
    decodeMessage(Protocol::builtin(), versions.chain(), context, message);
    const auto tags = unknownTags(message, versions.chain(), "requestHeader", "request");
    ASSERT_EQ(tags.size(), 2u);
    EXPECT_EQ(tags[0].path, "requestHeader");
    EXPECT_EQ(tags[0].tag, 5u);
    EXPECT_EQ(tags[0].hex, "cafe");
    EXPECT_EQ(tags[1].path, "request");
    EXPECT_EQ(tags[1].hex, "");
}

} // namespace
} // namespace brokerscope
