// SPDX-License-Identifier: Apache-2.0
// Percentiles of many lengths of time in little memory: a log-linear histogram. Each power of two is cut into 128 equal
// buckets, so a value that comes out is off by less than 1/256 of itself (0.4 %); up to 256 ns it is exact, and so are
// the smallest and the largest.
//
// Memory: one counter of 8 bytes for each bucket up to the largest value seen: 128 for each power of two, 58 kB at the
//         very most (292 years).
// Errors: negative lengths (clocks that differ) count as 0.
#pragma once

#include "capture/types/time.h"

#include <cstdint>
#include <vector>

namespace brokerscope {

class LatencyHistogram {
  public:
    void add(Duration duration);
    void add(const LatencyHistogram& other);

    std::uint64_t count() const { return m_count; }
    // All 0 while nothing was added.
    Duration least() const { return m_count ? m_least : Duration{}; }
    Duration most() const { return m_most; }
    Duration mean() const;
    // The value that `share` (0 to 1) of all are not above.
    Duration percentile(double share) const;
    // How many are below `bound`, off by at most those in the bucket that it lies in.
    std::uint64_t countBelow(Duration bound) const;

  private:
    std::vector<std::uint64_t> m_buckets;
    std::uint64_t m_count = 0;
    double m_sum = 0; // nanoseconds
    Duration m_least = Duration::max();
    Duration m_most{};
};

} // namespace brokerscope
