// SPDX-License-Identifier: Apache-2.0
// The records of the KRaft metadata log that an exchange carried: a Fetch of __cluster_metadata, a snapshot of it.
//
// Cost:    an exchange that is no such Fetch is passed over by a look at its first bytes.
// Memory:  one message and one decompressed batch. Threads: one.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/records/record_set.h"

#include <functional>

namespace brokerscope {

constexpr std::string_view metadataTopic = "__cluster_metadata";

class MetadataLog {
  public:
    explicit MetadataLog(const Protocol& protocol) : m_protocol(protocol), m_payloads(protocol) {}

    // Calls `use` with each record that could be opened, in order.
    void read(const Exchange& exchange, const std::function<void(const RecordPayload&)>& use);

  private:
    const Protocol& m_protocol;
    RecordPayloads m_payloads;
    DecodedMessage m_message;
    RecordSetReader m_set;
};

} // namespace brokerscope
