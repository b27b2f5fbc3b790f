// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/bounded_text.h"
#include "dissector/payloads/json_text.h"
#include "dissector/payloads/value_guess.h"
#include "dissector/wire/utf8.h"
#include "tests/support/record_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace brokerscope {
namespace {

ByteVector bytes(std::initializer_list<int> values) {
    ByteVector result;
    for (const int value : values)
        result.push_back(static_cast<std::uint8_t>(value));
    return result;
}

std::string line(Bytes value, ValueFormat format = ValueFormat::Auto) {
    return guessValue(value, {.format = format}).line;
}

std::string pretty(Bytes value, ValueFormat format = ValueFormat::Auto) {
    return guessValue(value, {.format = format, .pretty = true}).pretty;
}

ValueFormat format(Bytes value) {
    return guessValue(value).format;
}

// --- the guess

TEST(ValueGuess, jsonIsWrittenOnOneLineAndIndented) {
    const Bytes value = bytesOf(" {\"id\": 12345678901234567890, \"price\":1.10,\n \"tags\":[true,null,\"\\u00e4\"]} ");
    EXPECT_EQ(format(value), ValueFormat::Json);
    EXPECT_EQ(line(value), "{\"id\":12345678901234567890,\"price\":1.10,\"tags\":[true,null,\"\xc3\xa4\"]}");
    EXPECT_EQ(pretty(value), "{\n"
                             "  \"id\": 12345678901234567890,\n"
                             "  \"price\": 1.10,\n"
                             "  \"tags\": [\n"
                             "    true,\n"
                             "    null,\n"
                             "    \"\xc3\xa4\"\n"
                             "  ]\n"
                             "}");
}

TEST(ValueGuess, whatOnlyBeginsLikeJsonIsText) {
    for (const std::string_view text : {"{\"a\":1", "{\"a\":1}x", "[1,]", "{a:1}", "[1][2]", "{\"a\":\"\\ud800\"}"})
        EXPECT_EQ(format(bytesOf(text)), ValueFormat::Text) << text;
    EXPECT_EQ(format(bytesOf("42")), ValueFormat::Text); // a number alone reads the same either way
}

TEST(ValueGuess, jsonHasNoControlCharactersEither) {
    EXPECT_EQ(line(bytesOf("[\"a\x7f\\n\"]")), "[\"a\\u007f\\n\"]");
}

TEST(ValueGuess, textStaysOnItsLine) {
    EXPECT_EQ(line(bytesOf("gr\xc3\xb6\xc3\x9f"
                           "e")),
              "gr\xc3\xb6\xc3\x9f"
              "e");
    EXPECT_EQ(line(bytesOf("a\tb\r\nc")), "a\\tb\\r\\nc");
    EXPECT_EQ(pretty(bytesOf("a\nb")), "a\nb");
    EXPECT_EQ(pretty(bytesOf("ab")), ""); // the line says it all
    EXPECT_EQ(format({}), ValueFormat::Text);
    EXPECT_EQ(line({}), "");
}

TEST(ValueGuess, integersAreThoseOfKafkasSerializers) {
    EXPECT_EQ(line(bytes({0, 0, 0, 42})), "42");
    EXPECT_EQ(format(bytes({0, 0, 0, 42})), ValueFormat::Int32);
    EXPECT_EQ(line(bytes({0xff, 0xff, 0xff, 0xfe})), "-2");
    EXPECT_EQ(line(bytes({0, 0, 0x01, 0x8b, 0xcf, 0xe5, 0x68, 0x7b})), "1700000000123");
    EXPECT_EQ(format(bytes({0, 0, 0x01, 0x8b, 0xcf, 0xe5, 0x68, 0x7b})), ValueFormat::Int64);
    EXPECT_EQ(line(bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})), "-1");
    EXPECT_EQ(line(bytes({0x80, 0, 0, 0, 0, 0, 0, 0})), "-9223372036854775808");
    EXPECT_EQ(line(bytes({0x01, 0x00})), "256");
    EXPECT_EQ(format(bytes({0x01, 0x00})), ValueFormat::Int16);
    EXPECT_EQ(line(bytesOf("1234")), "1234"); // text comes first
    EXPECT_EQ(format(bytesOf("1234")), ValueFormat::Text);
}

TEST(ValueGuess, confluentsFramingNamesTheSchema) {
    const ByteVector avro = bytes({0, 0, 0, 0x12, 0x34, 0x0a, 'h', 'e', 'l', 'l', 'o', 2});
    EXPECT_EQ(format(avro), ValueFormat::SchemaRegistry);
    EXPECT_EQ(line(avro), "schema 4660: 0a 68 65 6c 6c 6f 02");
    EXPECT_EQ(pretty(avro), "schema 4660\n000000  0a 68 65 6c 6c 6f 02                             .hello.\n");
    ByteVector json = bytes({0, 0, 0, 0, 7});
    for (const char c : std::string_view("{\"a\": 1}"))
        json.push_back(static_cast<std::uint8_t>(c));
    EXPECT_EQ(line(json), "schema 7: {\"a\":1}");
    EXPECT_EQ(pretty(json), "schema 7\n{\n  \"a\": 1\n}");
    EXPECT_NE(format(bytes({0, 0, 0, 0, 0, 0, 1})), ValueFormat::SchemaRegistry); // no schema has the id 0
}

TEST(ValueGuess, protobufShowsFieldNumbers) {
    // {1: 150, 2: "testing", 3: {1: 7}, 4: -1, 5: 2.5 (double), 6: 3 (fixed32), 7: bytes}
    const ByteVector message =
        bytes({0x08, 0x96, 0x01, 0x12, 0x07, 't',  'e',  's',  't',  'i',  'n',  'g',  0x1a, 0x02, 0x08,
               0x07, 0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x29, 0,    0,
               0,    0,    0,    0,    0x04, 0x40, 0x35, 3,    0,    0,    0,    0x3a, 0x02, 0x00, 0xff});
    EXPECT_EQ(format(message), ValueFormat::Protobuf);
    EXPECT_EQ(line(message), "1: 150, 2: \"testing\", 3: {1: 7}, 4: -1, 5: 2.5f64, 6: 3i32, 7: 0x00 ff");
    EXPECT_EQ(pretty(message), "1: 150\n2: \"testing\"\n3: {\n  1: 7\n}\n4: -1\n5: 2.5f64\n6: 3i32\n7: 0x00 ff\n");
}

TEST(ValueGuess, anAvroContainerNamesCodecAndSchema) {
    ByteWriter file;
    file.raw(bytesOf(std::string_view("Obj\x01", 4))).varint(2);
    file.varint(11).raw(bytesOf("avro.schema")).varint(15).raw(bytesOf("{\"type\": \"int\"}"));
    file.varint(10).raw(bytesOf("avro.codec")).varint(7).raw(bytesOf("deflate"));
    file.varint(0).raw(ByteVector(16, 0xee));
    EXPECT_EQ(format(file.bytes), ValueFormat::AvroContainer);
    EXPECT_EQ(line(file.bytes), "Avro container, codec deflate, schema {\"type\":\"int\"}");
    EXPECT_EQ(pretty(file.bytes), "{\n  \"type\": \"int\"\n}");
    // The magic alone is telling enough; a block count that lies changes nothing.
    EXPECT_EQ(line(bytesOf(std::string_view("Obj\x01", 4))), "Avro container, codec null");
    file.bytes[4] = 0xfe;
    EXPECT_EQ(format(file.bytes), ValueFormat::AvroContainer);
}

TEST(ValueGuess, anAvroContainerMayCountItsBlocksBackwards) {
    ByteWriter file; // a negative count has the size of the block behind it
    file.raw(bytesOf(std::string_view("Obj\x01", 4))).varint(-1).varint(99);
    file.varint(10).raw(bytesOf("avro.codec")).varint(6).raw(bytesOf("snappy")).varint(0);
    EXPECT_EQ(line(file.bytes), "Avro container, codec snappy");
}

TEST(ValueGuess, theRestIsHex) {
    const ByteVector value = bytes({0xff, 0x00, 0x10});
    EXPECT_EQ(format(value), ValueFormat::Hex);
    EXPECT_EQ(line(value), "ff 00 10");
    EXPECT_EQ(pretty(value), "000000  ff 00 10                                         ...\n");
}

// --- forced formats

TEST(ValueGuess, aForcedFormatIsTakenWhereItFits) {
    EXPECT_EQ(line(bytesOf("abcd"), ValueFormat::Int32), "1633837924");
    EXPECT_EQ(line(bytesOf("{}"), ValueFormat::Hex), "7b 7d");
    EXPECT_EQ(line(bytesOf("{}"), ValueFormat::Text), "{}");
    EXPECT_EQ(line(bytesOf("ab"), ValueFormat::Int16), "24930");
    EXPECT_EQ(line(bytes({0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18}), ValueFormat::Float64), "3.141592653589793");
    EXPECT_EQ(line(bytes({0xbf, 0x80, 0, 0}), ValueFormat::Float32), "-1");
    EXPECT_EQ(line(bytes({0x08, 0x01}), ValueFormat::Protobuf), "1: 1");
    EXPECT_EQ(line(bytes({0, 0, 0, 0, 9, 1, 2, 3}), ValueFormat::SchemaRegistry), "schema 9: 01 02 03");
    for (const ValueFormatRow& row : valueFormats())
        EXPECT_EQ(valueFormatOf(row.name), row.format) << row.name;
    EXPECT_EQ(valueFormatOf("yaml"), std::nullopt);
}

TEST(ValueGuess, whatDoesNotFitAForcedFormatIsHexAndSaysSo) {
    for (const ValueFormat forced :
         {ValueFormat::Json, ValueFormat::Int16, ValueFormat::Int32, ValueFormat::Int64, ValueFormat::Float32,
          ValueFormat::Float64, ValueFormat::SchemaRegistry, ValueFormat::Protobuf, ValueFormat::AvroContainer}) {
        const GuessedValue value = guessValue(bytes({0xff, 0x01, 0x02}), {.format = forced});
        EXPECT_FALSE(value.fits);
        EXPECT_EQ(value.format, ValueFormat::Hex);
        EXPECT_EQ(value.line, "ff 01 02");
    }
    const GuessedValue text = guessValue(bytes({'a', 0xff, 0}), {.format = ValueFormat::Text});
    EXPECT_FALSE(text.fits);
    EXPECT_EQ(text.line, "a\xef\xbf\xbd\\x00"); // text is readable all the same
    EXPECT_TRUE(guessValue(bytes({1}), {.format = ValueFormat::Hex}).fits);
}

// --- bounds

TEST(ValueGuess, textIsCutBetweenCharacters) {
    std::string text = "12345";
    cutText(text, 5);
    EXPECT_EQ(text, "12345");
    cutText(text, 4);
    EXPECT_EQ(text, "1\xe2\x80\xa6");
    text = "1\xc3\xa4\xc3\xa4";
    cutText(text, 5);
    EXPECT_EQ(text, "1\xc3\xa4\xc3\xa4");
    text += "6";
    cutText(text, 5);
    EXPECT_EQ(text, "1\xe2\x80\xa6"); // not half a character
    cutText(text, 2);
    EXPECT_EQ(text, "");
}

TEST(ValueGuess, everyFormKeepsToItsLimits) {
    std::string json = "[", lines;
    for (int i = 0; i < 10'000; ++i) {
        json += "\"value\",";
        lines += "line\n";
    }
    json += "1]";
    ByteVector protobuf, noise(100'000, 0xff);
    for (int i = 0; i < 50'000; ++i)
        protobuf.insert(protobuf.end(), {0x08, 0x80, 0x01});
    ByteVector framed = bytes({0, 0, 0, 0, 7});
    framed.insert(framed.end(), noise.begin(), noise.end());
    const GuessOptions options{.pretty = true, .maxLine = 100, .maxPretty = 1000};
    for (const Bytes value : {bytesOf(json), bytesOf(lines), Bytes{protobuf}, Bytes{noise}, Bytes{framed}}) {
        const GuessedValue guessed = guessValue(value, options);
        EXPECT_LE(guessed.line.size(), 100u) << valueFormats()[static_cast<std::size_t>(guessed.format)].name;
        EXPECT_GE(guessed.line.size(), 90u);
        EXPECT_TRUE(guessed.line.ends_with("\xe2\x80\xa6"));
        EXPECT_LE(guessed.pretty.size(), 1000u + 20) << valueFormats()[static_cast<std::size_t>(guessed.format)].name;
        EXPECT_GE(guessed.pretty.size(), 900u);
    }
}

TEST(ValueGuess, ofLongValuesTheFrontIsShown) {
    std::string text(3000, 'x');
    text[999] = '\xc3'; // a character that the border cuts
    text[1000] = '\xa4';
    EXPECT_EQ(guessValue(bytesOf(text), {.maxInput = 1000}).format, ValueFormat::Text);
    text[500] = '\x01';
    EXPECT_EQ(guessValue(bytesOf(text), {.maxInput = 1000}).format, ValueFormat::Hex);
    EXPECT_EQ(guessValue(bytesOf(text), {.format = ValueFormat::Json, .maxInput = 1000}).fits, false);
}

TEST(ValueGuess, nestingHasAnEnd) {
    const std::string deepJson = std::string(100'000, '[') + std::string(100'000, ']');
    EXPECT_EQ(format(bytesOf(deepJson)), ValueFormat::Text);
    const std::string allowed = std::string(1000, '[') + std::string(1000, ']');
    EXPECT_EQ(format(bytesOf(allowed)), ValueFormat::Json);
    ByteVector deepProtobuf{0x08, 0x96, 0x01};
    for (int i = 0; i < 40; ++i) {
        ByteVector outer{0x0a, static_cast<std::uint8_t>(deepProtobuf.size())};
        if (deepProtobuf.size() > 127) break;
        outer.insert(outer.end(), deepProtobuf.begin(), deepProtobuf.end());
        deepProtobuf = std::move(outer);
    }
    EXPECT_EQ(format(deepProtobuf), ValueFormat::Protobuf);
    EXPECT_NE(line(deepProtobuf).find("{1: {1: {1: "), std::string::npos);
}

TEST(ValueGuess, anyBytesGiveValidTextWithoutControlCharacters) {
    std::mt19937 random(3);
    const std::string seeds[] = {"{\"a\":[1,2,{\"b\":\"c\"}]}", std::string("\0\0\0\0\7{\"a\":1}", 12),
                                 std::string("\x08\x96\x01\x12\x07testing\x1a\x02\x08\x07", 16),
                                 std::string("Obj\1\2\x16"
                                             "avro.schema\x04{}",
                                             20)};
    for (int round = 0; round < 20'000; ++round) {
        const std::string& seed = seeds[round % 4];
        ByteVector value(seed.begin(), seed.end());
        for (int changes = 0; changes < 3; ++changes)
            value[random() % value.size()] = static_cast<std::uint8_t>(random());
        value.resize(random() % (value.size() + 1));
        for (const ValueFormatRow& row : valueFormats()) {
            const GuessedValue guessed = guessValue(value, {.format = row.format, .pretty = true});
            ASSERT_NE(guessed.format, ValueFormat::Auto);
            ASSERT_EQ(validUtf8Prefix(bytesOf(guessed.line)), guessed.line.size());
            ASSERT_EQ(validUtf8Prefix(bytesOf(guessed.pretty)), guessed.pretty.size());
            for (const char c : guessed.line)
                ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << guessed.line;
        }
    }
}

} // namespace
} // namespace brokerscope
