// SPDX-License-Identifier: Apache-2.0
// Every record set of the conformance vectors, read as Kafka reads it; then the laws that hold for any damage.
#include "dissector/records/record_json.h"
#include "tests/support/vectors.h"

#include <gtest/gtest.h>

#include <random>

namespace brokerscope {
namespace {

using rapidjson::Document;
using rapidjson::Value;

struct RecordVector {
    std::string id;
    std::vector<std::uint8_t> bytes;
    Document expected; // batches, trailing, error
};

const std::vector<RecordVector>& vectors() {
    static const std::vector<RecordVector> all = [] {
        std::vector<RecordVector> result;
        for (Document& line : readVectors("records.jsonl")) {
            RecordVector vector{line["id"].GetString(), bytesOfHex(line["hex"].GetString()), {}};
            line.RemoveMember("id");
            line.RemoveMember("note");
            line.RemoveMember("hex");
            vector.expected = std::move(line);
            result.push_back(std::move(vector));
        }
        return result;
    }();
    return all;
}

struct Reading {
    Document json;
    std::vector<Problem> problems;
};

Reading read(const ByteChain& chain, RecordSetReader& reader) {
    reader.open(chain, 0, chain.size());
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    writeRecordSet(reader, writer);
    Reading reading;
    reading.json.Parse(buffer.GetString(), buffer.GetSize());
    reading.problems = reader.problems();
    return reading;
}

Reading read(Bytes bytes, RecordSetReader& reader) {
    return read(ByteChain::of(bytes), reader);
}

// Our reasons have our words; that there is one is what counts.
void blankErrors(Value& set) {
    const auto blank = [](Value& object) {
        if (object.HasMember("error")) object["error"].SetString("");
    };
    blank(set);
    for (Value& batch : set["batches"].GetArray())
        blank(batch);
}

// What was found in a part must stand in the whole, in front, and as it stands there.
bool isPrefix(const Value& part, const Value& whole) {
    if (part.Size() > whole.Size()) return false;
    for (rapidjson::SizeType i = 0; i < part.Size(); ++i)
        if (part[i] != whole[i]) return false;
    return true;
}

TEST(RecordVectors, thereAre190) {
    EXPECT_EQ(vectors().size(), 190u);
}

TEST(RecordVectors, eachSetReadsAsKafkaReadsIt) {
    RecordSetReader reader;
    for (const RecordVector& vector : vectors()) {
        Document expected;
        expected.CopyFrom(vector.expected, expected.GetAllocator());
        blankErrors(expected);
        Reading reading = read(vector.bytes, reader);
        blankErrors(reading.json);
        EXPECT_TRUE(reading.json == expected)
            << vector.id << "\nread: " << textOf(reading.json) << "\nKafka: " << textOf(expected);
    }
}

TEST(RecordVectors, aProblemIsSaidExactlyOfTheDamagedOnes) {
    RecordSetReader reader;
    for (const RecordVector& vector : vectors()) {
        const bool damaged = vector.id.starts_with("bad-") || vector.id.find("-wrong-") != std::string::npos;
        EXPECT_EQ(!read(vector.bytes, reader).problems.empty(), damaged) << vector.id;
    }
}

TEST(RecordVectors, packetsMakeNoDifference) {
    RecordSetReader reader;
    for (const RecordVector& vector : vectors()) {
        for (const std::uint32_t size : {1u, 7u, 100u}) {
            ByteChain chain;
            for (std::uint32_t begin = 0; begin < vector.bytes.size(); begin += size) {
                Slice slice;
                slice.data = vector.bytes.data() + begin;
                slice.length = std::min<std::uint32_t>(size, static_cast<std::uint32_t>(vector.bytes.size()) - begin);
                chain.append(slice);
            }
            const Reading whole = read(vector.bytes, reader);
            EXPECT_EQ(textOf(read(chain, reader).json), textOf(whole.json)) << vector.id << " in pieces of " << size;
        }
    }
}

TEST(RecordVectors, aSetCutAnywhereGivesTheWholeBatchesInFrontOfTheCut) {
    RecordSetReader reader;
    for (const RecordVector& vector : vectors()) {
        const Reading whole = read(vector.bytes, reader);
        for (std::size_t length = 0; length < vector.bytes.size(); ++length) {
            const Reading part = read(Bytes{vector.bytes}.first(length), reader);
            ASSERT_TRUE(isPrefix(part.json["batches"], whole.json["batches"])) << vector.id << " cut at " << length;
        }
    }
}

// The rest of the set from some byte on is not in the capture.
TEST(RecordVectors, recordsInFrontOfAHoleAreThoseOfTheWhole) {
    RecordSetReader reader;
    for (const RecordVector& vector : vectors()) {
        if (vector.id.starts_with("bad-")) continue;
        const Reading whole = read(vector.bytes, reader);
        for (std::uint32_t begin = 0; begin < vector.bytes.size(); begin += 3) {
            ByteChain chain = ByteChain::of(Bytes{vector.bytes}.first(begin));
            Slice hole;
            hole.length = static_cast<std::uint32_t>(vector.bytes.size()) - begin;
            hole.hole = Hole::Lost;
            chain.append(hole);
            const Reading part = read(chain, reader);
            const Value& batches = part.json["batches"];
            ASSERT_LE(batches.Size(), whole.json["batches"].Size());
            for (rapidjson::SizeType i = 0; i < batches.Size(); ++i) {
                const Value& records = batches[i]["records"];
                const Value& all = whole.json["batches"][i]["records"];
                ASSERT_LE(records.Size(), all.Size()) << vector.id << " lost from " << begin;
                for (rapidjson::SizeType j = 0; j < records.Size(); ++j) {
                    ASSERT_EQ(records[j]["value"], all[j]["value"]) << vector.id << " lost from " << begin;
                    ASSERT_TRUE(records[j]["offset"].IsNull() || records[j]["offset"] == all[j]["offset"])
                        << vector.id << " lost from " << begin;
                }
            }
        }
    }
}

bool saysSo(const Reading& reading) {
    if (!reading.problems.empty()) return true;
    for (const Value& batch : reading.json["batches"].GetArray())
        if (!batch["crcValid"].GetBool()) return true;
    return false;
}

TEST(RecordVectors, aFlippedBitIsNoticedWhereverAChecksumCoversIt) {
    RecordSetReader reader;
    std::mt19937 random(20261129);
    for (const RecordVector& vector : vectors()) {
        if (vector.bytes.empty()) continue;
        const std::string whole = textOf(read(vector.bytes, reader).json);
        for (int round = 0; round < 60; ++round) {
            std::vector<std::uint8_t> bytes = vector.bytes;
            bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
            const Reading damaged = read(bytes, reader);
            const std::string text = textOf(damaged.json);
            // Offset, size and leader epoch are outside the checksums, and the bytes of a cut batch are not looked at:
            // there the set may read otherwise, but never with another record in a batch whose checksum is right.
            if (text == whole || saysSo(damaged)) continue;
            const Value& batches = damaged.json["batches"];
            for (rapidjson::SizeType i = 0; i < batches.Size() && i < vector.expected["batches"].Size(); ++i) {
                const Value& was = vector.expected["batches"][i];
                ASSERT_EQ(batches[i]["crc"], was["crc"]) << vector.id;
                ASSERT_EQ(batches[i]["records"].Size(), was["records"].Size()) << vector.id;
                for (rapidjson::SizeType j = 0; j < was["records"].Size(); ++j)
                    ASSERT_EQ(batches[i]["records"][j]["value"], was["records"][j]["value"]) << vector.id;
            }
        }
    }
}

TEST(RecordVectors, anyDamageIsRead) {
    RecordSetReader reader;
    std::mt19937 random(7);
    for (const RecordVector& vector : vectors()) {
        if (vector.bytes.empty()) continue;
        for (int round = 0; round < 40; ++round) {
            std::vector<std::uint8_t> bytes = vector.bytes;
            for (int changes = 0; changes < 4; ++changes)
                bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
            const Reading reading = read(bytes, reader);
            ASSERT_FALSE(reading.json.HasParseError()) << vector.id;
            ASSERT_LE(reading.json["trailing"].GetUint(), bytes.size()) << vector.id;
        }
    }
}

} // namespace
} // namespace brokerscope
