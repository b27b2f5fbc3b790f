// SPDX-License-Identifier: Apache-2.0
// Which rule of the common clients explains the partitions that keyed records went to. A hint: a key may land on the
// right partition by chance, and producers may choose partitions themselves.
//
//     Java and most others    murmur2 of the key         librdkafka's default    CRC-32
//     Sarama's default        FNV-1a
//
// Null keys may go anywhere and are not counted. Threads: any; no state but the counts.
#pragma once

#include "capture/types/bytes.h"

#include <cstdint>
#include <string_view>

namespace brokerscope {

std::uint32_t murmur2(Bytes key); // as Kafka's clients compute it

struct PartitionerCheck {
    std::uint64_t keyed = 0; // records that were looked at
    std::uint64_t murmur2Fits = 0, crc32Fits = 0, fnv1aFits = 0;

    void add(Bytes key, std::int32_t partition, std::int32_t partitionCount);
    // "murmur2", "crc32", "fnv1a"; "other" when no rule explains at least 95 of 100; empty below 10 records, and where
    // several do (one partition).
    std::string_view verdict() const;
};

} // namespace brokerscope
