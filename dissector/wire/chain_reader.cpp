// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/chain_reader.h"

namespace brokerscope {

std::optional<Bytes> ChainReader::readElsewhere(std::uint32_t offset, std::uint32_t length) {
    if (offset < m_chain->size()) {
        const ByteChain::Piece& piece = m_chain->pieces()[m_chain->pieceAt(offset)];
        if (piece.slice.data) {
            m_data = piece.slice.data;
            m_begin = piece.offset;
            m_length = piece.slice.length;
        }
    }
    return m_chain->view(offset, length, m_joined);
}

} // namespace brokerscope
