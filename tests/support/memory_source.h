// SPDX-License-Identifier: Apache-2.0
// A PacketSource over packets that a test built; it owns their bytes.
#pragma once

#include "capture/packet_source.h"
#include "tests/support/packets.h"

#include <deque>
#include <utility>

namespace brokerscope::test {

class MemorySource : public PacketSource {
  public:
    // Times go up by a millisecond a packet.
    void add(Octets bytes, std::uint16_t linkType = 1);
    std::size_t size() const { return m_packets.size(); }

    bool next(Packet& out) override;
    bool ready(std::chrono::milliseconds) override { return true; }
    void stop() noexcept override { m_next = m_packets.size(); }
    const CaptureInfo& info() const override { return m_info; }
    std::span<const std::string_view> packetComments() const override { return {}; }
    Progress progress() const override { return {m_next, m_packets.size()}; }
    void releaseBefore(const std::uint8_t*) override {}

  private:
    std::deque<std::pair<Octets, Packet>> m_packets;
    std::size_t m_next = 0;
    CaptureInfo m_info;
};

} // namespace brokerscope::test
