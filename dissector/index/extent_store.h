// SPDX-License-Identifier: Apache-2.0
// Where the bytes of each message lie: the slices of its frame, written as deltas in some 12 bytes a message, and
// beside them what is not needed for a list (timing) or rare (problems, another layout, a confidence).
//
// Bytes:   the stored addresses point into the capture; a Frame read back lives as long as its source does.
// Memory:  blocks of 1 MiB, or of one message's size where that is more; nothing is removed.
// Threads: write() by one thread; read() by any that got the reference through something released after write().
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/index/append_only.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace brokerscope {

struct StoredMessage {
    std::optional<Frame> frame;
    std::int16_t layoutVersion = -1; // of a response that is not in its request's version
    std::optional<double> confidence;
    std::vector<Problem> problems;
    ExchangeTiming timing; // with the response

    bool saysNothing() const {
        return !frame && layoutVersion < 0 && !confidence && problems.empty() && timing == ExchangeTiming{};
    }
};

class ExtentStore {
  public:
    using Ref = std::uint64_t; // below 2^48; 0: nothing stored

    // `near` is a time that is known elsewhere and given again to read(): times are written as the distance to it.
    Ref write(const StoredMessage& message, Timestamp near);
    StoredMessage read(Ref ref, Timestamp near) const;

    std::size_t memoryBytes() const { return m_bytes; } // the writer's

  private:
    struct Block {
        std::unique_ptr<std::uint8_t[]> bytes;
        std::uint64_t address = 0; // deltas of the first slice of each message count from here
        std::uint64_t packet = 0;
    };
    std::uint32_t blockFor(std::size_t size, const StoredMessage& message);

    AppendOnly<Block> m_blocks;
    std::uint32_t m_current = 0;
    std::size_t m_used = 0, m_room = 0; // of the current block
    std::size_t m_bytes = 0;
    std::vector<std::uint8_t> m_scratch;
};

} // namespace brokerscope
