// SPDX-License-Identifier: Apache-2.0
// A capture as it could have been: the packets of another source with faults put in by a seed. Packets keep the numbers
// that they have in the whole capture, so that what comes out of both can be compared exchange by exchange.
// Bytes: of the inner source where a packet is untouched, else of this source.
#pragma once

#include "capture/layers/segment.h"
#include "capture/packet_source.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace brokerscope {

struct Faults {
    std::string name;
    std::uint64_t seed = 1;
    double drop = 0;           // share of packets that are not in the capture
    double duplicate = 0;      // share of packets that come twice, the copy up to 20 packets later
    double reorder = 0;        // share of packets that come up to 8 packets later
    double flipBits = 0;       // share of packets in which one payload bit is wrong
    std::uint64_t startAt = 0; // number of packets missing at the begin
    std::uint64_t keep = 0;    // the capture ends after so many packets; 0: it does not
    std::uint32_t snapLength = 0;
    std::uint32_t segmentBytes = 0; // payloads are cut into segments of so many bytes; 0: left as they are
    std::optional<bool> only;       // one direction: to (true) or from (false) the higher port's peer
    Duration skew{};                // clock of one direction runs ahead by this
    std::uint16_t portsMoved = 0;   // is added to every port below the clients' (32768)
};

class FaultySource : public PacketSource {
  public:
    FaultySource(std::unique_ptr<PacketSource> inner, const Faults& faults);

    bool next(Packet& out) override;
    bool ready(std::chrono::milliseconds) override { return true; }
    void stop() noexcept override { m_at = m_packets.size(); }
    const CaptureInfo& info() const override { return m_inner->info(); }
    std::span<const std::string_view> packetComments() const override { return {}; }
    Progress progress() const override { return {}; }
    void releaseBefore(const std::uint8_t*) override {}

    // The packets whose bytes are all there and right, by their number in the whole capture.
    const std::set<PacketNumber>& intact() const { return m_intact; }

  private:
    void damage(std::vector<Packet> packets);
    std::vector<Packet> segmented(const Packet& packet);
    Packet flipped(const Packet& packet);
    Packet moved(const Packet& packet, const Segment& segment);
    Bytes keepBytes(std::vector<std::uint8_t> bytes);
    bool chance(double share);

    std::unique_ptr<PacketSource> m_inner;
    Faults m_faults;
    std::mt19937_64 m_random;
    std::deque<std::vector<std::uint8_t>> m_owned;
    std::vector<Packet> m_packets;
    std::size_t m_at = 0;
    std::set<PacketNumber> m_intact;
};

} // namespace brokerscope
