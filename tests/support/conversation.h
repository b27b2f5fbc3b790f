// SPDX-License-Identifier: Apache-2.0
// Two ends of a TCP connection for tests of reassembly: makes segments with the right numbers, which a test then
// hands on, drops, repeats or reorders.
#pragma once

#include "capture/layers/segment.h"
#include "tests/support/packets.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

namespace brokerscope::test {

class Conversation {
  public:
    explicit Conversation(std::uint16_t clientPort = 40000);

    std::uint32_t clientNext = 1000, brokerNext = 5000; // sequence numbers
    Timestamp now{std::chrono::seconds{1'700'000'000}};
    std::uint64_t packets = 0; // numbers given so far

    Segment client(const std::string& payload, std::uint8_t flags = Segment::kAck | Segment::kPush);
    Segment broker(const std::string& payload, std::uint8_t flags = Segment::kAck | Segment::kPush);
    Segment syn() { return client("", Segment::kSyn); }
    Segment synAck() { return broker("", Segment::kSyn | Segment::kAck); }
    Segment clientAck() { return client("", Segment::kAck); }
    Segment brokerAck() { return broker("", Segment::kAck); }
    void wait(Duration time) { now += time; }
    // The same segment as another packet: captured or sent again, at the time it is now.
    Segment again(const Segment& segment);

  private:
    Segment make(bool fromClient, const std::string& payload, std::uint8_t flags);

    Endpoint m_client, m_broker;
    std::uint16_t m_ipId = 0;
    std::deque<std::string> m_payloads; // segments point into them
};

} // namespace brokerscope::test
