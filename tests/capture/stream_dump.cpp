// SPDX-License-Identifier: Apache-2.0
// Prints the content of every TCP stream of a capture, for comparison with another program's reading
// (compare_with_tshark.py). One line a slice: connection, both ends, side (0 or 1), then hex digits, or the size and
// kind of a hole.
//
//     stream_dump FILE...
#include "capture/capture_file.h"
#include "capture/stream_reader.h"

#include <fmt/format.h>

#include <iterator>
#include <map>

namespace brokerscope {
namespace {

class Dump : public StreamSink {
  public:
    void connectionOpened(const Connection& connection) override {
        m_heads[connection.id] =
            fmt::format("{} {} {}", connection.id.value, toString(connection.first), toString(connection.second));
        fmt::print("open {}\n", m_heads[connection.id]);
    }
    void bytes(ConnectionId connection, Side from, const Slice& slice) override {
        m_line.clear();
        auto out = std::back_inserter(m_line);
        fmt::format_to(out, "{} {} ", m_heads[connection], static_cast<int>(from));
        if (slice.hole == Hole::None)
            for (const std::uint8_t byte : slice.bytes())
                fmt::format_to(out, "{:02x}", byte);
        else
            fmt::format_to(out, "{} {}", slice.hole == Hole::Cut ? "cut" : "lost", slice.length);
        fmt::print("{}\n", m_line);
    }
    void streamEnded(ConnectionId, Side, StreamEnd, PacketNumber, Timestamp) override {}
    void connectionClosed(ConnectionId connection) override { m_heads.erase(connection); }

  private:
    std::map<ConnectionId, std::string> m_heads;
    std::string m_line;
};

int dump(std::span<const std::string> files) {
    Result<std::unique_ptr<PacketSource>> source = openCapture(files);
    if (!source) {
        fmt::print(stderr, "{}\n", toString(source.error()));
        return 2;
    }
    Dump sink;
    StreamReader reader(*source.value(), sink);
    reader.readAll();
    const ReadReport& report = reader.report();
    fmt::print(stderr, "packets {} tcp {} fragments {} not-tcp {} cut {} malformed {}", report.packets, report.tcp,
               report.fragments, report.notTcp, report.cut, report.malformed);
    for (const ReadReport::UnknownLinkType& type : report.unknownLinkTypes)
        fmt::print(stderr, " [{}: {}]", type.name, type.packets);
    fmt::print(stderr, "\n");
    return 0;
}

} // namespace
} // namespace brokerscope

int main(int argc, char** argv) {
    const std::vector<std::string> files(argv + 1, argv + argc);
    return brokerscope::dump(files);
}
