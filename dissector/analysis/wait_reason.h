// SPDX-License-Identifier: Apache-2.0
// Why a broker let a request wait on purpose. Such waiting is no slowness: a Fetch sits in purgatory until MinBytes
// have come or MaxWaitMs are over (one that wants no bytes is answered at once, but for the metadata log's, which a
// KRaft leader lets wait without), JoinGroup and SyncGroup until the group is complete, and before KIP-219 a throttled
// answer was held back for ThrottleTimeMs.
#pragma once

#include "capture/types/time.h"
#include "dissector/exchange/exchange.h"
#include "dissector/message/skim.h"

#include <string_view>

namespace brokerscope {

enum class WaitReason : std::uint8_t { None, LongPoll, Rebalance, Throttled };
std::string_view name(WaitReason reason); // as in ndjson; empty for None

struct WaitByDesign {
    WaitReason reason = WaitReason::None;
    Duration duration{}; // the part of Latency::wait that it explains
};

WaitByDesign waitByDesign(const Exchange& exchange, const Latency& latency, const Skim& request, const Skim& response);

// True when a broker of this api version answers a throttled request at once and leaves the waiting to the client.
bool throttledAtTheClient(std::int16_t apiKey, std::int16_t version);

} // namespace brokerscope
