// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/exchange_bodies.h"

namespace brokerscope {

void ExchangeBodies::assign(const Exchange& exchange) {
    m_exchange = &exchange;
    m_decoded[0] = m_decoded[1] = false;
}

const DecodedMessage& ExchangeBodies::message(Direction direction) {
    const auto at = static_cast<std::size_t>(direction);
    if (m_decoded[at]) return m_messages[at];
    m_decoded[at] = true;
    m_messages[at].clear();
    if (m_exchange->header && frame(direction))
        decodeMessage(m_protocol, frame(direction)->bytes,
                      direction == Direction::Request ? m_exchange->requestContext() : m_exchange->responseContext(),
                      m_messages[at]);
    return m_messages[at];
}

FieldView ExchangeBodies::body(Direction direction) {
    const DecodedMessage& decoded = message(direction);
    if (decoded.body == noNode) return {};
    return {decoded, frame(direction)->bytes, decoded.body};
}

} // namespace brokerscope
