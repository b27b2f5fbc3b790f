// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/protobuf_reader.h"

namespace brokerscope {

bool ProtobufReader::next(ProtobufField& field) {
    const std::uint64_t tag = m_cursor.readUvarlong();
    field.number = tag >> 3;
    field.type = static_cast<ProtobufField::Type>(tag & 7);
    field.content = {};
    if (!m_cursor.ok() || field.number == 0 || field.number > highestField) return false;
    switch (field.type) {
    case ProtobufField::Type::Varint:
        field.value = m_cursor.readUvarlong();
        break;
    case ProtobufField::Type::Fixed64:
        field.value = littleEndian(8);
        break;
    case ProtobufField::Type::Fixed32:
        field.value = littleEndian(4);
        break;
    case ProtobufField::Type::Sized: {
        const std::uint64_t length = m_cursor.readUvarlong();
        if (!m_cursor.ok() || length > m_cursor.remaining()) return false;
        field.content = m_bytes.subspan(m_cursor.position(), length);
        m_cursor.skip(static_cast<std::uint32_t>(length));
        break;
    }
    default:
        return false;
    }
    return m_cursor.ok();
}

std::uint64_t ProtobufReader::littleEndian(int size) {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i)
        value |= std::uint64_t{m_cursor.readU8()} << 8 * i;
    return value;
}

} // namespace brokerscope
