// SPDX-License-Identifier: Apache-2.0
#include "tests/support/message_bytes.h"

namespace brokerscope {

MessageBytes& MessageBytes::integer(std::int64_t value, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        m_bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> shift));
    return *this;
}

MessageBytes& MessageBytes::uvarint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        m_bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    m_bytes.push_back(static_cast<std::uint8_t>(value));
    return *this;
}

MessageBytes& MessageBytes::raw(std::string_view text) {
    m_bytes.insert(m_bytes.end(), text.begin(), text.end());
    return *this;
}

MessageBytes& MessageBytes::string(std::string_view text) {
    return i16(static_cast<std::int64_t>(text.size())).raw(text);
}

MessageBytes& MessageBytes::compact(std::string_view text) {
    return uvarint(text.size() + 1).raw(text);
}

MessageBytes& MessageBytes::request(int apiKey, int version, int correlationId, std::string_view clientId,
                                    bool flexible) {
    i16(apiKey).i16(version).i32(correlationId).string(clientId);
    return flexible ? uvarint(0) : *this;
}

std::vector<std::uint8_t> MessageBytes::framed() const {
    MessageBytes length;
    length.i32(size());
    std::vector<std::uint8_t> frame = length.m_bytes;
    frame.insert(frame.end(), m_bytes.begin(), m_bytes.end());
    return frame;
}

ByteChain withHole(Bytes bytes, std::uint32_t begin, std::uint32_t length, Hole hole) {
    ByteChain chain;
    const auto part = [&](std::uint32_t from, std::uint32_t to) {
        Slice slice;
        slice.data = bytes.data() + from;
        slice.length = to - from;
        chain.append(slice);
    };
    part(0, begin);
    Slice missing;
    missing.length = length;
    missing.hole = hole;
    missing.packet = PacketNumber{1}; // a hole without one is the end of a stream
    chain.append(missing);
    part(begin + length, static_cast<std::uint32_t>(bytes.size()));
    return chain;
}

} // namespace brokerscope
