// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_tree.h"

#include "dissector/records/record_tree_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

namespace {

// For the problems in the records.
void readOn(RecordSetReader& reader) {
    while (reader.nextRecord()) {
    }
}

void noteWhenFull(const RecordTreeBuilder& builder, std::string at, std::uint32_t offset, RecordDocument& document) {
    if (builder.full())
        document.problems.push_back(
            {ProblemKind::Limit, std::move(at), offset, "more fields than a tree may have; the rest stays closed"});
}

} // namespace

RecordDocument RecordTrees::openSet(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end) {
    RecordDocument document;
    document.bytes = bytes;
    end = std::min(end, bytes.size());
    begin = std::min(begin, end);
    m_reader.open(bytes, begin, end);
    RecordTreeBuilder builder(document.bytes, document.tree);
    builder.open(NodeKind::Message, nullptr, begin);
    std::uint32_t position = begin;
    while (m_reader.nextBatch()) {
        const Batch& batch = m_reader.batch();
        builder.addRaw(position, batch.begin); // batches whose headers were lost
        const auto node = static_cast<NodeIndex>(document.tree.nodes.size());
        const NodeIndex compressed = builder.addBatch(batch, m_reader.batchIndex());
        document.batches.push_back({node, batch, compressed});
        position = batch.end;
        if (compressed == noNode) readOn(m_reader);
    }
    const std::uint32_t behind = end - m_reader.trailing();
    builder.addRaw(position, behind);
    if (behind < end && m_reader.setError().empty())
        builder.addIncomplete(behind, end, static_cast<std::uint32_t>(document.batches.size()));
    else
        builder.addRaw(behind, end);
    builder.close(end);
    document.problems = m_reader.problems();
    noteWhenFull(builder, {}, begin, document);
    return document;
}

RecordDocument RecordTrees::openCompressed(const RecordDocument& set, std::size_t index) {
    const Batch& batch = set.batches[index].batch;
    const std::uint32_t place = set.tree.nodes[set.batches[index].compressed].contentOffset();
    RecordDocument document;
    m_reader.open(set.bytes, batch.begin, batch.end);
    m_reader.nextBatch();
    const std::size_t known = m_reader.problems().size(); // said when the set was opened
    m_reader.openBatch();
    const Bytes content = m_reader.content();
    document.owned = std::make_shared<const std::vector<std::uint8_t>>(content.begin(), content.end());
    document.bytes = ByteChain::of(*document.owned);
    const std::uint32_t size = document.bytes.size();
    RecordTreeBuilder builder(document.bytes, document.tree);
    builder.open(NodeKind::Message, nullptr, 0);
    if (batch.magic == 2)
        builder.addRecords(0, size, static_cast<std::uint32_t>(batch.recordCount), batch.isControl);
    else
        builder.addMessages(0, size);
    builder.close(size);
    readOn(m_reader);
    document.problems.assign(m_reader.problems().begin() + static_cast<std::ptrdiff_t>(known),
                             m_reader.problems().end());
    for (Problem& problem : document.problems) // the reader saw one batch only
        problem.at.replace(0, std::string_view("[0]").size(), fmt::format("[{}]", index));
    noteWhenFull(builder, fmt::format("[{}]", index), place, document);
    return document;
}

} // namespace brokerscope
