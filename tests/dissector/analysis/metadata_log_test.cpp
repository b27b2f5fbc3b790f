// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/metadata_log.h"

#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "dissector/exchange/exchange_assembler.h"
#include "tests/support/made_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace brokerscope {
namespace {

class Counter final : public ExchangeSink {
  public:
    void exchangeEnded(Exchange&& exchange) override {
        m_log.read(exchange, [this](const RecordPayload& record) { ++types[record.type.type]; });
    }

    std::map<std::string, int> types;

  private:
    MetadataLog m_log{Protocol::builtin()};
};

TEST(MetadataLog, readsTheRecordsThatKraftNodesFetch) {
    const std::vector<std::string> paths = {BROKERSCOPE_SOURCE_DIR "/samples/kraft-cluster.pcap.zst"};
    auto source = openCapture(paths);
    ASSERT_TRUE(source) << source.error().what;
    Counter counter;
    ExchangeAssembler assembler(Protocol::builtin(), counter);
    StreamReader reader(**source, assembler);
    reader.readAll();
    assembler.finish();
    EXPECT_GT(counter.types["TopicRecord"], 0);
    EXPECT_GT(counter.types["PartitionRecord"], counter.types["TopicRecord"]);
    EXPECT_GT(counter.types["RegisterBrokerRecord"], 0);
    EXPECT_FALSE(counter.types.contains("")) << "control records are none of them";
}

TEST(MetadataLog, passesOverOtherExchanges) {
    MessageBytes request, response;
    request.request(1, 7, 1, "__cluster_metadata")
        .i32(-1)
        .i32(500)
        .i32(1)
        .i32(1 << 20)
        .i8(0)
        .i32(0)
        .i32(0)
        .i32(0)
        .i32(0);
    response.i32(1).i32(0).i16(0).i32(0).i32(0);
    ExchangeMaker maker;
    int records = 0;
    MetadataLog log(Protocol::builtin());
    log.read(maker.make(request, &response), [&](const RecordPayload&) { ++records; });
    log.read(maker.make(request), [&](const RecordPayload&) { ++records; });
    EXPECT_EQ(records, 0);
}

} // namespace
} // namespace brokerscope
