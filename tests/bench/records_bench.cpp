// SPDX-License-Identifier: Apache-2.0
// How fast record batches open: checksum, decompression, one view a record. Bytes a second are those of the records as
// they stand uncompressed, which is what a person reads.
#include "dissector/records/record_json.h"
#include "tests/support/record_bytes.h"

#include <benchmark/benchmark.h>

#include <random>

namespace brokerscope {
namespace {

// Records of some 200 bytes that compress about as well as JSON events do.
ByteVector jsonRecords(int count) {
    std::mt19937 random(20261129);
    ByteWriter out;
    for (int i = 0; i < count; ++i) {
        const std::string key = "customer-" + std::to_string(random() % 10'000);
        const std::string value = R"({"orderId":)" + std::to_string(random()) + R"(,"status":"SHIPPED","amount":)" +
                                  std::to_string(random() % 100'000) + R"(,"currency":"EUR","warehouse":"north-)" +
                                  std::to_string(random() % 20) + R"(","trackingCode":")" + std::to_string(random()) +
                                  std::to_string(random()) + R"("})";
        out.raw(recordBytes({key, value, {{"content-type", "application/json"}}, i, i}));
    }
    return out.bytes;
}

struct Sample {
    ByteVector bytes;
    ByteChain chain; // in pieces as packets bring them
    std::size_t content = 0;

    Sample(Codec codec, int count) {
        BatchToWrite batch;
        batch.count = count;
        batch.lastOffsetDelta = count - 1;
        batch.attributes = static_cast<int>(codec);
        batch.payload = jsonRecords(count);
        content = batch.payload.size();
        batch.payload = compressed(codec, batch.payload);
        bytes = batchBytes(batch);
        constexpr std::uint32_t segment = 1448;
        for (std::uint32_t begin = 0; begin < bytes.size(); begin += segment) {
            Slice slice;
            slice.data = bytes.data() + begin;
            slice.length = std::min(segment, static_cast<std::uint32_t>(bytes.size()) - begin);
            chain.append(slice);
        }
    }
};

void openBatches(benchmark::State& state) {
    const auto codec = static_cast<Codec>(state.range(0));
    const Sample sample(codec, static_cast<int>(state.range(1)));
    RecordSetReader reader;
    std::int64_t records = 0;
    for (auto _ : state) {
        reader.open(sample.chain, 0, sample.chain.size());
        while (reader.nextBatch())
            while (reader.nextRecord()) {
                benchmark::DoNotOptimize(reader.record().value->data());
                ++records;
            }
    }
    state.SetLabel(std::string(name(codec)));
    state.SetItemsProcessed(records);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * sample.content));
}
BENCHMARK(openBatches)->ArgNames({"codec", "records"})->ArgsProduct({{0, 1, 2, 3, 4}, {80, 5000}});

void checkBatches(benchmark::State& state) {
    const Sample sample(Codec::None, static_cast<int>(state.range(0)));
    RecordSetReader reader;
    for (auto _ : state) {
        reader.open(sample.chain, 0, sample.chain.size());
        benchmark::DoNotOptimize(reader.nextBatch());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * sample.content));
}
BENCHMARK(checkBatches)->ArgName("records")->Arg(80)->Arg(5000);

void writeJson(benchmark::State& state) {
    const Sample sample(static_cast<Codec>(state.range(0)), 80);
    RecordSetReader reader;
    rapidjson::StringBuffer buffer;
    for (auto _ : state) {
        buffer.Clear();
        JsonWriter writer(buffer);
        reader.open(sample.chain, 0, sample.chain.size());
        writeBatches(reader, writer);
        benchmark::DoNotOptimize(buffer.GetString());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * sample.content));
}
BENCHMARK(writeJson)->ArgName("codec")->Arg(0)->Arg(3)->Arg(4);

} // namespace
} // namespace brokerscope
