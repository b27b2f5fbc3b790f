// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/telemetry.h"

#include "tests/support/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;

// One field of a protobuf message: tag, length, content; all shorter than 128 bytes.
std::string sized(int number, const std::string& content) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} + content;
}

std::string fixed64(int number, std::uint64_t value) {
    std::string text(1, static_cast<char>(number << 3 | 1));
    for (int i = 0; i < 8; ++i)
        text += static_cast<char>(value >> 8 * i);
    return text;
}

std::string attribute(int number, const std::string& key, const std::string& value) {
    return sized(number, sized(1, key) + sized(2, sized(1, value)));
}

Bytes bytesOf(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string metricsData(const std::string& metric) {
    return sized(1, sized(1, attribute(1, "client_rack", "r1")) + sized(2, sized(2, metric)));
}

TEST(Telemetry, namesAndValuesOfEveryKind) {
    const std::string gauge =
        sized(1, "queue.time") + sized(3, "ms") + sized(5, sized(1, fixed64(3, 7) + fixed64(4, 0x3fe0000000000000)));
    const std::string sum = sized(1, "connects") + sized(7, sized(1, attribute(7, "node_id", "1") + fixed64(6, 3)) +
                                                                sized(1, attribute(7, "node_id", "2") + fixed64(6, 4)));
    const std::string histogram =
        sized(1, "sizes") + sized(9, sized(1, fixed64(4, 2) + fixed64(5, 0x4008000000000000)));
    const Telemetry one = readTelemetry(bytesOf(metricsData(gauge)), Codec::None);
    EXPECT_EQ(one.problem, "");
    EXPECT_THAT(one.resource, ElementsAre(std::pair("client_rack", "r1")));
    EXPECT_THAT(telemetryLines(one), ElementsAre("queue.time  gauge 0.5 ms"));
    EXPECT_EQ(one.metrics.at(0).points.at(0).timeUnixNano, 7);
    EXPECT_THAT(telemetryLines(readTelemetry(bytesOf(metricsData(sum)), Codec::None)),
                ElementsAre("connects  sum 3  {node_id=1}", "connects  sum 4  {node_id=2}"));
    EXPECT_THAT(telemetryLines(readTelemetry(bytesOf(metricsData(histogram)), Codec::None)),
                ElementsAre("sizes  histogram count 2 sum 3"));
}

TEST(Telemetry, whatIsBrokenIsReadUpToThere) {
    std::string data = metricsData(sized(1, "connects") + sized(7, sized(1, fixed64(6, 3))));
    data += "\xff";
    const Telemetry read = readTelemetry(bytesOf(data), Codec::None);
    EXPECT_THAT(telemetryLines(read), ElementsAre("connects  sum 3"));
    EXPECT_NE(read.problem, "");
    EXPECT_NE(readTelemetry(bytesOf("no zstd frame"), Codec::Zstd).problem, "");
}

} // namespace
} // namespace brokerscope
