// SPDX-License-Identifier: Apache-2.0
// Protected records of one connection that wait for their keys: a program may write its key log after its packets were
// captured, and a ServerHello may be captured after what belongs behind it.
//
// Bytes:  copies.
// Bounds: 1 MiB and 10 seconds of capture time a connection, 64 MiB for all that share a budget; who goes over it gives
//         up waiting.
#pragma once

#include "capture/tls/record_reader.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace brokerscope {

class HeldRecords {
  public:
    static constexpr std::size_t maxBytes = 1 << 20;
    static constexpr std::size_t maxBytesOfAll = 64 << 20;
    static constexpr Duration maxTime = std::chrono::seconds(10);

    struct Held {
        Side from = Side::First;
        TlsRecord record; // its views are of the two members below
        std::vector<std::uint8_t> payload;
        std::vector<MissingRange> missing;
    };

    // `bytesOfAll` counts what all connections hold together.
    explicit HeldRecords(std::size_t& bytesOfAll) : m_bytesOfAll(&bytesOfAll) {}
    ~HeldRecords() { clear(); }
    HeldRecords(const HeldRecords&) = delete;
    HeldRecords& operator=(const HeldRecords&) = delete;

    bool empty() const { return m_records.empty(); }
    // False when a bound is reached; the record is not held then.
    bool add(Side from, const TlsRecord& record);
    const Held& front() const { return m_records.front(); }
    Held takeFront();
    void clear();

  private:
    static std::size_t costOf(const Held& held) { return sizeof held + held.payload.size(); }

    std::deque<Held> m_records;
    std::size_t m_bytes = 0;
    std::size_t* m_bytesOfAll;
};

} // namespace brokerscope
