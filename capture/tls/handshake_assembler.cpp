// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/handshake_assembler.h"

#include "capture/tls/byte_reader.h"

#include <algorithm>

namespace brokerscope {

namespace {

// Types of RFC 5246 and RFC 8446; a length that a message of a sane handshake has.
bool isMessageHeader(Bytes bytes) {
    if (bytes.size() < HandshakeAssembler::headerSize) return false;
    ByteReader reader(bytes);
    const std::uint8_t type = reader.u8();
    return type <= 25 && reader.u24() <= HandshakeAssembler::maxMessage;
}

} // namespace

std::size_t HandshakeAssembler::messageSize() const {
    if (m_message.size() < headerSize) return 0;
    ByteReader reader(m_message);
    reader.u8();
    return headerSize + reader.u24();
}

void HandshakeAssembler::add(Bytes content, bool startsRecord, const Handler& handler) {
    if (m_searching) {
        if (!startsRecord || !isMessageHeader(content)) return;
        m_searching = false;
    }
    while (!content.empty()) {
        const std::size_t passed = std::min(m_passOver, content.size());
        m_passOver -= passed;
        content = content.subspan(passed);

        const std::size_t wanted = messageSize() == 0 ? headerSize : messageSize();
        const std::size_t taken = std::min(wanted - m_message.size(), content.size());
        m_message.insert(m_message.end(), content.begin(), content.begin() + static_cast<std::ptrdiff_t>(taken));
        content = content.subspan(taken);

        const std::size_t size = messageSize();
        if (size > headerSize + maxMessage) {
            m_message.clear();
            m_passOver = size - headerSize;
        } else if (size != 0 && m_message.size() == size) {
            handler(m_message.front(), Bytes(m_message).subspan(headerSize));
            m_message.clear();
        }
    }
}

void HandshakeAssembler::addMissing(std::uint32_t length) {
    if (m_searching) return;
    const std::size_t passed = std::min<std::size_t>(m_passOver, length);
    m_passOver -= passed;
    length -= static_cast<std::uint32_t>(passed);
    if (length == 0) return;
    const std::size_t size = messageSize();
    if (size != 0 && length <= size - m_message.size()) {
        m_passOver = size - m_message.size() - length;
        m_message.clear();
    } else {
        addUnknownLoss();
    }
}

void HandshakeAssembler::addUnknownLoss() {
    m_message.clear();
    m_passOver = 0;
    m_searching = true;
}

} // namespace brokerscope
