// SPDX-License-Identifier: Apache-2.0
// A StreamSink for tests: keeps the content of every stream and fails the test when the contract of
// capture/types/stream.h is broken.
#pragma once

#include "capture/types/stream.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope::test {

struct RecordedStream {
    std::string bytes;         // holes are filled with '?', for up to a megabyte each
    std::vector<Slice> slices; // as they came
    std::optional<StreamEnd> end;

    std::uint64_t lost() const { return sum(Hole::Lost); }
    std::uint64_t cut() const { return sum(Hole::Cut); }
    std::uint64_t sum(Hole hole) const;
};

struct RecordedConnection {
    Connection connection;
    std::array<RecordedStream, 2> streams;
    bool closed = false;

    const RecordedStream& from(Side side) const { return streams[static_cast<std::size_t>(side)]; }
    const std::string& first() const { return streams[0].bytes; }
    const std::string& second() const { return streams[1].bytes; }
};

class StreamRecorder : public StreamSink {
  public:
    void connectionOpened(const Connection& connection) override;
    void bytes(ConnectionId connection, Side from, const Slice& slice) override;
    void streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber packet, Timestamp time) override;
    void connectionClosed(ConnectionId connection) override;

    std::size_t size() const { return m_connections.size(); }
    // In the order of their numbers, from 0. Fails the test when there is none.
    const RecordedConnection& at(std::size_t index) const;
    // All that was said, one word a call: "open1 1>abc 1<de 1>fin 1<fin close1".
    const std::string& story() const { return m_story; }

  private:
    RecordedConnection* find(ConnectionId id, const char* what);
    void tell(ConnectionId id, Side from, const std::string& what);

    std::map<ConnectionId, RecordedConnection> m_connections;
    std::string m_story;
};

} // namespace brokerscope::test
