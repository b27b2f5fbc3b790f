// SPDX-License-Identifier: Apache-2.0
// Puts the fragments of IP datagrams (v4 and v6) together.
//
// Overlap: the first copy of a byte stays, and a repeated fragment changes nothing. A fragment that contradicts what is
//          there (other bytes, another end) belongs to a later datagram with the same identification: the old one is
//          given up and the new one begins with it.
// Cuts:    where a fragment was cut by the snap length the datagram ends early, and says by how much.
// Bytes:   fragments are not copied while they wait; a whole datagram is written to a temporary file and lives as long
//          as the defragmenter.
// Bounds:  DefragmentLimits; a fragment that waits for more than `patience` of capture time is given up, the oldest
//          datagram goes when there are too many. What is given up is counted.
// Threads: one.
#pragma once

#include "capture/files/spill_file.h"
#include "capture/link_layers.h"
#include "capture/types/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace brokerscope {

struct DefragmentLimits {
    std::size_t datagrams = 1024; // that wait for fragments
    std::size_t fragments = 512;  // of one datagram
    Duration patience = std::chrono::seconds{5};
    Duration repeats = std::chrono::seconds{1}; // so long after the last one a datagram's fragments may be repeated
};

class IpDefragmenter {
  public:
    explicit IpDefragmenter(std::string temporaryFolder = {}, const DefragmentLimits& limits = {});

    // The whole datagram when this fragment was the last one missing.
    std::optional<IpDatagram> add(const IpFragment& fragment, Timestamp time);

    std::uint64_t givenUp() const { return m_givenUp; } // datagrams that never became whole
    std::uint64_t unfinished() const;                   // those that wait now
    // The lowest address of a packet's bytes that are still needed; null when there are none.
    const std::uint8_t* lowestHeld() const;
    bool owns(const std::uint8_t* bytes) const; // do they lie in a datagram that was put together here
    // Why datagrams could not be stored; those are given up.
    const std::optional<Error>& error() const { return m_error; }

  private:
    struct Key {
        Address source, destination;
        std::uint32_t id = 0;
        std::uint8_t protocol = 0;

        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    struct Piece {
        std::uint32_t offset = 0;
        Bytes bytes;
        std::uint32_t cut = 0;

        std::uint32_t end() const { return offset + static_cast<std::uint32_t>(bytes.size()) + cut; }
    };
    struct Datagram {
        Key key;
        Timestamp begun, completed;
        std::vector<Piece> pieces;          // by offset; they may overlap
        std::optional<std::uint32_t> total; // known from the last fragment
        bool done = false;
    };
    using Datagrams = std::list<Datagram>; // the oldest first

    static bool contradicts(const Datagram& datagram, const Piece& piece, bool last);
    static bool isWhole(const Datagram& datagram);
    Datagram& begin(const Key& key, Timestamp time);
    void drop(Datagrams::iterator datagram);
    void dropOld(Timestamp now);
    std::optional<IpDatagram> build(const Datagram& datagram);
    bool store(Bytes bytes);

    std::string m_folder;
    DefragmentLimits m_limits;
    Datagrams m_datagrams;
    std::unordered_map<Key, Datagrams::iterator, KeyHash> m_byKey;
    std::optional<SpillFile> m_file;
    std::vector<std::uint8_t> m_scratch;
    std::optional<Error> m_error;
    std::uint64_t m_givenUp = 0;
};

} // namespace brokerscope
