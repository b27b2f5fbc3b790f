// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/value_text.h"

#include "dissector/message/number_text.h"
#include "dissector/message/units.h"
#include "tests/support/message_bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace brokerscope {
namespace {

TEST(Units, sizesAndDurationsReadAsPeopleSayThem) {
    EXPECT_EQ(sizeWords(0), "0 bytes");
    EXPECT_EQ(sizeWords(1), "1 byte");
    EXPECT_EQ(sizeWords(1023), "1023 bytes");
    EXPECT_EQ(sizeWords(1536), "1.5 KiB");
    EXPECT_EQ(sizeWords(52428800), "50 MiB");
    EXPECT_EQ(sizeWords(std::numeric_limits<std::int32_t>::max()), "2 GiB");
    EXPECT_EQ(sizeWords(std::numeric_limits<std::uint64_t>::max()), "16 EiB");
    EXPECT_EQ(durationWords(500), "500 ms");
    EXPECT_EQ(durationWords(1500), "1.5 s");
    EXPECT_EQ(durationWords(300000), "5 min");
    EXPECT_EQ(durationWords(7 * 86400000LL), "7 d");
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1204), "1,204");
    EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Units, datesAreRightOnBothSidesOf1970AndEndWithTheCalendar) {
    EXPECT_EQ(dateText(0), "1970-01-01 00:00:00.000 UTC");
    EXPECT_EQ(dateText(1'764'429'301'123), "2025-11-29 15:15:01.123 UTC");
    EXPECT_EQ(dateText(-1), "1969-12-31 23:59:59.999 UTC");
    EXPECT_EQ(dateText(-86'400'000), "1969-12-31 00:00:00.000 UTC");
    EXPECT_EQ(dateText(951'782'400'000), "2000-02-29 00:00:00.000 UTC");
    EXPECT_EQ(dateText(std::numeric_limits<std::int64_t>::max()), "");
    EXPECT_EQ(dateText(std::numeric_limits<std::int64_t>::min()), "");
}

const PlanField& fieldOf(std::int16_t apiKey, std::int16_t version, Direction direction, std::string_view name) {
    for (const PlanField& field : Protocol::builtin().plan(apiKey, version, direction)->fields)
        if (field.schema && field.schema->name == name) return field;
    throw std::runtime_error("no such field");
}

TEST(NumberText, namesErrorsEnumerationsUnitsAndSpecialValues) {
    const auto text = [](const PlanField& field, std::int64_t value) {
        return numberText(Protocol::builtin(), field, value).text;
    };
    const PlanField& error = fieldOf(12, 0, Direction::Response, "ErrorCode");
    EXPECT_EQ(text(error, 0), "0 NONE");
    EXPECT_EQ(text(error, 3), "3 UNKNOWN_TOPIC_OR_PARTITION ↻");
    EXPECT_EQ(text(error, 10), "10 MESSAGE_TOO_LARGE");
    EXPECT_EQ(text(error, 999), "999 (unknown error code)");
    EXPECT_EQ(numberText(Protocol::builtin(), error, 0).tone, Tone::Dim);
    EXPECT_EQ(numberText(Protocol::builtin(), error, 3).tone, Tone::Error);

    const PlanField& isolation = fieldOf(1, 11, Direction::Request, "IsolationLevel");
    EXPECT_EQ(text(isolation, 1), "1 READ_COMMITTED");
    EXPECT_EQ(text(isolation, 7), "7 (no such IsolationLevel)");
    EXPECT_EQ(text(fieldOf(1, 11, Direction::Request, "MaxBytes"), 52428800), "52428800 (50 MiB)");
    EXPECT_EQ(text(fieldOf(1, 11, Direction::Request, "MaxWaitMs"), 500), "500 ms");
    EXPECT_EQ(text(fieldOf(1, 11, Direction::Request, "MinBytes"), 1), "1 byte");
    EXPECT_EQ(text(fieldOf(1, 11, Direction::Request, "ReplicaId"), -1), "-1 CONSUMER");
    EXPECT_EQ(text(fieldOf(1, 11, Direction::Request, "FetchOffset"), 1042), "1042");
    EXPECT_EQ(text(fieldOf(11, 5, Direction::Request, "SessionTimeoutMs"), 300000), "300000 ms (5 min)");
    const PlanField& timestamp = fieldOf(2, 5, Direction::Request, "Timestamp");
    EXPECT_EQ(text(timestamp, -1), "-1 LATEST");
    EXPECT_EQ(text(timestamp, 1'764'429'301'123), "1764429301123  2025-11-29 15:15:01.123 UTC");
    EXPECT_EQ(text(fieldOf(0, 3, Direction::Response, "LogAppendTimeMs"), -1), "-1 none");
    EXPECT_EQ(text(fieldOf(3, 9, Direction::Response, "LeaderId"), -1), "-1 none");
    EXPECT_EQ(text(fieldOf(18, 0, Direction::Response, "ApiKey"), 1), "1 Fetch");
    EXPECT_EQ(text(fieldOf(18, 0, Direction::Response, "ApiKey"), 9999), "9999 (no such API)");
    const PlanField& operations = fieldOf(3, 9, Direction::Response, "TopicAuthorizedOperations");
    EXPECT_EQ(text(operations, std::numeric_limits<std::int32_t>::min()), "-2147483648 not asked for");
    EXPECT_EQ(text(operations, 1 << 3 | 1 << 8), "264 READ, DESCRIBE");
    EXPECT_EQ(text(operations, 0), "0");
}

TEST(Quoted, escapesWhatCannotBeShownAndCutsByCharacters) {
    const auto text = [](std::string_view content, std::size_t most = 256) {
        return quoted({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}, most);
    };
    EXPECT_EQ(text("orders"), "\"orders\"");
    EXPECT_EQ(text(""), "\"\"");
    EXPECT_EQ(text("a\n\t\"\\\x07"), R"("a\n\t\"\\\u{7}")");
    EXPECT_EQ(text("äöü", 3), "\"äöü\"");
    EXPECT_EQ(text("äöüß", 3), "\"äöü… (4 characters)");
    EXPECT_EQ(text("a\xff"), "\"a\xef\xbf\xbd\"");
}

struct Shown {
    MessageBytes bytes;
    ByteChain chain;
    DecodedMessage message;
    TextOptions options;

    Shown(MessageBytes content, MessageContext context) : bytes(std::move(content)), chain(bytes.chain()) {
        context.framed = false;
        decodeMessage(Protocol::builtin(), chain, context, message);
    }
    NodeIndex find(std::initializer_list<std::string_view> names) const {
        NodeIndex node = message.body;
        for (const std::string_view name : names)
            node = name.empty() ? message.tree.firstChild(node) : message.tree.child(node, name);
        return node;
    }
    ValueText at(std::initializer_list<std::string_view> names) const { return value(find(names)); }
    ValueText value(NodeIndex node) const { return valueText(Protocol::builtin(), message, chain, node, options); }
};

MessageBytes fetch() {
    MessageBytes out;
    out.request(1, 17, 8, "c", true).i32(500).i32(7).i32(1024).i8(0).i32(0).i32(-1).uvarint(2);
    out.i64(1).i64(2).uvarint(2).i32(5).i32(4).i64(1042).i32(-1).i64(-1).i32(1048576).uvarint(0).uvarint(0);
    return out.uvarint(1).compact("").uvarint(1).uvarint(9).uvarint(4).i32(1);
}

TEST(ValueText, arraysSayTheirCountAndEntriesTheirKey) {
    Shown shown(fetch(), {});
    EXPECT_EQ(shown.at({"topics"}).text, "1 entry");
    EXPECT_EQ(shown.at({"forgottenTopicsData"}).text, "0 entries");
    EXPECT_EQ(shown.at({"forgottenTopicsData"}).tone, Tone::Dim);
    EXPECT_EQ(shown.at({"topics", ""}).text, "AAAAAAAAAAEAAAAAAAAAAg");
    EXPECT_EQ(shown.at({"topics", "", "partitions", ""}).text, "partition 5");
    EXPECT_EQ(shown.at({"rackId"}).text, "\"\"");
    shown.options.names.topic = [](const std::array<std::uint8_t, 16>& id) { return id[15] == 2 ? "orders" : ""; };
    EXPECT_EQ(shown.at({"topics", "", "topicId"}).text, "AAAAAAAAAAEAAAAAAAAAAg → orders");
    shown.options.names.topic = [](const std::array<std::uint8_t, 16>&) { return ""; };
    EXPECT_EQ(shown.at({"topics", "", "topicId"}).text, "AAAAAAAAAAEAAAAAAAAAAg (topic not named in this capture)");
}

TEST(ValueText, labelsAndTypesNameEveryNode) {
    const Shown shown(fetch(), {});
    const auto label = [&](NodeIndex node) { return labelText(shown.message, node); };
    EXPECT_EQ(label(0), "Message");
    EXPECT_EQ(label(shown.message.header), "Header");
    EXPECT_EQ(label(shown.find({"topics"})), "Topics");
    EXPECT_EQ(label(shown.find({"topics", ""})), "[0]");
    const auto last = static_cast<NodeIndex>(shown.message.tree.nodes.size() - 1);
    EXPECT_EQ(label(last), "Tag 9 (not known in v17)");
    EXPECT_EQ(shown.value(last).text, "4 bytes  00 00 00 01");
    EXPECT_EQ(label(shown.message.tree.nodes[last].parent), "Tagged fields");
    EXPECT_EQ(shown.value(shown.message.tree.nodes[last].parent).text, "1");
    const auto type = [&](NodeIndex node) { return typeText(shown.message.tree.nodes[node]); };
    EXPECT_EQ(type(shown.find({"topics"})), "[]struct");
    EXPECT_EQ(type(shown.find({"maxWaitMs"})), "int32");
    EXPECT_EQ(type(shown.message.body), "");
    for (NodeIndex node = 0; node <= last; ++node)
        EXPECT_NE(label(node), "") << node;
}

TEST(ValueText, secretsNullsAndBytes) {
    MessageBytes authenticate;
    authenticate.request(36, 1, 1, "c").i32(4).raw("abcd");
    Shown shown(authenticate, {});
    EXPECT_EQ(shown.at({"authBytes"}).text, "(masked, 4 bytes)");
    EXPECT_EQ(shown.at({"authBytes"}).tone, Tone::Secret);
    shown.options.showSecrets = true;
    EXPECT_EQ(shown.at({"authBytes"}).text, "4 bytes  \"abcd\"");

    MessageBytes join; // JoinGroup 5
    join.request(11, 5, 1, "c").string("g").i32(10000).i32(-1).string("").i16(-1).string("consumer").i32(1);
    join.string("range").i32(3).raw(std::string_view("\0\1\2", 3));
    const Shown joined(join, {});
    EXPECT_EQ(joined.at({"groupInstanceId"}).text, "null");
    EXPECT_EQ(joined.at({"groupInstanceId"}).tone, Tone::Dim);
    EXPECT_EQ(joined.at({"memberId"}).text, "\"\"");
    EXPECT_EQ(joined.at({"protocols", "", "metadata"}).text, "3 bytes  00 01 02");
    EXPECT_EQ(joined.at({"protocols", ""}).text, "\"range\"");
}

TEST(ValueText, damageIsSaidWhereItIs) {
    MessageBytes heartbeat;
    heartbeat.request(12, 0, 1, "c").string("orders").i32(1).string("m");
    const std::vector<std::uint8_t> frame = heartbeat.framed();
    const auto groupOf = [&](const ByteChain& chain) {
        DecodedMessage message;
        decodeMessage(Protocol::builtin(), chain, {}, message);
        const NodeIndex group = message.tree.child(message.body, "groupId");
        return valueText(Protocol::builtin(), message, chain, group, {});
    };
    const ByteChain whole = ByteChain::of(frame);
    EXPECT_EQ(groupOf(whole.part(0, 4 + 11 + 2 + 3)).text, "\"ord… (3 of 6 bytes captured)");
    EXPECT_EQ(groupOf(whole.part(0, 4 + 11 + 2 + 3)).tone, Tone::Damage);
    EXPECT_EQ(groupOf(whole.part(0, 4 + 11)).text, "not captured");
    EXPECT_EQ(groupOf(withHole(frame, 4 + 11 + 2 + 2, 2, Hole::Lost)).text, "\"or… (4 of 6 bytes captured)");

    MessageBytes malformed;
    malformed.request(3, 1, 1, "c").i32(65536);
    const Shown shown(malformed, {});
    EXPECT_EQ(shown.at({"topics"}).text, "MALFORMED: count 65536 needs more than the 0 bytes left");
}

} // namespace
} // namespace brokerscope
