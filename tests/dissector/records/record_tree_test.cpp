// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_fields.h"
#include "dissector/records/record_tree.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tree_law.h"
#include "tests/support/vectors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace brokerscope {
namespace {

std::string shown(const RecordDocument& document, NodeIndex index) {
    const FieldNode& node = document.tree.nodes[index];
    if (node.isNull) return "null";
    std::vector<std::uint8_t> scratch;
    const auto value = readValue(document.bytes, node, scratch);
    if (!value) return "";
    if (value->kind == FieldValue::Kind::Integer) return std::to_string(value->integer);
    return textOf(value->bytes);
}

// A tree as text: depth, kind or name, own bytes, value.
std::string drawn(const RecordDocument& document) {
    std::string text;
    const auto& nodes = document.tree.nodes;
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
        const FieldNode& node = nodes[i];
        int depth = 0;
        for (NodeIndex up = node.parent; up != noNode; up = nodes[up].parent)
            ++depth;
        const std::string name = node.field                        ? node.field->schema->name
                                 : node.kind == NodeKind::Raw      ? "Raw"
                                 : node.kind == NodeKind::Trailing ? "Trailing"
                                                                   : "Set";
        text += fmt::format("{:{}}{}", "", 2 * depth, name);
        if (!document.tree.hasChildren(i) && node.kind == NodeKind::Field) text += fmt::format(" {}", shown(document, i));
        text += node.damaged ? " damaged\n" : "\n";
    }
    return text;
}

RecordDocument openSet(ByteVector&&) = delete; // the document needs the bytes
RecordDocument openSet(Bytes bytes) {
    return RecordTrees().openSet(ByteChain::of(bytes), 0, static_cast<std::uint32_t>(bytes.size()));
}

void expectLaw(const RecordDocument& document, std::uint32_t begin, std::uint32_t end, const std::string& what) {
    ASSERT_EQ(brokenLaw(document.tree, begin, end), "") << what;
}

// The set and every document that it opens to.
void expectLawEverywhere(const ByteChain& chain, RecordTrees& trees, const std::string& what) {
    const RecordDocument set = trees.openSet(chain, 0, chain.size());
    expectLaw(set, 0, chain.size(), what);
    for (std::size_t i = 0; i < set.batches.size(); ++i) {
        if (set.batches[i].compressed == noNode) continue;
        const RecordDocument inside = trees.openCompressed(set, i);
        expectLaw(inside, 0, inside.bytes.size(), what + ", compressed");
    }
}

struct NamedBytes {
    std::string id;
    std::vector<std::uint8_t> bytes;
    rapidjson::Document expected;
};

std::vector<NamedBytes> vectors() {
    std::vector<NamedBytes> result;
    for (rapidjson::Document& line : readVectors("records.jsonl")) {
        NamedBytes named{line["id"].GetString(), bytesOfHex(line["hex"].GetString()), {}};
        named.expected = std::move(line);
        result.push_back(std::move(named));
    }
    return result;
}

TEST(RecordTree, showsABatchFieldByField) {
    BatchToWrite batch;
    batch.baseOffset = 100;
    batch.count = 2;
    batch.lastOffsetDelta = 1;
    ByteWriter records;
    records.raw(recordBytes({"k", "v", {{"h", std::nullopt}}}));
    records.raw(recordBytes({std::nullopt, "", {}, 250, 1}));
    batch.payload = records.bytes;
    const ByteVector bytes = batchBytes(batch);
    EXPECT_EQ(drawn(openSet(bytes)), fmt::format(R"(Set
  Batch
    BaseOffset 100
    BatchLength {}
    PartitionLeaderEpoch 0
    Magic 2
    Crc {}
    Attributes 0
    LastOffsetDelta 1
    BaseTimestamp 1700000000123
    MaxTimestamp 1700000000123
    ProducerId -1
    ProducerEpoch -1
    BaseSequence -1
    RecordCount 2
    Records
      Record
        Attributes 0
        TimestampDelta 0
        OffsetDelta 0
        Key k
        Value v
        Headers
          Header
            Key h
            Value null
      Record
        Attributes 0
        TimestampDelta 250
        OffsetDelta 1
        Key null
        Value 
        Headers 
)",
                                                 bytes.size() - 12, openSet(bytes).batches.at(0).batch.crc));
}

TEST(RecordTree, showsOldMessagesAndWhatIsInAWrapper) {
    const ByteVector inner = messageBytes(1, "k", "v", 0, 0, 77);
    const ByteVector packed = compressed(Codec::Gzip, inner);
    const ByteVector wrapper = messageBytes(
        1, std::nullopt, std::string_view(reinterpret_cast<const char*>(packed.data()), packed.size()), 9, 1);
    const RecordDocument set = openSet(wrapper);
    ASSERT_EQ(set.batches.size(), 1u);
    ASSERT_NE(set.batches[0].compressed, noNode);
    EXPECT_EQ(set.tree.nodes[set.batches[0].compressed].contentLength(), packed.size());
    const RecordDocument inside = RecordTrees().openCompressed(set, 0);
    EXPECT_EQ(*inside.owned, inner);
    EXPECT_EQ(drawn(inside), fmt::format(R"(Set
  Records
    Message
      Offset 0
      MessageSize {}
      Crc {}
      Magic 1
      Attributes 0
      Timestamp 77
      Key k
      Value v
)",
                                         inner.size() - 12, openSet(inner).batches.at(0).batch.crc));
}

TEST(RecordTree, namesWhatAControlRecordSays) {
    const std::string commitKey("\0\0\0\1", 4), commitValue("\0\0\0\0\0\x0c", 6), voters("\0\0\0\6", 4);
    for (const auto& [key, value, type] :
         {std::tuple{commitKey, commitValue, "1"}, std::tuple{voters, std::string("\0\0\1", 3), "6"}}) {
        BatchToWrite batch;
        batch.attributes = 0x20;
        batch.count = 1;
        batch.payload = recordBytes({key, value, {}});
        const ByteVector bytes = batchBytes(batch);
        const std::string text = drawn(openSet(bytes));
        EXPECT_NE(text.find(fmt::format("        Key\n          Version 0\n          Type {}\n", type)),
                  std::string::npos)
            << text;
        EXPECT_EQ(text.find("CoordinatorEpoch 12") != std::string::npos, key == commitKey) << text;
    }
}

TEST(RecordTree, pathsAreThoseOfTheJsonForm) {
    BatchToWrite batch;
    batch.count = 1;
    batch.payload = recordBytes({"k", "v", {{"h", "x"}}});
    const ByteVector bytes = batchBytes(batch);
    const RecordDocument set = openSet(bytes);
    std::vector<std::string> paths;
    for (NodeIndex i = 0; i < set.tree.nodes.size(); ++i)
        paths.push_back(set.tree.path(i));
    EXPECT_EQ(paths.front(), "");
    EXPECT_EQ(paths[1], "[0]");
    EXPECT_EQ(paths[2], "[0].baseOffset");
    EXPECT_EQ(paths.back(), "[0].records[0].headers[0].value");
}

TEST(RecordTree, aCutBatchShowsTheFieldsThatAreWhole) {
    const ByteVector whole = batchBytes({});
    EXPECT_EQ(drawn(openSet(Bytes{whole}.first(18))), R"(Set
  IncompleteBatch damaged
    BaseOffset 0
    BatchLength 49
    PartitionLeaderEpoch 0
    Magic 2
    Trailing
)");
    EXPECT_EQ(drawn(openSet(Bytes{whole}.first(5))), R"(Set
  IncompleteBatch damaged
    Trailing
)");
    EXPECT_TRUE(openSet(Bytes{whole}.first(18)).problems.empty()); // nothing is wrong with it
}

TEST(RecordTree, recordsBehindADamagedOneAreShown) {
    ByteWriter records;
    ByteVector bad = recordBytes({"key", "value", {}});
    bad[4] = 0x7e; // the length of its key
    records.raw(recordBytes({"a", "1", {}})).raw(bad).raw(recordBytes({"b", "2", {}}));
    BatchToWrite batch;
    batch.count = 3;
    batch.payload = records.bytes;
    const ByteVector bytes = batchBytes(batch);
    const RecordDocument set = openSet(bytes);
    const std::string text = drawn(set);
    EXPECT_NE(text.find("OffsetDelta 0\n        Raw\n      Record\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Key b\n"), std::string::npos) << text;
    ASSERT_EQ(set.problems.size(), 1u);
    EXPECT_EQ(set.problems[0].at, "[0].records[1]");
}

TEST(RecordTree, missingBytesAreDamagedNodes) {
    BatchToWrite batch;
    batch.count = 1;
    batch.payload = recordBytes({"key", "a value of some length", {}});
    const ByteVector bytes = batchBytes(batch);
    ByteChain chain = ByteChain::of(Bytes{bytes}.first(bytes.size() - 10));
    Slice hole;
    hole.length = 10;
    hole.hole = Hole::Lost;
    chain.append(hole);
    const RecordDocument set = RecordTrees().openSet(chain, 0, chain.size());
    expectLaw(set, 0, chain.size(), "with a hole");
    EXPECT_NE(drawn(set).find("Value  damaged\n"), std::string::npos) << drawn(set);
    EXPECT_EQ(set.problems.size(), 1u);
}

TEST(RecordTree, problemsOfACompressedBatchComeWhenItIsOpened) {
    BatchToWrite batch;
    batch.attributes = static_cast<int>(Codec::Zstd);
    batch.count = 2;
    batch.payload = compressed(Codec::Zstd, recordBytes({"k", "v", {}}));
    ByteWriter bytes;
    ByteVector wrongCrc = batchBytes(batch);
    wrongCrc[17] ^= 1;
    bytes.raw(batchBytes({})).raw(wrongCrc);
    const RecordDocument set = openSet(bytes.bytes);
    ASSERT_EQ(set.problems.size(), 1u);
    EXPECT_EQ(set.problems[0].kind, ProblemKind::Crc);
    const RecordDocument inside = RecordTrees().openCompressed(set, 1);
    ASSERT_EQ(inside.problems.size(), 1u);
    EXPECT_EQ(inside.problems[0].kind, ProblemKind::Malformed);
    EXPECT_EQ(inside.problems[0].at, "[1]");
    EXPECT_EQ(inside.problems[0].offset, set.tree.nodes[set.batches[1].compressed].offset);
}

// --- the law

TEST(RecordTree, everyByteOfEveryVectorHasOneOwner) {
    RecordTrees trees;
    for (const NamedBytes& vector : vectors())
        expectLawEverywhere(ByteChain::of(vector.bytes), trees, vector.id);
}

TEST(RecordTree, theNodesOfEveryVectorHoldTheKeysAndValuesThatKafkaReads) {
    RecordTrees trees;
    for (const NamedBytes& vector : vectors()) {
        if (vector.id.starts_with("bad-")) continue;
        const RecordDocument set =
            trees.openSet(ByteChain::of(vector.bytes), 0, static_cast<std::uint32_t>(vector.bytes.size()));
        std::size_t records = 0, expected = 0;
        const auto count = [&](const RecordDocument& document) {
            for (const FieldNode& node : document.tree.nodes)
                records += node.field == recordFields().value || node.field == recordFields().messageValue ||
                           node.field == recordFields().endMarker;
        };
        count(set);
        for (std::size_t i = 0; i < set.batches.size(); ++i)
            if (set.batches[i].compressed != noNode) count(trees.openCompressed(set, i));
        for (const auto& batch : vector.expected["batches"].GetArray())
            expected += batch["records"].Size();
        EXPECT_EQ(records, expected) << vector.id;
    }
}

TEST(RecordTree, theLawHoldsForSetsCutAnywhereAndForHoles) {
    RecordTrees trees;
    for (const NamedBytes& vector : vectors()) {
        const std::size_t step = 1 + vector.bytes.size() / 300;
        for (std::size_t length = 0; length < vector.bytes.size(); length += step) {
            ByteChain chain = ByteChain::of(Bytes{vector.bytes}.first(length));
            expectLawEverywhere(chain, trees, fmt::format("{} cut at {}", vector.id, length));
            Slice hole;
            hole.length = static_cast<std::uint32_t>(vector.bytes.size() - length);
            hole.hole = Hole::Lost;
            chain.append(hole);
            expectLawEverywhere(chain, trees, fmt::format("{} lost from {}", vector.id, length));
        }
    }
}

TEST(RecordTree, theLawHoldsForAnyDamage) {
    RecordTrees trees;
    std::mt19937 random(5);
    for (const NamedBytes& vector : vectors()) {
        if (vector.bytes.empty()) continue;
        for (int round = 0; round < 40; ++round) {
            std::vector<std::uint8_t> bytes = vector.bytes;
            for (int changes = 0; changes < 3; ++changes)
                bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
            expectLawEverywhere(ByteChain::of(bytes), trees, fmt::format("{} round {}", vector.id, round));
        }
    }
}

} // namespace
} // namespace brokerscope
