// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/metadata_log.h"

#include "dissector/analysis/record_sets.h"

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t fetchKey = 1, fetchSnapshotKey = 59;
constexpr TopicId metadataTopicId{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
// Topics come soon behind the header, and the metadata log is fetched alone.
constexpr std::uint32_t frontBytes = 96;

bool namesTheLog(const ByteChain& bytes) {
    std::vector<std::uint8_t> front;
    bytes.copyAvailable(0, std::min(bytes.size(), frontBytes), front);
    // Not std::ranges::search, which clang 14 cannot read in this standard library.
    const auto holds = [&front](const auto& wanted) {
        return std::search(front.begin(), front.end(), wanted.begin(), wanted.end()) != front.end();
    };
    return holds(metadataTopicId) || holds(metadataTopic);
}

} // namespace

void MetadataLog::read(const Exchange& exchange, const std::function<void(const RecordPayload&)>& use) {
    if (!exchange.header || !exchange.response) return;
    const std::int16_t key = exchange.header->apiKey;
    if ((key != fetchKey && key != fetchSnapshotKey) || !namesTheLog(exchange.response->bytes)) return;
    const ByteChain& bytes = exchange.response->bytes;
    decodeMessage(m_protocol, bytes, exchange.responseContext(), m_message);
    RecordPayload payload;
    for (const RecordSetPlace& place : recordSetsOf(bytes, m_message, Direction::Response)) {
        if (place.topicId ? *place.topicId != metadataTopicId : place.topic != metadataTopic) continue;
        m_set.open(bytes, place.begin, place.end);
        while (m_set.nextBatch())
            while (!m_set.batch().isControl && m_set.nextRecord())
                if (m_set.record().value &&
                    m_payloads.openValue(metadataTopic, false, std::nullopt, *m_set.record().value, payload))
                    use(payload);
    }
}

} // namespace brokerscope
