// SPDX-License-Identifier: Apache-2.0
// The keys of the APIs that analysers look into, by Kafka's names.
#pragma once

#include <cstdint>

namespace brokerscope::apikey {

constexpr std::int16_t Produce = 0, Fetch = 1, ListOffsets = 2, Metadata = 3, OffsetCommit = 8, OffsetFetch = 9,
                       FindCoordinator = 10, JoinGroup = 11, Heartbeat = 12, LeaveGroup = 13, SyncGroup = 14,
                       SaslHandshake = 17, ApiVersions = 18, InitProducerId = 22, AddPartitionsToTxn = 24,
                       AddOffsetsToTxn = 25, EndTxn = 26, WriteTxnMarkers = 27, TxnOffsetCommit = 28,
                       SaslAuthenticate = 36, Vote = 52, BeginQuorumEpoch = 53, BrokerHeartbeat = 63,
                       ConsumerGroupHeartbeat = 68, ShareGroupHeartbeat = 76, ShareFetch = 78, ShareAcknowledge = 79,
                       StreamsGroupHeartbeat = 88;

} // namespace brokerscope::apikey
