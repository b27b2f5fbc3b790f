// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/decoder.h"

#include "dissector/message/message_json.h"
#include "tests/support/message_bytes.h"
#include "tests/support/tree_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Decoded {
    DecodedMessage message;
    ByteChain bytes;

    std::string json(NodeIndex node) const {
        rapidjson::StringBuffer buffer;
        JsonWriter writer(buffer);
        writeJson(Protocol::builtin(), message, bytes, node, {}, writer);
        return buffer.GetString();
    }
    std::string body() const { return json(message.body); }
    std::vector<std::string> problems() const {
        std::vector<std::string> result;
        for (const Problem& problem : message.problems)
            result.push_back(std::string(row(problem.kind).name) + " at " + problem.at + " (" +
                             std::to_string(problem.offset) + "): " + problem.text);
        return result;
    }
};

Decoded decode(ByteChain bytes, MessageContext context) {
    Decoded result;
    result.bytes = std::move(bytes);
    decodeMessage(Protocol::builtin(), result.bytes, context, result.message);
    EXPECT_EQ(brokenLaw(result.message.tree, 0, result.bytes.size()), "");
    return result;
}

MessageContext request() {
    MessageContext context;
    context.framed = false;
    return context;
}

MessageContext response(std::int16_t apiKey, std::int16_t apiVersion) {
    MessageContext context;
    context.direction = Direction::Response;
    context.apiKey = apiKey;
    context.apiVersion = apiVersion;
    context.framed = false;
    return context;
}

TEST(Decoder, readsHeaderAndBodyOfAFramedRequest) {
    MessageBytes heartbeat;
    heartbeat.request(12, 3, 7, "me").string("billing").i32(5).string("member-1").i16(-1);
    const std::vector<std::uint8_t> frame = heartbeat.framed();
    MessageContext context;
    const Decoded decoded = decode(ByteChain::of(frame), context);
    EXPECT_THAT(decoded.problems(), IsEmpty());
    EXPECT_EQ(decoded.message.apiKey, 12);
    EXPECT_EQ(decoded.message.apiVersion, 3);
    EXPECT_EQ(decoded.json(decoded.message.header),
              R"({"requestApiKey":12,"requestApiVersion":3,"correlationId":7,"clientId":"me"})");
    EXPECT_EQ(decoded.body(), R"({"groupId":"billing","generationId":5,"memberId":"member-1","groupInstanceId":null})");
    EXPECT_EQ(decoded.message.tree.nodes[1].kind, NodeKind::FrameLength);
}

TEST(Decoder, aCountThatTheBytesCannotHoldStopsAndKeepsWhatWasRead) {
    MessageBytes fetch;
    fetch.request(1, 12, 7, "c", true).i32(-1).i32(500).i32(1).i32(1024).i8(0).i32(0).i32(-1).uvarint(201).raw("abc");
    const Decoded decoded = decode(fetch.chain(), request());
    EXPECT_THAT(decoded.problems(), ElementsAre(HasSubstr("malformed at request.topics (")));
    EXPECT_THAT(decoded.problems().front(), HasSubstr("count 200 needs more than the 3 bytes left"));
    EXPECT_THAT(decoded.body(), HasSubstr(R"("maxWaitMs":500)"));
    EXPECT_TRUE(decoded.message.tree.nodes[0].damaged);
    const FieldNode& rest = decoded.message.tree.nodes.back();
    EXPECT_EQ(rest.kind, NodeKind::Raw);
    EXPECT_EQ(rest.length, 3u);
}

TEST(Decoder, countsOfTwoThousandMillionTakeNoMemory) {
    MessageBytes metadata;
    metadata.request(3, 1, 1, "c").i32(0x7fffffff);
    const Decoded decoded = decode(metadata.chain(), request());
    EXPECT_THAT(decoded.problems(), ElementsAre(HasSubstr("malformed at request.topics")));
    EXPECT_LT(decoded.message.tree.nodes.size(), 20u);
}

TEST(Decoder, aNullWhereNoneIsAllowedIsSaidAndDecodingGoesOn) {
    MessageBytes answer; // ApiVersions 3: error code, keys, throttle time, tags
    answer.i32(1).i16(0).uvarint(0).i32(0).uvarint(0);
    const Decoded decoded = decode(answer.chain(), response(18, 3));
    EXPECT_THAT(decoded.problems(),
                ElementsAre("malformed at response.apiKeys (6): null, which this field may not be"));
    EXPECT_EQ(decoded.body(), R"({"errorCode":0,"apiKeys":null,"throttleTimeMs":0})");
}

TEST(Decoder, lengthsBelowMinusOneAndOverlongVarintsAreMalformed) {
    MessageBytes negative;
    negative.request(12, 0, 1, "c").i16(-7);
    EXPECT_THAT(decode(negative.chain(), request()).problems(),
                ElementsAre(HasSubstr("malformed at request.groupId (11): length -7")));
    MessageBytes overlong;
    overlong.request(12, 4, 1, "c", true).raw("\xff\xff\xff\xff\xff\xff\x01");
    EXPECT_THAT(decode(overlong.chain(), request()).problems(),
                ElementsAre(HasSubstr("a variable-length number of more than 5 bytes")));
}

TEST(Decoder, bytesBehindTheBodyAreTrailing) {
    MessageBytes versions;
    versions.request(18, 0, 1, "c").i32(0);
    const Decoded decoded = decode(versions.chain(), request());
    EXPECT_THAT(decoded.problems(), ElementsAre("trailing at request (11): 4 bytes are left behind the body"));
    EXPECT_EQ(decoded.message.tree.nodes.back().kind, NodeKind::Trailing);
    EXPECT_FALSE(decoded.message.tree.nodes[0].damaged);
}

TEST(Decoder, anUnknownApiKeepsItsHeaderAndARawBody) {
    MessageBytes vendor;
    vendor.request(10007, 4, 9, "cli").raw("whatever");
    const Decoded decoded = decode(vendor.chain(), request());
    EXPECT_THAT(decoded.problems(), ElementsAre("unknown-api at request (13): no API has the key 10007"));
    EXPECT_EQ(decoded.json(decoded.message.header),
              R"({"requestApiKey":10007,"requestApiVersion":4,"correlationId":9,"clientId":"cli"})");
    EXPECT_EQ(decoded.message.body, noNode);
    EXPECT_EQ(decoded.message.tree.nodes.back().kind, NodeKind::Raw);

    MessageBytes odd; // no client id can stand here
    odd.i16(10007).i16(0).i32(9).i16(900).raw("x");
    EXPECT_EQ(decode(odd.chain(), request()).json(2).empty(), false);
    EXPECT_THAT(decode(odd.chain(), request()).problems(), ElementsAre(HasSubstr("unknown-api at request (8)")));
}

TEST(Decoder, aResponseNobodyKnowsTheRequestOfHasACorrelationIdAndRawBytes) {
    MessageBytes answer;
    answer.i32(77).raw("abc");
    const Decoded orphan = decode(answer.chain(), response(-1, 0));
    EXPECT_THAT(orphan.problems(), IsEmpty());
    EXPECT_EQ(orphan.json(orphan.message.header), R"({"correlationId":77})");
    EXPECT_THAT(decode(answer.chain(), response(10007, 0)).problems(), ElementsAre(HasSubstr("unknown-api")));
}

TEST(Decoder, aVersionNewerThanKnownIsReadAsTheNewest) {
    MessageBytes fits;
    fits.request(12, 99, 1, "c", true).compact("g").i32(1).compact("m").uvarint(0).uvarint(0);
    const Decoded good = decode(fits.chain(), request());
    EXPECT_THAT(good.problems(), ElementsAre("assumed-version at request (12): version 99 is newer than 4, the newest "
                                             "known here, whose layout fits"));
    EXPECT_EQ(good.message.apiVersion, 99);
    EXPECT_EQ(good.message.layoutVersion, 4);

    MessageBytes differs; // the contradiction is no news
    differs.request(12, 99, 1, "c", true).compact("g").i32(1).uvarint(200).raw("zz");
    const Decoded part = decode(differs.chain(), request());
    EXPECT_THAT(part.problems(), ElementsAre(HasSubstr("whose layout fits only in part")));
    EXPECT_EQ(part.body(), R"({"groupId":"g","generationId":1})");

    MessageBytes longer;
    longer.request(12, 99, 1, "c", true).compact("g").i32(1).compact("m").uvarint(0).uvarint(0).i64(5);
    EXPECT_THAT(decode(longer.chain(), request()).problems(), ElementsAre(HasSubstr("fits only in part")));
}

TEST(Decoder, aVersionBelowZeroHasNoLayout) {
    MessageBytes odd;
    odd.request(12, -3, 1, "c").raw("rest");
    EXPECT_THAT(decode(odd.chain(), request()).problems(), ElementsAre("malformed at request (11): no version is -3"));
}

TEST(Decoder, anApiVersionsAnswerInVersionZeroIsNoProblem) {
    MessageBytes refused; // error 35, one key
    refused.i32(1).i16(35).i32(1).i16(18).i16(0).i16(3);
    const Decoded decoded = decode(refused.chain(), response(18, 4));
    EXPECT_THAT(decoded.problems(), IsEmpty());
    EXPECT_EQ(decoded.message.layoutVersion, 0);
    EXPECT_EQ(decoded.body(), R"({"errorCode":35,"apiKeys":[{"apiKey":18,"minVersion":0,"maxVersion":3}]})");

    MessageBytes old; // other brokers answer in version 0 without an error
    old.i32(1).i16(0).i32(1).i16(18).i16(0).i16(3);
    EXPECT_EQ(decode(old.chain(), response(18, 3)).message.layoutVersion, 0);

    MessageBytes newest; // asked in a version from the future, refused
    newest.i32(1).i16(35).i32(0);
    EXPECT_THAT(decode(newest.chain(), response(18, 77)).problems(), IsEmpty());

    const ByteChain cut = refused.chain().part(0, 8); // too little to tell, but the error code says it
    MessageContext context = response(18, 4);
    const Decoded truncated = decode(cut, context);
    EXPECT_EQ(truncated.message.layoutVersion, 0);
}

TEST(Decoder, anErrorInTheAskedVersionsOwnLayoutIsReadInThat) {
    MessageBytes refused;
    refused.i32(1).i16(35).uvarint(1).i32(0).uvarint(0);
    const Decoded decoded = decode(refused.chain(), response(18, 3));
    EXPECT_THAT(decoded.problems(), IsEmpty());
    EXPECT_EQ(decoded.message.layoutVersion, 3);
}

TEST(Decoder, aPreviewLayoutIsTakenWhenTheLayoutProperDoesNotFit) {
    MessageBytes summary; // ReadShareGroupStateSummary 0 as Kafka 3.9 wrote it, without LeaderEpoch
    summary.i32(1).uvarint(0).uvarint(2).i64(1).i64(2).uvarint(2);
    summary.i32(4).i16(0).uvarint(0).i32(9).i64(100).uvarint(0).uvarint(0).uvarint(0);
    const Decoded preview = decode(summary.chain(), response(87, 0));
    EXPECT_THAT(preview.problems(), ElementsAre(HasSubstr("other-layout at response")));
    EXPECT_EQ(preview.message.previewOf, "3.9-4.0");
    EXPECT_THAT(preview.body(), HasSubstr(R"("stateEpoch":9,"startOffset":100)"));
    EXPECT_THAT(preview.body(), Not(HasSubstr("leaderEpoch")));

    MessageBytes today;
    today.i32(1).uvarint(0).uvarint(2).i64(1).i64(2).uvarint(2);
    today.i32(4).i16(0).uvarint(0).i32(9).i32(3).i64(100).uvarint(0).uvarint(0).uvarint(0);
    EXPECT_THAT(decode(today.chain(), response(87, 0)).problems(), IsEmpty());
}

TEST(Decoder, aSaslTokenIsALengthAndOpaqueBytes) {
    MessageBytes token;
    token.raw(std::string_view("\0alice\0secret", 13));
    const std::vector<std::uint8_t> frame = token.framed();
    MessageContext context;
    context.token = true;
    const Decoded decoded = decode(ByteChain::of(frame), context);
    ASSERT_EQ(decoded.message.tree.nodes.size(), 3u);
    const FieldNode& node = decoded.message.tree.nodes[2];
    EXPECT_EQ(node.kind, NodeKind::Raw);
    EXPECT_EQ(node.length, 13u);
    EXPECT_EQ(node.field->semantic, Semantic::SaslToken);
    EXPECT_EQ(decoded.message.header, noNode);
}

TEST(Decoder, lengthsThatNoFrameCanHaveAreMalformed) {
    MessageBytes negative;
    negative.i32(-1).raw("abc");
    MessageContext context;
    const Decoded decoded = decode(negative.chain(), context);
    EXPECT_THAT(decoded.problems(), ElementsAre("malformed at request (0): the length of the message is -1"));
    EXPECT_EQ(decoded.message.tree.nodes.back().kind, NodeKind::Raw);
    EXPECT_THAT(decode(ByteChain(), context).problems(), ElementsAre(HasSubstr("truncated at request")));
}

TEST(Decoder, aHoleInsideAFieldOfKnownSizeDamagesOnlyThatField) {
    MessageBytes commit; // OffsetCommit 2
    commit.request(8, 2, 1, "c").string("g").i32(3).string("m").i64(-1).i32(1).string("orders").i32(1);
    commit.i32(0).i64(1042).string("note");
    const std::vector<std::uint8_t>& bytes = commit.bytes();
    const std::uint32_t offsetAt = commit.size() - 6 - 8, nameAt = offsetAt - 8 - 6;
    const Decoded inNumber = decode(withHole(bytes, offsetAt + 2, 3, Hole::Lost), request());
    EXPECT_THAT(inNumber.problems(), ElementsAre(HasSubstr("gap at request.topics[0].partitions[0].committedOffset")));
    EXPECT_THAT(inNumber.body(), HasSubstr(R"([{"partitionIndex":0,"committedMetadata":"note"}])"));

    const Decoded inText = decode(withHole(bytes, nameAt + 1, 2, Hole::Cut), request());
    EXPECT_THAT(inText.problems(), ElementsAre(HasSubstr("truncated at request.topics[0].name")));
    EXPECT_THAT(inText.problems().front(), HasSubstr("2 bytes were cut by the snap length"));
    EXPECT_THAT(inText.body(), HasSubstr(R"("topics":[{"partitions":[{"partitionIndex":0,"committedOffset":1042)"));

    const Decoded overBoth = decode(withHole(bytes, offsetAt - 2, 6, Hole::Lost), request());
    EXPECT_EQ(overBoth.problems().size(), 1u) << "one hole, one problem";

    const Decoded inLength = decode(withHole(bytes, nameAt - 1, 1, Hole::Lost), request());
    EXPECT_THAT(inLength.problems(), ElementsAre(HasSubstr("gap at request.topics[0].name")));
    EXPECT_EQ(inLength.message.tree.nodes.back().kind, NodeKind::Raw) << "nobody knows where the next field begins";
}

TEST(Decoder, aHoleInRecordsDoesNotTouchWhatComesBehind) {
    MessageBytes produce; // Produce 3 with two partitions
    produce.request(0, 3, 1, "c").i16(-1).i16(1).i32(30000).i32(1).string("t").i32(2);
    produce.i32(0).i32(10);
    const std::uint32_t recordsAt = produce.size();
    produce.raw("0123456789").i32(1).i32(3).raw("abc");
    const Decoded decoded = decode(withHole(produce.bytes(), recordsAt + 2, 5, Hole::Lost), request());
    EXPECT_THAT(decoded.problems(), ElementsAre(HasSubstr("gap at request.topicData[0].partitionData[0].records")));
    EXPECT_THAT(decoded.body(),
                HasSubstr(R"([{"index":0,"recordsSizeInBytes":10},{"index":1,"recordsSizeInBytes":3}])"));
}

TEST(Decoder, tagsOutOfOrderTwiceAndOfAWrongSizeAreToldApart) {
    MessageBytes fetch;
    fetch.request(1, 15, 7, "c", true).i32(500).i32(1).i32(1024).i8(0).i32(0).i32(-1).uvarint(1).uvarint(1).compact("");
    MessageBytes order = fetch; // ReplicaState (1) before ClusterId (0): unusual, legal to read
    order.uvarint(2).uvarint(1).uvarint(13).i32(5).i64(6).uvarint(0).uvarint(0).uvarint(3).compact("ab");
    const Decoded unordered = decode(order.chain(), request());
    EXPECT_THAT(unordered.problems(), IsEmpty());
    EXPECT_THAT(unordered.body(), HasSubstr(R"("replicaState":{"replicaId":5,"replicaEpoch":6},"clusterId":"ab")"));

    MessageBytes again = fetch;
    again.uvarint(2).uvarint(0).uvarint(3).compact("ab").uvarint(0).uvarint(3).compact("cd");
    const Decoded twice = decode(again.chain(), request());
    EXPECT_THAT(twice.body(), HasSubstr(R"("clusterId":"ab")"));
    EXPECT_THAT(unknownTags(twice.message, twice.bytes, "requestHeader", "request"), testing::SizeIs(1));

    MessageBytes wide = fetch;
    wide.uvarint(1).uvarint(0).uvarint(5).compact("ab").raw("xy");
    const Decoded wrong = decode(wide.chain(), request());
    EXPECT_THAT(wrong.problems(), ElementsAre(HasSubstr("malformed at request.clusterId")));
    EXPECT_THAT(wrong.problems().front(), HasSubstr("2 bytes of the tag are left behind the field"));

    MessageBytes narrow = fetch;
    narrow.uvarint(1).uvarint(0).uvarint(2).compact("abc");
    EXPECT_THAT(decode(narrow.chain(), request()).problems(),
                ElementsAre(HasSubstr("length 3 needs more than the 1 bytes left")));
}

TEST(Decoder, aBodyAloneAndANestedMessageDecodeByTheirPlan) {
    MessageBytes value;
    value.i16(1).i64(1042).string("note").i64(1'700'000'000'000).i64(-1).raw("!");
    DecodedMessage message;
    decodeBody(*Protocol::builtin().nestedPlan("OffsetCommitValue", 1), value.chain(), 2, "value", message);
    EXPECT_EQ(brokenLaw(message.tree, 2, value.size()), "");
    ASSERT_EQ(message.problems.size(), 1u);
    EXPECT_EQ(message.problems[0].kind, ProblemKind::Trailing);
    EXPECT_EQ(message.problems[0].at, "value");
    EXPECT_NE(message.tree.child(message.body, "expireTimestamp"), noNode);
}

TEST(Decoder, aReusedMessageKeepsNothingOfTheOneBefore) {
    MessageBytes vendor, heartbeat;
    vendor.request(10007, 4, 9, "cli").raw("whatever");
    heartbeat.request(12, 0, 7, "me").string("g").i32(5).string("m");
    DecodedMessage message;
    decodeMessage(Protocol::builtin(), vendor.chain(), request(), message);
    decodeMessage(Protocol::builtin(), heartbeat.chain(), request(), message);
    EXPECT_TRUE(message.problems.empty());
    EXPECT_EQ(message.apiKey, 12);
    EXPECT_EQ(brokenLaw(message.tree, 0, heartbeat.size()), "");
}

} // namespace
} // namespace brokerscope
