// SPDX-License-Identifier: Apache-2.0
// Any bytes as a capture file, read to streams. The laws: what a sink is promised in capture/types/stream.h, and a file
// read from a pipe gives the same as the file mapped.
#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "tests/fuzz/fuzz_target.h"

#include <array>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

using namespace brokerscope;

namespace {

constexpr std::size_t pipeHolds = 60'000; // without anybody reading from it

// Holds the promises and remembers what it was told.
class PromiseKeeper : public StreamSink {
  public:
    void connectionOpened(const Connection& connection) override {
        require(m_open.emplace(connection.id, std::array{false, false}).second);
        tell(connection.id.value, connection.first.port, connection.second.port);
    }
    void bytes(ConnectionId connection, Side from, const Slice& slice) override {
        require(m_open.count(connection) && !ended(connection, from));
        require(slice.length > 0 && (slice.data == nullptr) == (slice.hole != Hole::None) && slice.packet);
        std::uint64_t sum = slice.length;
        for (std::uint8_t byte : slice.bytes()) // also has the sanitizer look at every byte
            sum = sum * 31 + byte;
        tell(connection.value, sum, static_cast<std::uint64_t>(slice.hole));
    }
    void streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber, Timestamp) override {
        require(m_open.count(connection) && !ended(connection, from));
        ended(connection, from) = true;
        tell(connection.value, 1000 + static_cast<std::uint64_t>(how), static_cast<std::uint64_t>(from));
    }
    void connectionClosed(ConnectionId connection) override { require(m_open.erase(connection) == 1); }

    bool allClosed() const { return m_open.empty(); }
    const std::vector<std::uint64_t>& story() const { return m_story; }

  private:
    bool& ended(ConnectionId connection, Side side) { return m_open.at(connection)[static_cast<std::size_t>(side)]; }
    void tell(std::uint64_t a, std::uint64_t b, std::uint64_t c) { m_story.insert(m_story.end(), {a, b, c}); }

    std::unordered_map<ConnectionId, std::array<bool, 2>> m_open;
    std::vector<std::uint64_t> m_story;
};

std::vector<std::uint64_t> readAll(const std::string& path, int standardInput) {
    OpenOptions options;
    options.standardInput = standardInput;
    auto source = openCapture({&path, 1}, options);
    if (!source) {
        require(!source.error().what.empty());
        return {};
    }
    PromiseKeeper keeper;
    StreamReader reader(**source, keeper);
    reader.readAll();
    require(keeper.allClosed());
    return keeper.story();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    int file = memfd_create("capture", 0);
    require(file >= 0 && write(file, data, size) == static_cast<ssize_t>(size));
    const auto mapped = readAll("/proc/self/fd/" + std::to_string(file), 0);
    close(file);
    if (size > pipeHolds) return 0;
    int ends[2];
    require(pipe(ends) == 0 && write(ends[1], data, size) == static_cast<ssize_t>(size));
    close(ends[1]);
    require(readAll("-", ends[0]) == mapped);
    close(ends[0]);
    return 0;
}
