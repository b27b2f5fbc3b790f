// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/record_counts.h"

namespace brokerscope {

RecordCounts& RecordCounts::operator+=(const RecordCounts& other) {
    batches += other.batches;
    records += other.records;
    bytes += other.bytes;
    openedBytes += other.openedBytes;
    return *this;
}

RecordCounts RecordCounter::count(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end) {
    RecordCounts counts;
    m_reader.open(bytes, begin, end);
    while (m_reader.nextBatch()) {
        const Batch& batch = m_reader.batch();
        ++counts.batches;
        counts.bytes += batch.sizeInBytes();
        const std::int32_t told = batch.isWrapper() ? -1 : batch.magic < 2 ? 1 : batch.recordCount;
        if (told >= 0) counts.records += static_cast<std::uint64_t>(told);
        if (told >= 0 && !m_opens) continue;
        m_reader.openBatch();
        if (told < 0) // the head of a wrapper does not say how many are in it
            while (m_reader.nextRecord())
                ++counts.records;
        const std::size_t content = m_reader.content().size();
        const std::uint32_t head = batch.magic == 2 ? batchHeaderSize : entryOverhead;
        if (m_opens) counts.openedBytes += batch.codec == Codec::None ? batch.sizeInBytes() : content + head;
    }
    return counts;
}

} // namespace brokerscope
