// SPDX-License-Identifier: Apache-2.0
// Feeds segments to a TlsLayer as TCP reassembly would, one packet a segment, a millisecond apart.
#pragma once

#include "capture/tls/tls_layer.h"
#include "tests/capture/tls/facts_recorder.h"
#include "tests/capture/tls/tls_peers.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace brokerscope::test {

class TlsLayerTest : public testing::Test {
  protected:
    void open(bool handshakeSeen = true, std::uint64_t id = 1) {
        Connection connection;
        connection.id = ConnectionId{id};
        connection.handshakeSeen = handshakeSeen;
        layer.connectionOpened(connection);
    }

    void send(Side from, Bytes bytes, Hole hole = Hole::None, std::uint64_t id = 1) {
        Slice slice;
        slice.packet = PacketNumber{++packets};
        slice.time = Timestamp(std::chrono::milliseconds(packets));
        slice.length = static_cast<std::uint32_t>(bytes.size());
        slice.hole = hole;
        if (hole == Hole::None) slice.data = kept.emplace_back(bytes.begin(), bytes.end()).data();
        layer.bytes(ConnectionId{id}, from, slice);
    }

    void send(const Segment& segment, Hole hole = Hole::None, std::uint64_t id = 1) {
        send(segment.from, segment.bytes, hole, id);
    }

    void end(Side from, StreamEnd how = StreamEnd::Fin, std::uint64_t id = 1) {
        ++packets;
        layer.streamEnded(ConnectionId{id}, from, how, PacketNumber{packets},
                          Timestamp(std::chrono::milliseconds(packets)));
    }

    void close(std::uint64_t id = 1) {
        end(Side::First, StreamEnd::Fin, id);
        end(Side::Second, StreamEnd::Fin, id);
        layer.connectionClosed(ConnectionId{id});
    }

    void play(const TlsRecording& recording, std::uint64_t id = 1) {
        open(true, id);
        for (const Segment& segment : recording.segments)
            send(segment, Hole::None, id);
        close(id);
    }

    const RecordedConnection& connection(std::uint64_t id = 1) { return recorder.at(id - 1); }
    // Holes are '?' in its bytes.
    const RecordedStream& stream(Side side, std::uint64_t id = 1) { return connection(id).from(side); }
    // Without the holes.
    std::string data(Side side, std::uint64_t id = 1) {
        std::string text;
        for (const Slice& slice : stream(side, id).slices)
            if (slice.data) text.append(slice.data, slice.data + slice.length);
        return text;
    }
    std::uint64_t holes(Side side, std::uint64_t id = 1) { return stream(side, id).lost() + stream(side, id).cut(); }

    FactsRecorder::Told& told(std::uint64_t id = 1) { return factsRecorder.told[ConnectionId{id}]; }
    const TlsFacts& facts(std::uint64_t id = 1) { return told(id).facts.value(); }

    void expectAll(const TlsRecording& recording, std::uint64_t id = 1) {
        for (const Side side : {Side::First, Side::Second}) {
            expectSame(stream(side, id).bytes, recording.sentBy(side));
            EXPECT_EQ(holes(side, id), 0U);
        }
    }

    // Long texts are not printed.
    static void expectSame(const std::string& found, const std::string& expected) {
        const auto differ = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
        EXPECT_TRUE(found == expected) << found.size() << " bytes instead of " << expected.size() << ", equal up to "
                                       << differ.first - found.begin();
    }

    StreamRecorder recorder;
    FactsRecorder factsRecorder;
    KeyLog keys;
    TlsLayer layer{recorder, keys, &factsRecorder};
    std::list<std::vector<std::uint8_t>> kept; // slices point into it
    std::uint64_t packets = 0;
};

} // namespace brokerscope::test
