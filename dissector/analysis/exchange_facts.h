// SPDX-License-Identifier: Apache-2.0
// What lists and analysers need to know of an exchange beyond the exchange itself, read with the skim: errors, topics,
// why the broker waited. No tree is built; every analyser is fed these one by one.
//
// Bytes:  a view of the exchange it was made from, good until the next read(); buffers are reused.
// Threads: one.
#pragma once

#include "dissector/analysis/wait_reason.h"
#include "dissector/exchange/exchange.h"
#include "dissector/message/skim.h"
#include "dissector/schema/protocol.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct ExchangeFacts {
    const Protocol* protocol = nullptr;
    const Exchange* exchange = nullptr;
    const Api* api = nullptr; // null: unknown, or no header
    Skim request, response;
    std::optional<Latency> times;
    WaitByDesign waited;

    // Where the time between the last byte of the request and the first of the response went: behind the answer before,
    // by design, and what is left, which is the broker's and the network's.
    Duration blockedWait() const { return times ? std::min(exchange->timing.blocked, times->wait) : Duration{}; }
    Duration designWait() const { return times ? std::min(waited.duration, times->wait - blockedWait()) : Duration{}; }
    Duration brokerWait() const { return times ? times->wait - blockedWait() - designWait() : Duration{}; }

    std::int16_t version() const { return exchange->header ? exchange->header->apiVersion : std::int16_t{0}; }
    // The one that names topics: mostly the request, for some apis only the answer.
    const Skim& topical() const { return request.topicCount != 0 ? request : response; }
    // In the capture's digits behind the second: 6 or 9.
    int timeDigits() const;
};

class ExchangeFactsReader {
  public:
    explicit ExchangeFactsReader(const Protocol& protocol) : m_protocol(protocol) {}
    const ExchangeFacts& read(const Exchange& exchange);

  private:
    const Protocol& m_protocol;
    ExchangeFacts m_facts;
};

// "Fetch v18", "~Fetch v12" (inferred), "Produce v99?" (newer than known), "key 10007 v0", "SASL token", "?".
std::string apiText(const ExchangeFacts& facts);
// The kinds of the problems of the exchange and of both its messages, each once, as they come.
std::vector<std::string_view> problemKinds(const ExchangeFacts& facts);
// The packets that carry bytes of the frame, in order, each once. `out` is cleared first.
void packetsOf(const Frame& frame, std::vector<std::uint64_t>& out);

} // namespace brokerscope
