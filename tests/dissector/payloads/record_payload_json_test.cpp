// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/record_payload_json.h"

#include "tests/support/vectors.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

std::string valueOf(std::string_view topic, const std::vector<std::uint8_t>& value, PayloadJsonOptions options) {
    PayloadExpander expander(Protocol::builtin(), options);
    expander.setTopic(topic);
    Record record;
    record.value = value;
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    return expander.writeValue(Batch{}, record, writer) ? buffer.GetString() : "left to base64";
}

const std::vector<std::uint8_t> config = bytesOfHex("01040004"
                                                    "00"
                                                    "047373"
                                                    "6c"
                                                    "00"); // frame 1, ConfigRecord, cut
const std::vector<std::uint8_t> password = bytesOfHex("010400"
                                                      "04"
                                                      "01"
                                                      "15"
                                                      "73736c2e6b65792e70617373776f72642e782e79"
                                                      "04"
                                                      "6f7065"
                                                      "00");
const std::vector<std::uint8_t> retention = bytesOfHex("010400"
                                                       "02"
                                                       "02"
                                                       "74"
                                                       "0d"
                                                       "726574656e74696f6e2e6d73"
                                                       "02"
                                                       "31"
                                                       "00");

TEST(PayloadExpander, expandsRecordsOfInternalTopicsOnly) {
    EXPECT_EQ(valueOf("__cluster_metadata", retention, {.expand = true}),
              "{\"type\":\"ConfigRecord\",\"version\":0,\"value\":{\"resourceType\":2,\"resourceName\":\"t\",\"name\":"
              "\"retention.ms\",\"value\":\"1\"}}");
    EXPECT_EQ(valueOf("orders", retention, {.expand = true}), "left to base64");
}

TEST(PayloadExpander, masksWhatHoldsSecretsEvenWhereNothingIsExpanded) {
    EXPECT_EQ(valueOf("__cluster_metadata", password, {}), "\"(masked)\"");
    EXPECT_EQ(valueOf("__cluster_metadata", password, {.showSecrets = true}), "left to base64");
    EXPECT_EQ(valueOf("__cluster_metadata", retention, {}), "left to base64");
}

TEST(PayloadExpander, masksInsideWhatItExpands) {
    EXPECT_EQ(valueOf("__cluster_metadata", password, {.expand = true}),
              "{\"type\":\"ConfigRecord\",\"version\":0,\"value\":{\"resourceType\":4,\"resourceName\":\"\",\"name\":"
              "\"ssl.key.password.x.y\",\"value\":\"(masked)\"}}");
    EXPECT_EQ(valueOf("__cluster_metadata", password, {.expand = true, .showSecrets = true}).find("masked"),
              std::string::npos);
}

TEST(PayloadExpander, writesWhatIsThereOfACutRecord) {
    EXPECT_EQ(valueOf("__cluster_metadata", config, {.expand = true}).find("{\"type\":\"ConfigRecord\""), 0u);
}

} // namespace
} // namespace brokerscope
