// SPDX-License-Identifier: Apache-2.0
// How many batches, records and bytes record sets hold, from the heads of their batches; the sizes behind compression
// only when asked, since that means to decompress.
// Memory: that of a RecordSetReader. Threads: one.
#pragma once

#include "dissector/records/record_set.h"

#include <cstdint>

namespace brokerscope {

struct RecordCounts {
    std::uint64_t batches = 0, records = 0;
    std::uint64_t bytes = 0;       // of the batches as they travelled, with their heads
    std::uint64_t openedBytes = 0; // the same with the records decompressed; 0: not asked

    RecordCounts& operator+=(const RecordCounts& other);
};

class RecordCounter {
  public:
    explicit RecordCounter(bool opens) : m_opens(opens) {}
    // Of a record set, which is [begin, end) of the chain.
    RecordCounts count(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end);

  private:
    bool m_opens;
    RecordSetReader m_reader;
};

} // namespace brokerscope
