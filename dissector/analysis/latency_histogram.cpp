// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace brokerscope {
namespace {

constexpr unsigned stepBits = 7; // 128 buckets for each power of two
constexpr std::uint64_t exactBelow = std::uint64_t{1} << (stepBits + 1);

// Values below 256 have a bucket each; above, the 8 highest bits choose it.
std::size_t bucketOf(std::uint64_t value) {
    if (value < exactBelow) return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - (stepBits + 1);
    return (static_cast<std::size_t>(shift) << stepBits) + (value >> shift);
}

// The middle of a bucket.
std::uint64_t valueOf(std::size_t bucket) {
    if (bucket < exactBelow) return bucket;
    const std::size_t shift = (bucket >> stepBits) - 1;
    const std::uint64_t first = (bucket - (shift << stepBits)) << shift;
    return first + (std::uint64_t{1} << shift) / 2;
}

} // namespace

void LatencyHistogram::add(Duration duration) {
    duration = std::max(duration, Duration{});
    const std::size_t bucket = bucketOf(static_cast<std::uint64_t>(duration.count()));
    if (bucket >= m_buckets.size()) m_buckets.resize(bucket + 1);
    ++m_buckets[bucket];
    ++m_count;
    m_sum += static_cast<double>(duration.count());
    m_least = std::min(m_least, duration);
    m_most = std::max(m_most, duration);
}

void LatencyHistogram::add(const LatencyHistogram& other) {
    if (other.m_buckets.size() > m_buckets.size()) m_buckets.resize(other.m_buckets.size());
    for (std::size_t i = 0; i < other.m_buckets.size(); ++i)
        m_buckets[i] += other.m_buckets[i];
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_least = std::min(m_least, other.m_least);
    m_most = std::max(m_most, other.m_most);
}

Duration LatencyHistogram::mean() const {
    return m_count == 0 ? Duration{} : Duration{std::llround(m_sum / static_cast<double>(m_count))};
}

Duration LatencyHistogram::percentile(double share) const {
    if (m_count == 0) return {};
    const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(m_count));
    const std::uint64_t rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, m_count);
    if (rank == 1) return m_least;
    if (rank == m_count) return m_most;
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
        seen += m_buckets[bucket];
        if (seen >= rank) return std::clamp(Duration{static_cast<std::int64_t>(valueOf(bucket))}, m_least, m_most);
    }
    return m_most;
}

std::uint64_t LatencyHistogram::countBelow(Duration bound) const {
    if (bound > m_most) return m_count;
    if (bound <= Duration{}) return 0;
    std::uint64_t below = 0;
    const std::size_t end = std::min(bucketOf(static_cast<std::uint64_t>(bound.count())), m_buckets.size());
    for (std::size_t bucket = 0; bucket < end; ++bucket)
        below += m_buckets[bucket];
    return below;
}

} // namespace brokerscope
