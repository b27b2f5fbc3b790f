// SPDX-License-Identifier: Apache-2.0
// What a stream waits for and since when, with the slices that wait. Only streams that wait have one.
#pragma once

#include "capture/tcp/waiting_slices.h"
#include "capture/types/stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace brokerscope {

enum class Blocker : std::uint8_t {
    None,
    Start, // something earlier might still come
    Gap,   // bytes are missing in front of what is here
    Order, // the bytes acknowledge others that were not seen yet
};

struct StreamWait {
    std::uint32_t slot = 0;

    WaitingSlices slices;
    // A FIN or RST that lies ahead.
    struct End {
        Offset at = 0;
        StreamEnd how = StreamEnd::Fin;
        PacketNumber packet;
        Timestamp time;
    };
    std::optional<End> end;

    Blocker blocker = Blocker::None;
    Offset blockedAt = 0;
    Timestamp blockedSince;
    bool graceRuns = false; // what is missing may be given up when the grace is over
    Timestamp graceSince;
    std::uint32_t graceSincePacket = 0; // of the connection
    std::uint32_t peerPackets = 0;      // what the other side had sent when the block began

    Offset known() const { return slices.empty() ? end->at : slices.front().offset; } // behind the gap
    Offset reach() const {                                                            // where all that is known ends
        const Offset data = slices.empty() ? 0 : slices.back().end();
        return end && end->at > data ? end->at : data;
    }
};

// The waits of all streams, found by number and walked through; freed ones are used again.
class StreamWaits {
  public:
    std::uint32_t create(std::uint32_t slot);
    void free(std::uint32_t index);
    StreamWait& at(std::uint32_t index) { return *m_waits[index].wait; }
    const StreamWait& at(std::uint32_t index) const { return *m_waits[index].wait; }
    const std::vector<std::uint32_t>& used() const { return m_used; }

  private:
    struct Entry {
        std::unique_ptr<StreamWait> wait;
        std::uint32_t place = 0; // in m_used
    };
    std::vector<Entry> m_waits;
    std::vector<std::uint32_t> m_free, m_used;
};

} // namespace brokerscope
