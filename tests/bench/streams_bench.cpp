// SPDX-License-Identifier: Apache-2.0
// From packets to streams: what one packet costs in the link layers and in reassembly.
#include "capture/link_layers.h"
#include "capture/tcp_reassembler.h"
#include "tests/support/packets.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

namespace brokerscope::test {
namespace {

class Ignore : public StreamSink {
  public:
    std::uint64_t total = 0;

    void connectionOpened(const Connection&) override {}
    void bytes(ConnectionId, Side, const Slice& slice) override { total += slice.length; }
    void streamEnded(ConnectionId, Side, StreamEnd, PacketNumber, Timestamp) override {}
    void connectionClosed(ConnectionId) override {}
};

void decode(benchmark::State& state, const Octets& bytes) {
    const Packet packet = packetOf(bytes);
    DecodedPacket decoded;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(decodePacket(packet, decoded));
}

void decodeEthernet(benchmark::State& state) {
    decode(state, ethernet(0x0800, ipv4({}, tcp({}, Octets(1000)))));
}
BENCHMARK(decodeEthernet);

void decodeVxlan(benchmark::State& state) {
    const Octets inner = ethernet(0x0800, ipv4({}, tcp({}, Octets(1000))));
    const Octets tunnel = udp(4789, fromHex("08000000 00002a00") + inner);
    decode(state, ethernet(0x8100, vlan(7, 0x0800, ipv4({.protocol = 17}, tunnel))));
}
BENCHMARK(decodeVxlan);

// Segments of so many connections, each in order, taking turns at random; every second one acknowledges.
class Talk {
  public:
    explicit Talk(std::size_t connections) : m_next(connections * 2, 1), m_order(1 << 20) {
        std::mt19937 random(1);
        for (std::uint32_t& at : m_order)
            at = static_cast<std::uint32_t>(random() % connections);
    }
    std::size_t connections() const { return m_next.size() / 2; }
    Segment next() {
        const std::uint32_t connection = m_order[m_at++ & (m_order.size() - 1)];
        const std::size_t side = m_at >> 4 & 1;
        return segment(connection, side, Segment::kAck, 100);
    }
    Segment segment(std::uint32_t connection, std::size_t side, std::uint8_t flags, std::uint32_t length) {
        Segment s;
        std::uint32_t* next = &m_next[connection * 2];
        s.source.address.bytes = {10, 0, 0, static_cast<std::uint8_t>(connection >> 16)};
        s.source.port = static_cast<std::uint16_t>(connection);
        s.destination.address.bytes = {10, 1, 0, 1};
        s.destination.port = 9092;
        if (side) std::swap(s.source, s.destination);
        s.seq = flags & Segment::kSyn ? 0 : next[side];
        s.ack = next[1 - side];
        s.flags = flags;
        s.window = 512;
        s.payload = Bytes(m_bytes.data(), length);
        s.ipId = static_cast<std::uint16_t>(++m_number);
        s.packet = PacketNumber{m_number};
        s.time = Timestamp{std::chrono::microseconds{100 * m_number}};
        next[side] += length;
        return s;
    }

  private:
    std::vector<std::uint32_t> m_next, m_order;
    std::size_t m_at = 0;
    std::uint64_t m_number = 0;
    Octets m_bytes = Octets(1 << 16);
};

void reassembleInOrder(benchmark::State& state) {
    Ignore sink;
    TcpReassembler reassembler(sink);
    Talk talk(static_cast<std::size_t>(state.range(0)));
    for (std::uint32_t i = 0; i < talk.connections(); ++i) {
        reassembler.add(talk.segment(i, 0, Segment::kSyn, 0));
        reassembler.add(talk.segment(i, 1, Segment::kSyn | Segment::kAck, 0));
    }
    for ([[maybe_unused]] auto _ : state)
        reassembler.add(talk.next());
    benchmark::DoNotOptimize(sink.total);
}
BENCHMARK(reassembleInOrder)->Arg(1)->Arg(100)->Arg(10'000)->Arg(100'000);

// Every segment comes one place too late, so every second one waits.
void reassembleSwapped(benchmark::State& state) {
    Ignore sink;
    TcpReassembler reassembler(sink);
    Talk talk(1);
    reassembler.add(talk.segment(0, 0, Segment::kSyn, 0));
    reassembler.add(talk.segment(0, 1, Segment::kSyn | Segment::kAck, 0));
    for ([[maybe_unused]] auto _ : state) {
        const Segment first = talk.segment(0, 0, Segment::kAck, 100), second = talk.segment(0, 0, Segment::kAck, 100);
        reassembler.add(second);
        reassembler.add(first);
    }
    state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(reassembleSwapped);

// A life from SYN to the last ACK, with one request and one answer.
void shortConnections(benchmark::State& state) {
    Ignore sink;
    TcpReassembler reassembler(sink);
    Talk talk(1 << 18);
    std::uint32_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        i = (i + 1) & ((1 << 18) - 1);
        reassembler.add(talk.segment(i, 0, Segment::kSyn, 0));
        reassembler.add(talk.segment(i, 1, Segment::kSyn | Segment::kAck, 0));
        reassembler.add(talk.segment(i, 0, Segment::kAck, 100));
        reassembler.add(talk.segment(i, 1, Segment::kAck, 100));
        reassembler.add(talk.segment(i, 0, Segment::kAck | Segment::kFin, 0));
        reassembler.add(talk.segment(i, 1, Segment::kAck | Segment::kFin, 0));
    }
    state.SetItemsProcessed(state.iterations() * 6);
}
BENCHMARK(shortConnections);

} // namespace
} // namespace brokerscope::test
