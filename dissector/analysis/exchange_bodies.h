// SPDX-License-Identifier: Apache-2.0
// The bodies of an exchange, decoded when somebody asks for them and at most once. For analysers that need a few apis'
// bodies: those of other exchanges cost nothing.
// Bytes: the exchange must stay until the next assign(); views are good until then. Buffers are reused. Threads: one.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/message/field_view.h"

namespace brokerscope {

class ExchangeBodies {
  public:
    explicit ExchangeBodies(const Protocol& protocol) : m_protocol(protocol) {}

    void assign(const Exchange& exchange);
    FieldView request() { return body(Direction::Request); } // empty: not there, or nothing could be read
    FieldView response() { return body(Direction::Response); }
    const DecodedMessage& message(Direction direction); // decoded, as far as it goes

  private:
    FieldView body(Direction direction);
    const std::optional<Frame>& frame(Direction direction) const {
        return direction == Direction::Request ? m_exchange->request : m_exchange->response;
    }

    const Protocol& m_protocol;
    const Exchange* m_exchange = nullptr;
    DecodedMessage m_messages[2];
    bool m_decoded[2] = {};
};

} // namespace brokerscope
