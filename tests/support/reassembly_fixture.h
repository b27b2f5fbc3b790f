// SPDX-License-Identifier: Apache-2.0
// What tests of reassembly start from: a reassembler, a recorder behind it, and a conversation.
#pragma once

#include "capture/tcp_reassembler.h"
#include "tests/support/conversation.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

namespace brokerscope::test {

class Reassembly : public testing::Test {
  protected:
    void add(const Segment& segment) { reassembler.add(segment); }
    void handshake(Conversation& c) {
        add(c.syn());
        add(c.synAck());
        add(c.clientAck());
    }
    void handshake() { handshake(talk); }
    const RecordedConnection& only() {
        EXPECT_EQ(recorder.size(), 1u);
        return recorder.at(0);
    }

    StreamRecorder recorder;
    TcpReassembler reassembler{recorder};
    Conversation talk;
};

} // namespace brokerscope::test
