// SPDX-License-Identifier: Apache-2.0
// What one message costs: the skim that every exchange of a capture gets, the field tree, the tree written as JSON.
// Typical messages first, then all vectors.
#include "dissector/message/message_json.h"
#include "dissector/message/plausibility.h"
#include "dissector/message/skim.h"
#include "dissector/schema/builtin_schemas.h"
#include "tests/support/message_bytes.h"
#include "tests/support/vectors.h"

#include <benchmark/benchmark.h>

namespace brokerscope {
namespace {

struct Message {
    std::vector<std::uint8_t> bytes;
    ByteChain chain;
    MessageContext context;

    Message(std::vector<std::uint8_t> content, Direction direction, int apiKey, int apiVersion)
        : bytes(std::move(content)) {
        context.direction = direction;
        context.apiKey = static_cast<std::int16_t>(apiKey);
        context.apiVersion = static_cast<std::int16_t>(apiVersion);
        context.framed = false;
        constexpr std::uint32_t segment = 1448;
        for (std::uint32_t begin = 0; begin < bytes.size(); begin += segment) {
            Slice slice;
            slice.data = bytes.data() + begin;
            slice.length = std::min(segment, static_cast<std::uint32_t>(bytes.size()) - begin);
            chain.append(slice);
        }
    }
    Message(const Message&) = delete; // the chain points into the bytes
};

constexpr std::int64_t topicIdFront = 0x614b9e7a3344, topicIdBack = 0x1122334455667788;

// One partition of 16 KiB, as a producer under load sends it.
MessageBytes produceRequest() {
    MessageBytes out;
    out.request(0, 13, 7, "demo-producer", true).uvarint(0).i16(-1).i32(30000);
    out.uvarint(2).i64(topicIdFront).i64(topicIdBack).uvarint(2).i32(5);
    out.uvarint(16385).raw(std::string(16384, 'r')).uvarint(0).uvarint(0).uvarint(0);
    return out;
}

MessageBytes produceResponse() {
    MessageBytes out;
    out.i32(7).uvarint(0).uvarint(2).i64(topicIdFront).i64(topicIdBack).uvarint(2);
    out.i32(5).i16(0).i64(1042).i64(-1).i64(0).uvarint(1).uvarint(0).uvarint(0).uvarint(0).i32(0).uvarint(0);
    return out;
}

// A consumer of ten partitions, a record set in one of them.
MessageBytes fetchRequest() {
    MessageBytes out;
    out.request(1, 17, 8, "billing-1", true).i32(500).i32(1).i32(52428800).i8(0).i32(7001).i32(12);
    out.uvarint(2).i64(topicIdFront).i64(topicIdBack).uvarint(11);
    for (int partition = 0; partition < 10; ++partition)
        out.i32(partition).i32(4).i64(1042).i32(-1).i64(-1).i32(1048576).uvarint(0);
    out.uvarint(0).uvarint(1).compact("").uvarint(0);
    return out;
}

MessageBytes fetchResponse() {
    MessageBytes out;
    out.i32(8).uvarint(0).i32(0).i16(0).i32(7001).uvarint(2).i64(topicIdFront).i64(topicIdBack).uvarint(11);
    for (int partition = 0; partition < 10; ++partition) {
        out.i32(partition).i16(0).i64(2000).i64(2000).i64(0).uvarint(0).i32(-1);
        const std::size_t size = partition == 3 ? 8192 : 0;
        out.uvarint(size + 1).raw(std::string(size, 'r')).uvarint(0);
    }
    out.uvarint(0).uvarint(0);
    return out;
}

MessageBytes heartbeatRequest() {
    MessageBytes out;
    out.request(12, 4, 9, "billing-1", true).compact("billing").i32(17);
    out.compact("billing-1-0a1b2c3d-4455-6677-8899-aabbccddeeff").uvarint(0).uvarint(0);
    return out;
}

const Message& message(std::int64_t index) {
    static const Message all[] = {
        {produceRequest().bytes(), Direction::Request, 0, 13},
        {produceResponse().bytes(), Direction::Response, 0, 13},
        {fetchRequest().bytes(), Direction::Request, 1, 17},
        {fetchResponse().bytes(), Direction::Response, 1, 17},
        {heartbeatRequest().bytes(), Direction::Request, 12, 4},
        {MessageBytes().i32(9).uvarint(0).i32(0).i16(0).uvarint(0).bytes(), Direction::Response, 12, 4}};
    return all[index];
}

std::string label(const Message& message) {
    const bool request = message.context.direction == Direction::Request;
    return Protocol::builtin().api(message.context.apiKey)->name + (request ? " request" : " response");
}

void skim(benchmark::State& state) {
    const Message& sample = message(state.range(0));
    Skim out;
    for (auto _ : state) {
        skimMessage(Protocol::builtin(), sample.chain, sample.context, out);
        benchmark::DoNotOptimize(out.partitionCount);
    }
    if (!out.whole) state.SkipWithError("the sample does not decode");
    state.SetLabel(label(sample));
}
BENCHMARK(skim)->DenseRange(0, 5);

void tree(benchmark::State& state) {
    const Message& sample = message(state.range(0));
    DecodedMessage out;
    for (auto _ : state) {
        decodeMessage(Protocol::builtin(), sample.chain, sample.context, out);
        benchmark::DoNotOptimize(out.tree.nodes.data());
    }
    state.SetLabel(label(sample) + ", " + std::to_string(out.tree.nodes.size()) + " nodes");
}
BENCHMARK(tree)->DenseRange(0, 5);

void treeAndJson(benchmark::State& state) {
    const Message& sample = message(state.range(0));
    DecodedMessage out;
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    for (auto _ : state) {
        decodeMessage(Protocol::builtin(), sample.chain, sample.context, out);
        buffer.Clear();
        writer.Reset(buffer);
        writeJson(Protocol::builtin(), out, sample.chain, out.body, {}, writer);
        benchmark::DoNotOptimize(buffer.GetString());
    }
    state.SetLabel(label(sample) + ", " + std::to_string(buffer.GetSize()) + " bytes of JSON");
}
BENCHMARK(treeAndJson)->DenseRange(0, 5);

void plausible(benchmark::State& state) {
    const Message& sample = message(state.range(0));
    DecodedMessage out;
    decodeMessage(Protocol::builtin(), sample.chain, sample.context, out);
    const std::uint32_t begin = out.tree.nodes[out.body].offset;
    const Plan& plan =
        *Protocol::builtin().plan(sample.context.apiKey, sample.context.apiVersion, sample.context.direction);
    for (auto _ : state)
        benchmark::DoNotOptimize(isPlausible(plan, sample.chain, begin, sample.chain.size()));
    state.SetLabel(label(sample));
}
BENCHMARK(plausible)->DenseRange(0, 5);

enum Stage { Skimming, Trees, Json };

void vectors(benchmark::State& state) {
    static const std::vector<rapidjson::Document> documents = readVectors("messages.jsonl");
    static std::vector<std::unique_ptr<Message>> all = [] {
        std::vector<std::unique_ptr<Message>> made;
        for (const rapidjson::Document& line : documents) {
            const bool request = std::string_view(line["dir"].GetString()) == "request";
            made.push_back(std::make_unique<Message>(bytesOfHex(line["frame"].GetString()),
                                                     request ? Direction::Request : Direction::Response,
                                                     line["api"].GetInt(), line["version"].GetInt()));
        }
        return made;
    }();
    Skim quick;
    DecodedMessage out;
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    std::int64_t bytes = 0;
    for (auto _ : state) {
        for (const auto& sample : all) {
            bytes += sample->chain.size();
            if (state.range(0) == Skimming) {
                skimMessage(Protocol::builtin(), sample->chain, sample->context, quick);
                continue;
            }
            decodeMessage(Protocol::builtin(), sample->chain, sample->context, out);
            if (state.range(0) == Trees) continue;
            buffer.Clear();
            writer.Reset(buffer);
            writeJson(Protocol::builtin(), out, sample->chain, out.body, {}, writer);
        }
    }
    static const char* const stages[] = {"skim", "tree", "tree and json"};
    state.SetLabel(stages[state.range(0)]);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
    state.SetBytesProcessed(bytes);
}
BENCHMARK(vectors)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void parseBuiltinSchemas(benchmark::State& state) {
    for (auto _ : state) {
        ParsedSchema schema;
        std::vector<SchemaError> errors;
        for (const SchemaText& text : builtinSchemas())
            parseSchema(text, schema, errors);
        benchmark::DoNotOptimize(schema.messages.size());
    }
}
BENCHMARK(parseBuiltinSchemas)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace brokerscope
