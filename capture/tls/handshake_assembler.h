// SPDX-License-Identifier: Apache-2.0
// Puts the handshake messages of one direction together: several in one record, or one over several records.
//
// Messages with missing bytes are passed over. When a message's length is among them, reading goes on at the next
// record that starts with a plausible message header.
// Bounds: messages over 128 KiB are passed over; nothing is held beyond the message in work.
#pragma once

#include "capture/types/bytes.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace brokerscope {

class HandshakeAssembler {
  public:
    using Handler = std::function<void(std::uint8_t type, Bytes body)>;

    static constexpr std::size_t headerSize = 4;
    static constexpr std::size_t maxMessage = 128 * 1024;

    // `startsRecord`: these are the first bytes of a record's content.
    void add(Bytes content, bool startsRecord, const Handler& handler);
    void addMissing(std::uint32_t length);
    // Nobody knows how much is missing.
    void addUnknownLoss();

  private:
    std::size_t messageSize() const; // with its header; 0 when the header is not there yet

    std::vector<std::uint8_t> m_message; // what has come of the message in work
    std::size_t m_passOver = 0;          // bytes left of a message that is not kept
    bool m_searching = false;            // a header was lost
};

} // namespace brokerscope
