// SPDX-License-Identifier: Apache-2.0
// Exchanges for tests, made of a request and a response that MessageBytes wrote.
#pragma once

#include "dissector/exchange/exchange.h"
#include "tests/support/message_bytes.h"

#include <deque>

namespace brokerscope {

// Keeps the bytes of all exchanges that it made.
class ExchangeMaker {
  public:
    // The request with its header (MessageBytes::request), the response behind its correlation id; api and version are
    // read from the request.
    Exchange make(const MessageBytes& request, const MessageBytes* response = nullptr);

    Endpoint broker{{}, 9092};

  private:
    Frame frameOf(const MessageBytes& message);

    std::deque<std::vector<std::uint8_t>> m_frames;
    std::uint64_t m_count = 0;
};

} // namespace brokerscope
