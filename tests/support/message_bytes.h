// SPDX-License-Identifier: Apache-2.0
// Writes messages for tests, field by field: what a client or broker would send, or what nobody should.
#pragma once

#include "capture/types/bytes.h"
#include "dissector/wire/byte_chain.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace brokerscope {

class MessageBytes {
  public:
    MessageBytes& i8(std::int64_t value) { return integer(value, 1); }
    MessageBytes& i16(std::int64_t value) { return integer(value, 2); }
    MessageBytes& i32(std::int64_t value) { return integer(value, 4); }
    MessageBytes& i64(std::int64_t value) { return integer(value, 8); }
    MessageBytes& uvarint(std::uint64_t value);
    MessageBytes& string(std::string_view text);  // int16 length
    MessageBytes& compact(std::string_view text); // uvarint of length + 1
    MessageBytes& raw(std::string_view text);
    // Header version 1; `flexible` adds the empty tag buffer of version 2.
    MessageBytes& request(int apiKey, int version, int correlationId, std::string_view clientId, bool flexible = false);

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_bytes.size()); }
    const std::vector<std::uint8_t>& bytes() const { return m_bytes; }
    std::vector<std::uint8_t> framed() const;                  // with the length in front
    ByteChain chain() const { return ByteChain::of(m_bytes); } // a view: this object must stay

  private:
    MessageBytes& integer(std::int64_t value, int size);

    std::vector<std::uint8_t> m_bytes;
};

// `bytes` as one chain in which [begin, begin + length) is missing.
ByteChain withHole(Bytes bytes, std::uint32_t begin, std::uint32_t length, Hole hole);

} // namespace brokerscope
