// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/partitioner_check.h"

#include <zlib.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace brokerscope {
namespace {

std::uint32_t fnv1a(Bytes key) {
    std::uint32_t hash = 0x811c9dc5;
    for (const std::uint8_t byte : key)
        hash = (hash ^ byte) * 0x01000193;
    return hash;
}

} // namespace

std::uint32_t murmur2(Bytes key) {
    constexpr std::uint32_t seed = 0x9747b28c, factor = 0x5bd1e995;
    constexpr int shift = 24;
    std::uint32_t hash = seed ^ static_cast<std::uint32_t>(key.size());
    std::size_t at = 0;
    for (; at + 4 <= key.size(); at += 4) {
        std::uint32_t word = key[at] | std::uint32_t{key[at + 1]} << 8 | std::uint32_t{key[at + 2]} << 16 |
                             std::uint32_t{key[at + 3]} << 24;
        word *= factor;
        word ^= word >> shift;
        word *= factor;
        hash = hash * factor ^ word;
    }
    if (at < key.size()) {
        for (std::size_t i = key.size(); i-- > at;)
            hash ^= std::uint32_t{key[i]} << (8 * (i - at));
        hash *= factor;
    }
    hash ^= hash >> 13;
    hash *= factor;
    return hash ^ hash >> 15;
}

void PartitionerCheck::add(Bytes key, std::int32_t partition, std::int32_t partitionCount) {
    if (partitionCount <= 0) return;
    ++keyed;
    const auto count = static_cast<std::uint32_t>(partitionCount), chosen = static_cast<std::uint32_t>(partition);
    if ((murmur2(key) & 0x7fffffff) % count == chosen) ++murmur2Fits;
    const auto crc = static_cast<std::uint32_t>(crc32(0, key.data(), static_cast<uInt>(key.size())));
    if (crc % count == chosen) ++crc32Fits;
    // As a signed number, whose remainder is made positive.
    const auto remainder = static_cast<std::int32_t>(fnv1a(key)) % partitionCount;
    if (std::abs(remainder) == partition) ++fnv1aFits;
}

std::string_view PartitionerCheck::verdict() const {
    if (keyed < 10) return {};
    std::string_view found;
    int fitting = 0;
    for (const auto& [name, fits] : std::array<std::pair<std::string_view, std::uint64_t>, 3>{
             {{"murmur2", murmur2Fits}, {"crc32", crc32Fits}, {"fnv1a", fnv1aFits}}})
        if (fits * 100 >= keyed * 95) {
            found = name;
            ++fitting;
        }
    if (fitting == 0) return "other";
    return fitting == 1 ? found : std::string_view();
}

} // namespace brokerscope
