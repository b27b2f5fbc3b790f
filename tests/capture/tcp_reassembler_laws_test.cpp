// SPDX-License-Identifier: Apache-2.0
// Laws of reassembly, held against random conversations: whatever was done to the packets, every byte that is in one of
// them comes out at its place, and every other byte is a hole.
#include "capture/tcp_reassembler.h"

#include "tests/support/conversation.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace brokerscope::test {
namespace {

constexpr std::uint8_t kFin = Segment::kFin, kAck = Segment::kAck;

// A conversation with all that was sent, and where each segment lies in its stream.
class Traffic {
  public:
    struct Sent {
        Segment segment;
        bool fromClient = false;
        std::size_t begin = 0; // in the stream; of no meaning without payload
    };

    Traffic(std::mt19937& random, bool smallSegments) : m_random(random), m_small(smallSegments) {
        m_talk.clientNext = random() % 3 ? random() : 0xffffffff - random() % 3000;
        m_talk.brokerNext = random() % 3 ? random() : 0xffffffff - random() % 3000;
        put(m_talk.syn(), true);
        put(m_talk.synAck(), false);
        put(m_talk.clientAck(), true);
        for (int turn = 0; turn < 40; ++turn) {
            send(turn % 2 == 0);
            if (random() % 2) put(turn % 2 ? m_talk.clientAck() : m_talk.brokerAck(), turn % 2);
        }
        put(m_talk.client("", kFin | kAck), true);
        put(m_talk.broker("", kFin | kAck), false);
        put(m_talk.clientAck(), true);
    }

    std::vector<Sent> packets;
    std::array<std::string, 2> streams; // client, broker

    // The same bytes again, cut differently, as a retransmission would.
    Sent overlap(const Sent& sent) {
        const std::string& stream = streams[sent.fromClient ? 0 : 1];
        const std::size_t begin = sent.begin - std::min<std::size_t>(sent.begin, m_random() % 200);
        const std::size_t end = std::min(sent.begin + sent.segment.payload.size() + m_random() % 200, stream.size());
        const std::string bytes = stream.substr(begin, end - begin);
        Sent out = sent;
        const Segment made = sent.fromClient ? m_talk.client(bytes) : m_talk.broker(bytes);
        out.segment.payload = made.payload;
        out.segment.seq -= static_cast<std::uint32_t>(sent.begin - begin);
        out.segment.ipId = made.ipId;
        out.begin = begin;
        return out;
    }

  private:
    void put(const Segment& segment, bool fromClient, std::size_t begin = 0) {
        packets.push_back({segment, fromClient, begin});
    }
    void send(bool fromClient) {
        std::string& stream = streams[fromClient ? 0 : 1];
        for (std::uint32_t segments = m_random() % 6; segments-- > 0;) {
            std::string bytes(1 + m_random() % (m_small ? 4 : 300), ' ');
            for (char& c : bytes)
                c = static_cast<char>('a' + m_random() % 26);
            put(fromClient ? m_talk.client(bytes) : m_talk.broker(bytes), fromClient, stream.size());
            stream += bytes;
        }
    }

    std::mt19937& m_random;
    bool m_small;
    Conversation m_talk;
};

// Each packet comes at most `distance` places too late.
template<class T>
void reorder(std::vector<T>& packets, std::size_t distance, std::mt19937& random) {
    std::vector<std::pair<std::size_t, T>> placed;
    for (const T& packet : packets)
        placed.emplace_back(placed.size() + random() % distance, packet);
    std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < packets.size(); ++i)
        packets[i] = placed[i].second;
}

void run(const std::vector<Traffic::Sent>& packets, StreamRecorder& recorder) {
    TcpReassembler reassembler(recorder);
    Timestamp now{std::chrono::seconds{1'700'000'000}};
    std::uint64_t number = 0;
    for (const Traffic::Sent& sent : packets) {
        Segment segment = sent.segment;
        segment.packet = PacketNumber{++number};
        segment.time = now += std::chrono::microseconds{50};
        reassembler.add(segment);
    }
    reassembler.finish();
    EXPECT_EQ(reassembler.waitingSlices(), 0u);
}

class Laws : public testing::TestWithParam<bool> {};

TEST_P(Laws, orderDuplicatesAndOverlapsDoNotMatter) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Traffic traffic(random, GetParam());
        std::vector<Traffic::Sent> packets;
        for (const Traffic::Sent& sent : traffic.packets) {
            packets.push_back(sent);
            if (random() % 4 == 0) packets.push_back(sent);
            if (random() % 4 == 0 && !sent.segment.payload.empty()) packets.push_back(traffic.overlap(sent));
        }
        reorder(packets, 1 + random() % 12, random);
        StreamRecorder recorder;
        run(packets, recorder);
        ASSERT_EQ(recorder.size(), 1u);
        ASSERT_EQ(recorder.at(0).first(), traffic.streams[0]);
        ASSERT_EQ(recorder.at(0).second(), traffic.streams[1]);
        EXPECT_EQ(recorder.at(0).streams[0].end, StreamEnd::Fin);
        EXPECT_EQ(recorder.at(0).streams[1].end, StreamEnd::Fin);
    }
}

TEST_P(Laws, lostPacketsAreHolesOfTheirSizeAndAllElseIsThere) {
    for (unsigned seed = 0; seed < 600; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Traffic traffic(random, GetParam());
        std::vector<Traffic::Sent> packets;
        std::array<std::string, 2> expected;
        for (int side = 0; side < 2; ++side)
            expected[side].assign(traffic.streams[side].size(), '?');
        const std::uint32_t lossOneIn = 2 + random() % 30;
        for (const Traffic::Sent& sent : traffic.packets) {
            const bool data = !sent.segment.payload.empty();
            const bool keep = (!data && sent.segment.flags != kAck) || random() % lossOneIn != 0;
            if (!keep) continue;
            packets.push_back(sent);
            if (data)
                std::copy(sent.segment.payload.begin(), sent.segment.payload.end(),
                          expected[sent.fromClient ? 0 : 1].begin() + static_cast<std::ptrdiff_t>(sent.begin));
        }
        reorder(packets, 1 + random() % 6, random);
        StreamRecorder recorder;
        run(packets, recorder);
        ASSERT_EQ(recorder.size(), 1u);
        ASSERT_EQ(recorder.at(0).first(), expected[0]);
        ASSERT_EQ(recorder.at(0).second(), expected[1]);
    }
}

TEST_P(Laws, cutPacketsAreHolesOfTheirSizeAndAllElseIsThere) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Traffic traffic(random, GetParam());
        std::array<std::string, 2> expected = traffic.streams;
        for (Traffic::Sent& sent : traffic.packets) {
            if (sent.segment.payload.empty() || random() % 3) continue;
            const std::size_t kept = random() % sent.segment.payload.size();
            sent.segment.cut = static_cast<std::uint32_t>(sent.segment.payload.size() - kept);
            std::string& stream = expected[sent.fromClient ? 0 : 1];
            std::fill_n(stream.begin() + static_cast<std::ptrdiff_t>(sent.begin + kept), sent.segment.cut, '?');
            sent.segment.payload = sent.segment.payload.first(kept);
        }
        reorder(traffic.packets, 1 + random() % 6, random);
        StreamRecorder recorder;
        run(traffic.packets, recorder);
        ASSERT_EQ(recorder.size(), 1u);
        ASSERT_EQ(recorder.at(0).first(), expected[0]);
        ASSERT_EQ(recorder.at(0).second(), expected[1]);
        EXPECT_EQ(recorder.at(0).streams[0].lost(), 0u);
    }
}

TEST_P(Laws, aCaptureThatStartsAnywhereHoldsAllThatFollows) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Traffic traffic(random, GetParam());
        const std::size_t start = 3 + random() % (traffic.packets.size() - 3);
        std::array<std::size_t, 2> begin{std::string::npos, std::string::npos};
        std::vector<Traffic::Sent> packets(traffic.packets.begin() + static_cast<std::ptrdiff_t>(start),
                                           traffic.packets.end());
        for (const Traffic::Sent& sent : packets)
            if (!sent.segment.payload.empty())
                begin[sent.fromClient ? 0 : 1] = std::min(begin[sent.fromClient ? 0 : 1], sent.begin);
        reorder(packets, 1 + random() % 6, random);
        StreamRecorder recorder;
        run(packets, recorder);
        ASSERT_EQ(recorder.size(), 1u);
        const RecordedConnection& connection = recorder.at(0);
        const bool clientFirst = connection.connection.first.port == 40000;
        for (int side = 0; side < 2; ++side) {
            const std::string& found = connection.streams[clientFirst ? side : 1 - side].bytes;
            EXPECT_EQ(found, begin[side] == std::string::npos ? "" : traffic.streams[side].substr(begin[side]));
        }
    }
}

// Nothing but garbage: no crash, the contract is kept (the recorder looks), and nothing stays behind.
TEST_P(Laws, randomSegmentsKeepTheContract) {
    static const std::string kBytes(2000, 'x');
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        StreamRecorder recorder;
        ReassemblyLimits limits;
        limits.connections = 1 + random() % 6;
        limits.waitingSlices = 1 + random() % 50;
        limits.waitingSlicesPerStream = 1 + random() % 20;
        TcpReassembler reassembler(recorder, limits);
        Timestamp now{std::chrono::seconds{1'700'000'000}};
        for (std::uint64_t number = 1; number < 3000; ++number) {
            Segment s;
            s.source = endpoint("10.0.0.1", static_cast<std::uint16_t>(random() % 4));
            s.destination = endpoint("10.0.0.1", static_cast<std::uint16_t>(random() % 4));
            const std::uint32_t spread = GetParam() ? 50 : 5000;
            s.seq = random() % 16 ? random() % spread - 10 : random();
            s.ack = random() % 16 ? random() % spread - 10 : random();
            s.flags = static_cast<std::uint8_t>(random() % 4 ? kAck : random() % 32);
            s.payload = Bytes(reinterpret_cast<const std::uint8_t*>(kBytes.data()), random() % 3 ? random() % 20 : 0);
            s.cut = random() % 10 ? 0 : random() % 2000;
            s.packet = PacketNumber{number};
            s.time = now += std::chrono::milliseconds{static_cast<int>(random() % 40) - 10};
            reassembler.add(s);
            ASSERT_LE(reassembler.connections(), limits.connections);
        }
        reassembler.finish();
        EXPECT_EQ(reassembler.connections(), 0u);
        EXPECT_EQ(reassembler.waitingSlices(), 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Traffic, Laws, testing::Bool(),
                         [](const auto& of) { return of.param ? "smallSegments" : "largeSegments"; });

} // namespace
} // namespace brokerscope::test
