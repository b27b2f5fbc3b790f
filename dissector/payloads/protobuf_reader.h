// SPDX-License-Identifier: Apache-2.0
// The wire format of protobuf: the fields of one message, front to back. Groups are not known.
// Bytes: views of what was given. Errors: next() gives false at the end and where the bytes are no such message.
#pragma once

#include "dissector/wire/cursor.h"

#include <cstdint>

namespace brokerscope {

struct ProtobufField {
    enum class Type : std::uint8_t { Varint = 0, Fixed64 = 1, Sized = 2, Fixed32 = 5 };

    std::uint64_t number = 0;
    Type type = Type::Varint;
    std::uint64_t value = 0; // of a number
    Bytes content;           // of Sized
};

class ProtobufReader {
  public:
    static constexpr std::uint64_t highestField = (1u << 29) - 1;

    explicit ProtobufReader(Bytes bytes) : m_bytes(bytes), m_chain(ByteChain::of(bytes)), m_cursor(m_chain) {}
    ProtobufReader(const ProtobufReader&) = delete; // the cursor points into it

    bool atEnd() const { return m_cursor.ok() && m_cursor.remaining() == 0; }
    bool next(ProtobufField& field);

  private:
    std::uint64_t littleEndian(int size);

    Bytes m_bytes;
    ByteChain m_chain;
    Cursor m_cursor;
};

} // namespace brokerscope
