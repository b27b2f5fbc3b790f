// SPDX-License-Identifier: Apache-2.0
// What stands between the threads that take packets from the kernel and the one that decodes: a bounded queue. Who puts
// in never waits for who takes out; what does not fit is refused and counted.
//
// Bytes:   copied once, into SpillSegments, a batch at a time.
// Memory:  at most `packets` waiting packets (about 64 bytes each), whose bytes take at most `bytes` of temporary disk
//          space beside what the reader has not given back.
// Threads: push() and wake() by any; pop(), wait() and releaseBefore() by one.
#pragma once

#include "capture/live/spill_segments.h"
#include "capture/types/packet.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace brokerscope {

// Packets of one interface as they come; their bytes lie one behind the other in `bytes`.
struct PacketBatch {
    struct Taken {
        Packet packet; // its bytes are not set yet
        std::uint32_t captured = 0;
    };
    std::vector<Taken> packets;
    std::vector<std::uint8_t> bytes;

    void clear() {
        packets.clear();
        bytes.clear();
    }
};

struct QueueBounds {
    std::size_t packets = 1 << 20;
    std::uint64_t bytes = std::uint64_t{1} << 30;
};

class PacketQueue {
  public:
    PacketQueue(SpillSegments store, const QueueBounds& bounds) : m_store(std::move(store)), m_bounds(bounds) {}

    // How many of the batch's packets found no room; the last ones. An error: the bytes could not be kept.
    Result<std::size_t> push(const PacketBatch& batch);
    // False: there is none.
    bool pop(Packet& out);
    // Returns when there is a packet or after so long.
    bool wait(std::chrono::milliseconds time);
    void wake() { m_arrived.notify_all(); }

    void releaseBefore(const std::uint8_t* position);

  private:
    std::size_t fitting(const PacketBatch& batch, std::uint64_t& bytes) const;

    std::mutex m_mutex; // guards the next three
    std::condition_variable m_arrived;
    SpillSegments m_store;
    std::deque<Packet> m_arriving;

    QueueBounds m_bounds;
    std::deque<Packet> m_leaving; // of the thread that takes out
    std::atomic<std::size_t> m_packets = 0;
    std::atomic<std::uint64_t> m_bytes = 0;
};

} // namespace brokerscope
