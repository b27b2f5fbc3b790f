// SPDX-License-Identifier: Apache-2.0
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace brokerscope::test {
namespace {

constexpr std::uint32_t kLongestHole = 1 << 20;

const char* word(StreamEnd how) {
    switch (how) {
    case StreamEnd::Fin:
        return "fin";
    case StreamEnd::Reset:
        return "reset";
    case StreamEnd::Replaced:
        return "replaced";
    case StreamEnd::CaptureEnded:
        return "ended";
    case StreamEnd::Forgotten:
        return "forgotten";
    }
    return "";
}

} // namespace

std::uint64_t RecordedStream::sum(Hole hole) const {
    std::uint64_t total = 0;
    for (const Slice& slice : slices)
        if (slice.hole == hole) total += slice.length;
    return total;
}

RecordedConnection* StreamRecorder::find(ConnectionId id, const char* what) {
    const auto found = m_connections.find(id);
    if (found == m_connections.end() || found->second.closed) {
        ADD_FAILURE() << what << " of connection " << id.value << ", which is not open";
        return nullptr;
    }
    return &found->second;
}

void StreamRecorder::tell(ConnectionId id, Side from, const std::string& what) {
    if (!m_story.empty()) m_story += ' ';
    m_story += std::to_string(id.value) + (from == Side::First ? '>' : '<') + what;
}

void StreamRecorder::connectionOpened(const Connection& connection) {
    EXPECT_TRUE(connection.id);
    const auto [place, isNew] = m_connections.try_emplace(connection.id);
    EXPECT_TRUE(isNew) << "connection " << connection.id.value << " opened twice";
    place->second.connection = connection;
    m_story += (m_story.empty() ? "open" : " open") + std::to_string(connection.id.value);
}

void StreamRecorder::bytes(ConnectionId id, Side from, const Slice& slice) {
    RecordedConnection* connection = find(id, "bytes");
    if (!connection) return;
    RecordedStream& stream = connection->streams[static_cast<std::size_t>(from)];
    EXPECT_FALSE(stream.end) << "bytes behind the end of a stream";
    EXPECT_GT(slice.length, 0u);
    EXPECT_EQ(slice.data == nullptr, slice.hole != Hole::None);
    EXPECT_TRUE(slice.packet);
    stream.slices.push_back(slice);
    std::string text = slice.data ? std::string(slice.data, slice.data + slice.length)
                                  : std::string(std::min(slice.length, kLongestHole), '?');
    stream.bytes += text;
    tell(id, from, text);
}

void StreamRecorder::streamEnded(ConnectionId id, Side from, StreamEnd how, PacketNumber, Timestamp) {
    RecordedConnection* connection = find(id, "end");
    if (!connection) return;
    RecordedStream& stream = connection->streams[static_cast<std::size_t>(from)];
    EXPECT_FALSE(stream.end) << "a stream ended twice";
    stream.end = how;
    tell(id, from, word(how));
}

void StreamRecorder::connectionClosed(ConnectionId id) {
    RecordedConnection* connection = find(id, "close");
    if (!connection) return;
    for (const RecordedStream& stream : connection->streams)
        EXPECT_TRUE(stream.end) << "closed with an open stream";
    connection->closed = true;
    m_story += " close" + std::to_string(id.value);
}

const RecordedConnection& StreamRecorder::at(std::size_t index) const {
    static const RecordedConnection none;
    if (index >= m_connections.size()) {
        ADD_FAILURE() << "there are only " << m_connections.size() << " connections";
        return none;
    }
    return std::next(m_connections.begin(), static_cast<std::ptrdiff_t>(index))->second;
}

} // namespace brokerscope::test
