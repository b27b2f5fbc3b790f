// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/trace_header.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

TEST(TraceHeader, traceparentHasTraceSpanAndFlag) {
    EXPECT_EQ(traceText("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
              "trace 0af7651916cd43dd8448eb211c80319c span b7ad6b7169203331 sampled");
    EXPECT_EQ(traceText("TraceParent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"),
              "trace 0af7651916cd43dd8448eb211c80319c span b7ad6b7169203331 not sampled");
}

TEST(TraceHeader, b3ComesInOneHeaderOrInSeveral) {
    EXPECT_EQ(traceText("b3", "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1-05e3ac9a4f6e3b90"),
              "trace 80f198ee56343ba864fe8b2a57d3eff7 span e457b5a2e4d86bd1 sampled parent 05e3ac9a4f6e3b90");
    EXPECT_EQ(traceText("b3", "e457b5a2e4d86bd1-e457b5a2e4d86bd1"), "trace e457b5a2e4d86bd1 span e457b5a2e4d86bd1");
    EXPECT_EQ(traceText("X-B3-TraceId", "80f198ee56343ba864fe8b2a57d3eff7"), "trace 80f198ee56343ba864fe8b2a57d3eff7");
    EXPECT_EQ(traceText("X-B3-SpanId", "e457b5a2e4d86bd1"), "span e457b5a2e4d86bd1");
    EXPECT_EQ(traceText("X-B3-ParentSpanId", "e457b5a2e4d86bd1"), "parent e457b5a2e4d86bd1");
}

TEST(TraceHeader, whatIsNotWellFormedIsNone) {
    EXPECT_EQ(traceText("traceparent", "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01"), "");
    EXPECT_EQ(traceText("traceparent", "x"), "");
    EXPECT_EQ(traceText("b3", "0"), "");
    EXPECT_EQ(traceText("tracestate", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), "");
}

} // namespace
} // namespace brokerscope
