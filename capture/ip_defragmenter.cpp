// SPDX-License-Identifier: Apache-2.0
#include "capture/ip_defragmenter.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace brokerscope {
namespace {

constexpr std::uint32_t kLargestDatagram = 65535;

} // namespace

std::size_t IpDefragmenter::KeyHash::operator()(const Key& key) const noexcept {
    std::uint64_t words[4];
    std::memcpy(words, key.source.bytes.data(), 16);
    std::memcpy(words + 2, key.destination.bytes.data(), 16);
    std::uint64_t state = std::uint64_t{key.id} << 8 | key.protocol;
    for (const std::uint64_t word : words) {
        state = (state ^ word) * 0x9e3779b97f4a7c15;
        state ^= state >> 32;
    }
    return state;
}

IpDefragmenter::IpDefragmenter(std::string temporaryFolder, const DefragmentLimits& limits)
    : m_folder(std::move(temporaryFolder)), m_limits(limits) {}

std::optional<IpDatagram> IpDefragmenter::add(const IpFragment& fragment, Timestamp time) {
    dropOld(time);
    const Piece piece{fragment.offset, fragment.bytes, fragment.cut};
    const bool last = !fragment.more;
    // All but the last are made of units of 8 bytes, and none may reach over what a length field can say.
    if (piece.end() == piece.offset || piece.end() > kLargestDatagram) return std::nullopt;
    if (!last && (piece.end() - piece.offset) % 8 != 0) return std::nullopt;

    const Key key{fragment.source, fragment.destination, fragment.id, fragment.protocol};
    auto found = m_byKey.find(key);
    if (found != m_byKey.end()) {
        const Datagram& known = *found->second;
        const bool old = known.done && time - known.completed >= m_limits.repeats;
        if (old || contradicts(known, piece, last)) {
            drop(found->second);
            found = m_byKey.end();
        }
    }
    Datagram& datagram = found != m_byKey.end() ? *found->second : begin(key, time);
    if (datagram.done) return std::nullopt;

    const auto place = std::upper_bound(datagram.pieces.begin(), datagram.pieces.end(), piece.offset,
                                        [](std::uint32_t offset, const Piece& p) { return offset < p.offset; });
    datagram.pieces.insert(place, piece);
    if (last) datagram.total = piece.end();
    if (datagram.pieces.size() > m_limits.fragments) {
        drop(m_byKey[key]);
        return std::nullopt;
    }
    if (!isWhole(datagram)) return std::nullopt;
    datagram.done = true;
    datagram.completed = time;
    std::optional<IpDatagram> whole = build(datagram);
    if (!whole) ++m_givenUp;
    return whole;
}

std::uint64_t IpDefragmenter::unfinished() const {
    return static_cast<std::uint64_t>(
        std::count_if(m_datagrams.begin(), m_datagrams.end(), [](const Datagram& d) { return !d.done; }));
}

const std::uint8_t* IpDefragmenter::lowestHeld() const {
    const std::uint8_t* lowest = nullptr;
    for (const Datagram& datagram : m_datagrams)
        for (const Piece& piece : datagram.pieces)
            if (!owns(piece.bytes.data()) && (!lowest || piece.bytes.data() < lowest)) lowest = piece.bytes.data();
    return lowest;
}

bool IpDefragmenter::owns(const std::uint8_t* bytes) const {
    return m_file && bytes >= m_file->data() && bytes < m_file->data() + m_file->size();
}

bool IpDefragmenter::contradicts(const Datagram& datagram, const Piece& piece, bool last) {
    if (datagram.total && (last ? piece.end() != *datagram.total : piece.end() > *datagram.total)) return true;
    if (last && !datagram.pieces.empty() && datagram.pieces.back().end() > piece.end()) return true;
    for (const Piece& other : datagram.pieces) {
        const std::uint32_t from = std::max(other.offset, piece.offset);
        const std::uint32_t to = std::min(other.offset + static_cast<std::uint32_t>(other.bytes.size()),
                                          piece.offset + static_cast<std::uint32_t>(piece.bytes.size()));
        if (from >= to) continue;
        if (std::memcmp(other.bytes.data() + (from - other.offset), piece.bytes.data() + (from - piece.offset),
                        to - from) != 0)
            return true;
    }
    return false;
}

bool IpDefragmenter::isWhole(const Datagram& datagram) {
    if (!datagram.total) return false;
    std::uint32_t reached = 0;
    for (const Piece& piece : datagram.pieces) {
        if (piece.offset > reached) return false;
        reached = std::max(reached, piece.end());
    }
    return reached == *datagram.total;
}

IpDefragmenter::Datagram& IpDefragmenter::begin(const Key& key, Timestamp time) {
    if (m_datagrams.size() >= m_limits.datagrams) drop(m_datagrams.begin());
    m_datagrams.push_back({key, time, {}, {}, {}, false});
    m_byKey[key] = std::prev(m_datagrams.end());
    return m_datagrams.back();
}

void IpDefragmenter::drop(Datagrams::iterator datagram) {
    if (!datagram->done) ++m_givenUp;
    m_byKey.erase(datagram->key);
    m_datagrams.erase(datagram);
}

void IpDefragmenter::dropOld(Timestamp now) {
    while (!m_datagrams.empty() && now - m_datagrams.front().begun >= m_limits.patience)
        drop(m_datagrams.begin());
}

// Up to the first byte that was cut off; what lies behind it cannot be reached by anyone who reads from the front.
std::optional<IpDatagram> IpDefragmenter::build(const Datagram& datagram) {
    m_scratch.clear();
    for (const Piece& piece : datagram.pieces) {
        const auto have = static_cast<std::uint32_t>(m_scratch.size());
        if (piece.offset > have) break;
        const std::uint32_t known = have - piece.offset;
        if (known >= piece.bytes.size()) continue;
        m_scratch.insert(m_scratch.end(), piece.bytes.begin() + known, piece.bytes.end());
    }
    IpDatagram whole;
    whole.source = datagram.key.source;
    whole.destination = datagram.key.destination;
    whole.protocol = datagram.key.protocol;
    whole.cut = *datagram.total - static_cast<std::uint32_t>(m_scratch.size());
    if (!store(m_scratch)) return std::nullopt;
    whole.bytes = Bytes(m_file->data() + m_file->size() - m_scratch.size(), m_scratch.size());
    return whole;
}

bool IpDefragmenter::store(Bytes bytes) {
    if (!m_file) {
        Result<SpillFile> created = SpillFile::create(m_folder);
        if (!created) {
            m_error = created.error();
            return false;
        }
        m_file.emplace(std::move(created.value()));
    }
    if (std::optional<Error> error = m_file->append(bytes)) {
        m_error = std::move(error);
        return false;
    }
    return true;
}

} // namespace brokerscope
